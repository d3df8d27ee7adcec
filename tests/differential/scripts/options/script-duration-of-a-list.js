// mask: errors
// Refused in a script: duration of a list.
export const options = { duration: [] };
export default function () {}
