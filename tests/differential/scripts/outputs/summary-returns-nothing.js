// handleSummary that gives nothing, called once.
export default function () {}
export function handleSummary() { console.log('called'); }
