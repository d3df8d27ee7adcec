// mask: errors
// Options must be an object.
export const options = () => ({ iterations: 2 });
export default function () { console.log('never'); }
