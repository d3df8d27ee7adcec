// mask: errors
// args: --log-format pretty
// The flag log format unknown with a value that cannot be.
export default function () {}
