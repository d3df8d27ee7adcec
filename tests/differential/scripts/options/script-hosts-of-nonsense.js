// mask: errors
// Refused in a script: hosts of nonsense.
export const options = { hosts: { 'a.test': 'not an address' } };
export default function () {}
