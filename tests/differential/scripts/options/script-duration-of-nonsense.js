// mask: errors
// Refused in a script: duration of nonsense.
export const options = { duration: 'long' };
export default function () {}
