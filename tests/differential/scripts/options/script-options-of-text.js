// mask: errors
// Refused in a script: options of text.
export const options = 'text';
export default function () {}
