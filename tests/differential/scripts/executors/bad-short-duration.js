// mask: errors
// Refused: short duration.
export const options = { scenarios: { a: { executor: 'constant-vus', duration: '500ms' } } };
export default function () {}
