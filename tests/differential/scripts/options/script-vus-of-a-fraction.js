// mask: errors
// Refused in a script: vus of a fraction.
export const options = { vus: 1.5 };
export default function () {}
