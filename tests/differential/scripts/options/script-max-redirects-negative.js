// mask: errors
// Refused in a script: max redirects negative.
export const options = { maxRedirects: -1 };
export default function () {}
