// mask: errors
// args: --system-tags status,nonsense
// The flag system tag unknown with a value that cannot be.
export default function () {}
