// A module that the server does not have.
// stdin: yes
// env: SSL_CERT_FILE={dir}/ca.pem
import nothing from '{tls}/files/by-url/nothing.js';

export default function () {
  console.log(nothing);
}
