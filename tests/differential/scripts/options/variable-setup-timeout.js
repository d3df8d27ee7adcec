// mask: errors
// env: K6_SETUP_TIMEOUT=x
// The variable setup timeout with a value that cannot be.
export default function () {}
