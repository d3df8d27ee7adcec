// mask: errors
// Refused in a script: rps of text.
export const options = { rps: 'x' };
export default function () {}
