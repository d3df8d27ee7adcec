// mask: errors
// command: inspect
// args: --execution-requirements
// What a test requires is only told of a test that can be run.
export const options = { thresholds: { no_such_metric: ['count>0'] } };

export default function () {}
