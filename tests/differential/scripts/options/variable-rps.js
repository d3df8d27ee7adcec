// mask: errors
// env: K6_RPS=x
// The variable rps with a value that cannot be.
export default function () {}
