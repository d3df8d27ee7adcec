// mask: errors
// args: --out nonsense
// The flag out unknown with a value that cannot be.
export default function () {}
