// args: --user-agent cli-agent/2
// The option on the command line wins; an empty one is sent as none in the script below.
import http from 'k6/http';

export const options = { userAgent: 'script-agent' };

export default function () {
  console.log(http.get(`${__ENV.BASE}/headers`).json('headers.User-Agent'));
}
