// compare: stdout
// handleSummary that gives bytes.
export default function () {}
export function handleSummary() { return { stdout: new Uint8Array([104, 105, 10]).buffer }; }
