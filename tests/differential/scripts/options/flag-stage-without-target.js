// mask: errors
// args: --stage 5s
// The flag stage without target with a value that cannot be.
export default function () {}
