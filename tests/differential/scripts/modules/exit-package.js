// A package that is not installed.
import x from 'no-such-package-anywhere';
export default function () { console.log(x); }
