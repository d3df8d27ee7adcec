// A threshold on a metric that does not exist is a configuration error: 104.
export const options = { thresholds: { no_such_metric: ['count>0'] } };

export default function () {}
