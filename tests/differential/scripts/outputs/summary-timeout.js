// seconds: 2
// env: K6_HANDLE_SUMMARY_TIMEOUT=500ms
// mask: errors metrics
// handleSummary that takes too long.
import { sleep } from 'k6';
export default function () {}
export function handleSummary() { sleep(5); return {}; }
