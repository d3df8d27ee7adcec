// mask: errors
// handleSummary that is no function.
export default function () {}
export const handleSummary = 5;
