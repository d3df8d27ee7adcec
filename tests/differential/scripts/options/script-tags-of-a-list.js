// mask: errors
// Refused in a script: tags of a list.
export const options = { tags: ['a'] };
export default function () {}
