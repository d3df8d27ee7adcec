// A server that is not there.
// stdin: yes
import part from 'https://127.0.0.1:1/part.js';

export default function () {
  console.log(part);
}
