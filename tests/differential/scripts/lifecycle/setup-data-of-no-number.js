// mask: errors
// What is no number in JSON cannot be handed on.
export function setup() { return [1, NaN]; }
export default function () { console.log('never'); }
