// args: --no-thresholds
// With --no-thresholds nothing is judged.
export const options = { thresholds: { iterations: ['count>100'] } };

export default function () {}
