// mask: errors
// Refused in a script: options of a list.
export const options = [];
export default function () {}
