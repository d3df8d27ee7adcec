// mask: errors
// args: --vus lots
// A flag with a value of the wrong type.
export default function () {}
