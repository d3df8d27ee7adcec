// mask: errors
// env: K6_TAGS=alone
// The variable tags with a value that cannot be.
export default function () {}
