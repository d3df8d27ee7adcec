// mask: errors
// env: K6_STAGES=5s
// The variable stages with a value that cannot be.
export default function () {}
