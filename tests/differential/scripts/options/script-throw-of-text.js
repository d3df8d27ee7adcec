// mask: errors
// Refused in a script: throw of text.
export const options = { throw: 'yes' };
export default function () {}
