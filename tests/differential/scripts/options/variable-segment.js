// mask: errors
// env: K6_EXECUTION_SEGMENT=2
// The variable segment with a value that cannot be.
export default function () {}
