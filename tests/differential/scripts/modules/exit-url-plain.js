// Modules come over TLS only.
// stdin: yes
import part from '{base}/files/by-url/sub/part.js';

export default function () {
  console.log(part);
}
