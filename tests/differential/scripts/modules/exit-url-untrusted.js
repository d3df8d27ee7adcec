// A server whose certificate nobody trusts.
// stdin: yes
import part from '{tls}/files/by-url/sub/part.js';

export default function () {
  console.log(part);
}
