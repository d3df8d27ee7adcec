// mask: errors
// args: --dns ttl=5m,select=best
// The flag dns unknown with a value that cannot be.
export default function () {}
