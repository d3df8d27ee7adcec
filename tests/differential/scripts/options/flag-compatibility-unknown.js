// mask: errors
// args: --compatibility-mode modern
// The flag compatibility unknown with a value that cannot be.
export default function () {}
