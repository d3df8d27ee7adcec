// mask: errors
// args: --config /not/there.json
// The flag config missing with a value that cannot be.
export default function () {}
