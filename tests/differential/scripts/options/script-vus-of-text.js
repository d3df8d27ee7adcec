// mask: errors
// Refused in a script: vus of text.
export const options = { vus: 'many' };
export default function () {}
