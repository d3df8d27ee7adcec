// Digest authentication makes two requests; the first 401 is expected.
import http from 'k6/http';

export default function () {
  const host = __ENV.BASE.replace('http://', '');
  for (const [path, user, password] of [['auth/user/secret', 'user', 'secret'], ['auth/user/secret', 'user', 'wrong']]) {
    const res = http.get(`http://${user}:${password}@${host}/digest-auth/${path}`, { auth: 'digest' });
    console.log(path, res.status, res.error_code);
  }
}
