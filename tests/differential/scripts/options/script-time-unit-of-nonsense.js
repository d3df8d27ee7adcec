// mask: errors
// Refused in a script: time unit of nonsense.
export const options = { summaryTimeUnit: 'h' };
export default function () {}
