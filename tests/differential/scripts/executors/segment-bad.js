// mask: errors
// args: --execution-segment 2/3:1/3
// A segment that ends before it starts.
export default function () {}
