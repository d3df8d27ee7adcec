// command: inspect
// args: --execution-requirements
// compare: stdout
// What inspect prints: requirements.
export const options = { vus: 2, duration: '90s', thresholds: { http_reqs: ['count>0', { threshold: 'rate>1', abortOnFail: true }] }, tags: { a: 'b' }, userAgent: 'me' };
export default function () {}
