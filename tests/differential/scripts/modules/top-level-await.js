// Top-level await in the script.
const a = await new Promise((resolve) => setTimeout(() => resolve(4), 10));
export default function () { console.log(a); }
