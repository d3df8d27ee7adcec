// An expression that does not parse is a configuration error: 104.
export const options = { thresholds: { http_reqs: ['count is large'] } };

export default function () {}
