// NTLM makes three requests: without credentials, for the challenge, with the answer to it, which depends on chance.
// mask: wire
import http from 'k6/http';

export default function () {
  const host = __ENV.BASE.replace('http://', '');
  const get = (what, credentials, path, body) => {
    const res = http.request(body ? 'POST' : 'GET', `http://${credentials}${host}${path}`, body, { auth: 'ntlm', tags: { name: what } });
    const url = res.url.replace(host, 'HOST');
    console.log(what, res.status, res.error_code, url, res.request.url === res.url, res.status === 200 && res.body);
  };
  get('right', 'user:secret@', '/ntlm/user/secret');
  get('again', 'user:secret@', '/ntlm/user/secret');
  get('with a body', 'user:secret@', '/ntlm/user/secret', 'a=1');
  get('with a domain', 'DOMAIN%5Cuser:secret@', '/ntlm/user/secret');
  get('wrong', 'user:wrong@', '/ntlm/user/secret');
  get('nobody', '', '/ntlm/user/secret');
  get('basic', 'user:secret@', '/basic-auth/user/secret');
  get('no challenge', 'user:secret@', '/');
}
