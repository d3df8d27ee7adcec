// mask: errors
// args: --stage soon:many
// The flag stage of nonsense with a value that cannot be.
export default function () {}
