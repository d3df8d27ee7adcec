// mask: errors
// args: --summary-trend-stats avg,nonsense
// The flag trend stat unknown with a value that cannot be.
export default function () {}
