// mask: errors
// env: K6_DURATION=long
// The variable duration with a value that cannot be.
export default function () {}
