// args: --summary-mode disabled
// compare: stdout
// mask: metrics
// No summary, and handleSummary is not called.
export default function () {}
export function handleSummary() { console.log('called'); return { stdout: 'x' }; }
