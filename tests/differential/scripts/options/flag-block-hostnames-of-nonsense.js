// mask: errors
// args: --block-hostnames a*b
// The flag block hostnames of nonsense with a value that cannot be.
export default function () {}
