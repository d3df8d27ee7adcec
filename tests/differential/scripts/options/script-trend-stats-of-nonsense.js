// mask: errors
// Refused in a script: trend stats of nonsense.
export const options = { summaryTrendStats: ['x'] };
export default function () {}
