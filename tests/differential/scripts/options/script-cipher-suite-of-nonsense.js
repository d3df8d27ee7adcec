// mask: errors
// Refused in a script: cipher suite of nonsense.
export const options = { tlsCipherSuites: ['NULL'] };
export default function () {}
