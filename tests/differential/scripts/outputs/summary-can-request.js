// mask: errors
// handleSummary that makes a request.
import http from 'k6/http';
export default function () {}
export function handleSummary() { console.log(http.get(`${__ENV.BASE}/fast`).status); return {}; }
