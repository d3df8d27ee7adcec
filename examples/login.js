// Authentication and cookies: basic and digest authentication, a bearer token, and a session in a cookie.

import http from 'k6/http';
import { check, group } from 'k6';

const BASE_URL = __ENV.BASE_URL || 'http://127.0.0.1:8080';
const USER = __ENV.USER_NAME || 'ada';
const PASSWORD = __ENV.USER_PASSWORD || 'secret';

export const options = {
  vus: 2,
  iterations: 20,
  thresholds: { checks: ['rate==1'] },
};

export default function () {
  const withUser = BASE_URL.replace('://', `://${USER}:${PASSWORD}@`);

  group('basic', () => {
    const response = http.get(`${withUser}/basic-auth/${USER}/${PASSWORD}`);
    check(response, { 'basic is let in': (r) => r.status === 200 });
  });

  group('digest', () => {
    const response = http.get(`${withUser}/digest-auth/auth/${USER}/${PASSWORD}`, { auth: 'digest' });
    check(response, { 'digest is let in': (r) => r.status === 200 });
  });

  group('token', () => {
    const response = http.get(`${BASE_URL}/bearer`, { headers: { Authorization: 'Bearer abc123' } });
    check(response, { 'token is let in': (r) => r.status === 200 });
  });

  group('session', () => {
    // Every user has a jar of its own, empty at the start of each iteration.
    http.get(`${BASE_URL}/cookies/set?session=${__VU}-${__ITER}`);
    const response = http.get(`${BASE_URL}/cookies`);
    check(response, { 'session is kept': (r) => r.body.includes(`${__VU}-${__ITER}`) });
    const jar = http.cookieJar();
    check(jar.cookiesForURL(BASE_URL), { 'jar has it': (c) => c.session.length === 1 });
  });
}
