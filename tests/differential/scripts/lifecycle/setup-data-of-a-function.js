// mask: errors
// A function cannot be handed on.
export function setup() { return { work: () => 1 }; }
export default function () { console.log('never'); }
