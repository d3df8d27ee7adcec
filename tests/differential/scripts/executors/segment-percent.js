// args: --execution-segment 25%
// A quarter, as a percentage.
export const options = { vus: 8, iterations: 16 };
export default function () {}
