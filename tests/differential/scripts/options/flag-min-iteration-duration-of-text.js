// mask: errors
// args: --min-iteration-duration 5
// The flag min iteration duration of text with a value that cannot be.
export default function () {}
