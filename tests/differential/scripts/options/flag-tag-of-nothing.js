// args: --tag a=
// mask: errors
// A tag needs a value.
export default function () {}
