// mask: errors
// Refused: negative target.
export const options = { scenarios: { a: { executor: 'ramping-vus', stages: [{ duration: '1s', target: -1 }] } } };
export default function () {}
