// mask: errors
// Refused in a script: stages of an object.
export const options = { stages: {} };
export default function () {}
