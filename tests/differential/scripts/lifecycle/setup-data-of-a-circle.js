// mask: errors
// What refers to itself cannot be handed on.
export function setup() { const loop = {}; loop.self = loop; return loop; }
export default function () { console.log('never'); }
