// mask: errors
// args: --summary-time-unit h
// The flag time unit unknown with a value that cannot be.
export default function () {}
