// mask: errors
// Refused in a script: thresholds of text.
export const options = { thresholds: 'x' };
export default function () {}
