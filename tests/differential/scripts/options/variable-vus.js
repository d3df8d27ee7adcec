// mask: errors
// env: K6_VUS=lots
// The variable vus with a value that cannot be.
export default function () {}
