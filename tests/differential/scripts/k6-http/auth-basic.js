// Credentials in the URL mean basic authentication; they do not appear in tags.
import http from 'k6/http';

export default function () {
  const host = __ENV.BASE.replace('http://', '');
  const shown = (res) => console.log(res.status, res.body, res.url.replace(host, 'HOST'));
  shown(http.get(`http://user:secret@${host}/basic-auth/user/secret`));
  shown(http.get(`http://user:secret@${host}/basic-auth/user/secret`, { auth: 'basic' }));
  shown(http.get(`http://user:wrong@${host}/basic-auth/user/secret`));
  shown(http.get(`http://${host}/basic-auth/user/secret`));
  shown(http.get(`http://u%20s:p%40ss@${host}/basic-auth/u%20s/p%40ss`));
  shown(http.get(`http://${host}/basic-auth/user/secret`, { headers: { Authorization: 'Basic dXNlcjpzZWNyZXQ=' } }));
}
