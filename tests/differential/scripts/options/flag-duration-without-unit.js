// mask: errors
// args: --duration 5
// The flag duration without unit with a value that cannot be.
export default function () {}
