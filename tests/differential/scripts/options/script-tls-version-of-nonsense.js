// mask: errors
// Refused in a script: tls version of nonsense.
export const options = { tlsVersion: 'tls9' };
export default function () {}
