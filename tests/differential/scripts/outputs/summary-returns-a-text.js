// What handleSummary gives must be an object, or nothing.
export default function () {}
export function handleSummary() { return 'abc'; }
