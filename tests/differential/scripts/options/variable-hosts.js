// mask: errors
// env: K6_HOSTS=x
// The variable hosts with a value that cannot be.
export default function () {}
