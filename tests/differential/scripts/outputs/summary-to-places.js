// compare: stdout
// handleSummary writes to standard output.
export default function () {}
export function handleSummary() { return { stdout: 'to stdout\n', stderr: '' }; }
