// mask: errors
// env: K6_DNS=ttl=x
// The variable dns with a value that cannot be.
export default function () {}
