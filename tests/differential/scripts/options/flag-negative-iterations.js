// mask: errors
// args: --iterations -1
// The flag negative iterations with a value that cannot be.
export default function () {}
