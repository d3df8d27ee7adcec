// Libraries in the style of those that people import by URL, from a server of our own.
// env: SSL_CERT_FILE={dir}/ca.pem
// mask: errors
import http from 'k6/http';
import { cases, throws } from '../lib/cases.js';

const load = (name) => require(`${__ENV.TLS_BASE}/files/${name}/index.js`);
const utils = load('k6-utils');
const { expect } = load('k6-testing');
const { Httpx, Get, Post } = load('httpx');
const chai = load('k6chaijs');
const { URL, URLSearchParams } = load('url');

const session = new Httpx({ baseURL: __ENV.BASE, headers: { 'X-Session': 'one' }, tags: { session: 's' } });

export const options = { scenarios: { only: { executor: 'ramping-vus', startVUs: 1, stages: [{ duration: '2s', target: 1 }], exec: 'main' } } };

const all = {
  'utils names': () => Object.keys(utils).sort().join(),
  'uuidv4': () => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(utils.uuidv4()),
  'randomIntBetween': () => [0, 1, 2, 3].map(() => utils.randomIntBetween(5, 7)).every((n) => n >= 5 && n <= 7),
  'randomItem': () => ['a', 'b'].includes(utils.randomItem(['a', 'b'])),
  'randomString': () => [utils.randomString(8).length, utils.randomString(3, 'x')],
  'findBetween': () => [utils.findBetween('<b>1</b><b>2</b>', '<b>', '</b>'), utils.findBetween('<b>1</b><b>2</b>', '<b>', '</b>', true)],
  'parseDuration': () => ['1d', '1h30m', '5s200ms', '0.5s'].map(utils.parseDuration),
  'parseDuration of nonsense': () => throws(() => utils.parseDuration('soon')),
  'normalDistributionStages': () => utils.normalDistributionStages(10, 10, 4),
  'getCurrentStageIndex': () => utils.getCurrentStageIndex(),
  'tagWithCurrentStageIndex': () => utils.tagWithCurrentStageIndex(),
  'expect': () => throws(() => expect(1).toBe(1)),
  'expect that fails': () => throws(() => expect(1).toBe(2)),
  'expect not': () => throws(() => expect('abc').not.toContain('d')),
  'expect equal': () => throws(() => expect({ a: [1, { b: 2 }] }).toEqual({ a: [1, { b: 2 }] })),
  'expect property': () => throws(() => expect({ a: { b: 1 } }).toHaveProperty('a.b')),
  'expect close': () => throws(() => expect(0.1 + 0.2).toBeCloseTo(0.3)),
  'expect instance': () => throws(() => expect(new Error('x')).toBeInstanceOf(Error)),
  'httpx get': () => session.get('/get').status,
  'httpx post': () => session.post('/post', { a: '1' }).json('form.a'),
  'httpx header': () => session.get('/headers', { headers: { 'X-Own': 'two' } }).status,
  'httpx batch': () => session.batch([Get('/get'), Post('/post', 'x')]).map((res) => res.status),
  'httpx async': async () => (await session.asyncRequest('GET', '/get')).status,
  'describe': () =>
    chai.describe('a page', () => {
      const res = http.get(`${__ENV.BASE}/json`);
      chai.expect(res.status, 'status').to.equal(200);
      chai.expect(res, 'answer').to.have.validJsonBody();
      chai.expect(res.body, 'body').to.be.a('string').and.to.include('{');
    }),
  'describe that fails': () => chai.describe('a wrong page', () => chai.expect(1, 'one').to.be.above(2)),
  'default of an ES module': () => Object.keys(chai.default).sort().join(),
  'url': () => {
    const url = new URL('https://h.test:81/p?a=1&b=x%20y#f');
    url.searchParams.append('c', 'ü');
    return [url.hostname, url.port, url.pathname, url.hash, url.searchParams.get('b'), url.href];
  },
  'url of nonsense': () => throws(() => new URL('nowhere')),
  'parameters': () => [...new URLSearchParams({ a: '1', b: '&' })].join(';') + String(new URLSearchParams('?x=1')),
};

let done = false;
const run = cases(all);

export async function main() {
  if (done) return new Promise((resolve) => setTimeout(resolve, 500));
  done = true;
  return run();
}
