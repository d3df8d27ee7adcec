// mask: errors
// Refused in a script: dns of nonsense.
export const options = { dns: { policy: 'x' } };
export default function () {}
