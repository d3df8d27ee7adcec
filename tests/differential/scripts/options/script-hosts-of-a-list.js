// mask: errors
// Refused in a script: hosts of a list.
export const options = { hosts: ['a'] };
export default function () {}
