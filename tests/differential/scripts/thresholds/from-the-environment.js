// env: K6_NO_THRESHOLDS=true
// Thresholds are left out.
export const options = { thresholds: { iterations: ['count>5'] } };
export default function () {}
