// mask: errors
// Refused: a scenario that is nothing.
export const options = { scenarios: { a: null } };
export default function () {}
