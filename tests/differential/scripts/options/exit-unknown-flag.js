// mask: errors
// args: --no-such-flag
// An unknown flag.
export default function () {}
