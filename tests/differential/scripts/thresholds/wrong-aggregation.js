// A percentile of a counter is a configuration error: 104.
export const options = { thresholds: { http_reqs: ['p(95)<5'] } };

export default function () {}
