// mask: errors
// Refused in a script: system tags of nonsense.
export const options = { systemTags: ['x'] };
export default function () {}
