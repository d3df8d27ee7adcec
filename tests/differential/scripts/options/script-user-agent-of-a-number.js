// mask: errors
// Refused in a script: user agent of a number.
export const options = { userAgent: 5 };
export default function () {}
