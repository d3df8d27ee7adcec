// mask: errors
// args: --rps lots
// The flag rps of text with a value that cannot be.
export default function () {}
