// mask: errors
// Refused: no scenarios.
export const options = { scenarios: {} };
export default function () {}
