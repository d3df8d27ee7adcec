// Static imports from a server, and what the modules there import themselves.
// stdin: yes
// env: SSL_CERT_FILE={dir}/ca.pem
import Entry, * as entry from '{tls}/files/by-url/entry.js';
import { count } from '{tls}/files/by-url/sub/part.js';
import { randomIntBetween as between } from '{tls}/files/k6-utils/index.js';
import { cases } from '{scripts}/lib/cases.js';

export default cases({
  'names': () => Object.keys(entry).sort(),
  'the default': () => new Entry().what,
  'what it imports': () => [entry.part, entry.name, entry.Kind.Second, entry.all.default],
  'one instance': () => [count(), entry.count(), entry.again(), count()],
  'what is beside it': () => entry.beside,
  'its checks': () => entry.checked(),
  'a name that is renamed': () => between(3, 3),
});
