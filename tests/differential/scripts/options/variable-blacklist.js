// mask: errors
// env: K6_BLACKLIST_IPS=x
// The variable blacklist with a value that cannot be.
export default function () {}
