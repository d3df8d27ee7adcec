// mask: errors
// command: archive
// args: -O {dir}/test.tar
// What cannot be run is not packed.
export const options = { thresholds: { no_such_metric: ['count>0'] } };

export default function () {}
