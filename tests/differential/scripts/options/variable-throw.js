// mask: errors
// env: K6_THROW=perhaps
// The variable throw with a value that cannot be.
export default function () {}
