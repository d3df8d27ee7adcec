// mask: errors
// args: --summary-mode loud
// The flag summary mode unknown with a value that cannot be.
export default function () {}
