// mask: errors
// args: -e =x
// The flag env name of nonsense with a value that cannot be.
export default function () {}
