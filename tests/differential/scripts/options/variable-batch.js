// mask: errors
// env: K6_BATCH=x
// The variable batch with a value that cannot be.
export default function () {}
