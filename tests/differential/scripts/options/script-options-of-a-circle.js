// mask: errors
// Options cannot refer to themselves.
const circle = { iterations: 2 };
circle.self = circle;
export const options = circle;
export default function () { console.log('never'); }
