// mask: errors
// args: --blacklist-ip nonsense
// The flag blacklist of nonsense with a value that cannot be.
export default function () {}
