// command: inspect
// Options are told without looking at the metrics.
export const options = { thresholds: { no_such_metric: ['count>0'] } };

export default function () {}
