// mask: errors
// Refused in a script: blacklist of nonsense.
export const options = { blacklistIPs: ['x'] };
export default function () {}
