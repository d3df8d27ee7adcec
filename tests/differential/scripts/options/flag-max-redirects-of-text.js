// mask: errors
// args: --max-redirects few
// The flag max redirects of text with a value that cannot be.
export default function () {}
