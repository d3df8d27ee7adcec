// env: K6_VUS=2 K6_ITERATIONS=6
// Users and iterations from the environment.
export const options = { vus: 9, duration: '1h' };
export default function () {}
