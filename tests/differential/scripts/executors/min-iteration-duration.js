// seconds: 2
// args: --min-iteration-duration 400ms
// Fast iterations are held back.
export const options = { scenarios: { a: { executor: 'constant-vus', vus: 1, duration: '1s' } } };
export default function () {}
