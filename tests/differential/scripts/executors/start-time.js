// seconds: 2
// One scenario after the other.
export const options = { scenarios: { late: { executor: 'per-vu-iterations', startTime: '600ms', exec: 'late' }, early: { executor: 'per-vu-iterations', exec: 'early' } } };
let started;
export function setup() { return Date.now(); }
export function early(start) { console.log('early', Date.now() - start < 550); }
export function late(start) { console.log('late', Date.now() - start >= 550); }
