// mask: errors
// args: --local-ips nonsense
// The flag local ips of nonsense with a value that cannot be.
export default function () {}
