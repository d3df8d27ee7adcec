// mask: errors
// args: --type wasm
// The flag type unknown with a value that cannot be.
export default function () {}
