// Servers that break the rules cost one failed exchange each, or none where k6 is lenient.
import http from 'k6/http';

const faults = [
  'close', 'close-mid-head', 'reset-mid-body', 'bad-status-line', 'bad-header', 'http09', 'garbage', 'length-invalid',
  'length-negative', 'length-conflict', 'length-overflow', 'chunk-bad-size', 'chunk-no-end', 'chunk-truncated',
  'chunk-no-last', 'gzip-garbage', 'length-too-long', 'length-and-chunked', 'no-length', 'informational', 'redirect-nowhere',
];

export default function () {
  for (const fault of faults) {
    const res = http.get(`${__ENV.BASE}/fault/${fault}`, { timeout: '10s' });
    console.log(fault, res.status, res.error_code);
  }
  console.log(http.get(`${__ENV.BASE}/fast`).status);
}
