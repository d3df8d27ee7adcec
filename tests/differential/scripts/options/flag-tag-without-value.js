// mask: errors
// args: --tag alone
// The flag tag without value with a value that cannot be.
export default function () {}
