// Methods taken off their objects: those of k6's own objects know whose they are.
import crypto from 'k6/crypto';
import { SharedArray } from 'k6/data';
import fs from 'k6/experimental/fs';
import { parseHTML } from 'k6/html';
import http from 'k6/http';
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';
import { cases, throws } from '../lib/cases.js';

const metrics = { counter: new Counter('my_counter'), gauge: new Gauge('my_gauge'), rate: new Rate('my_rate'), trend: new Trend('my_trend') };
const shared = new SharedArray('shared', () => [1, 2, 3]);
const file = await fs.open('../data/lines.txt');
const page = parseHTML('<p id="a" class="k">one</p><p>two</p><a href="/x">link</a>');
const base = __ENV.BASE;

export default cases({
  'json': () => { const { json } = http.get(`${base}/json`); return typeof json(); },
  'json with a selector': () => { const { json } = http.get(`${base}/json`); return json('nothing.here'); },
  'json of each of two': () => {
    const [one, two] = ['one', 'two'].map((body) => http.post(`${base}/anything`, body));
    const [a, b] = [one, two].map((res) => res.json);
    const [first, second] = [a, b].map((json) => JSON.stringify(json()));
    return ['one', 'two'].flatMap((body) => [first, second].map((text) => text.includes(`"${body}"`)));
  },
  'json by name in brackets': () => { const res = http.get(`${base}/json`); const f = res['json']; return typeof f(); },
  'json by a computed name': () => { const name = 'json'; const { [name]: f } = http.get(`${base}/json`); return typeof f(); },
  'json by another name with a default': () => { const { json: f = null, nothing = 7 } = http.get(`${base}/json`); return [typeof f(), nothing]; },
  'json with the rest': () => { const { json, ...rest } = http.get(`${base}/json`); return [typeof json(), rest.status]; },
  'a copy': () => { const copy = { ...http.get(`${base}/json`) }; return [typeof copy.json(), copy.html('p').size(), Object.keys(copy)]; },
  'a copy of a copy': () => { const copy = { ...{ ...http.get(`${base}/json`), mine: 1 } }; return [typeof copy.json(), copy.status, copy.mine]; },
  'copies of two': () => ['one', 'two'].map((body) => ({ ...http.post(`${base}/anything`, body) })).map((copy) => JSON.stringify(copy.json()).includes('"one"')),
  'assigned to another': () => typeof Object.assign({}, http.get(`${base}/json`)).json(),
  'the rest': () => { const { status, ...rest } = http.get(`${base}/json`); return [status, typeof rest.json(), rest.json('nothing.here')]; },
  'own methods': () => { const res = http.get(`${base}/json`); return [Object.keys(res), 'json' in res, Object.hasOwn(res, 'json'), res.hasOwnProperty('nothing')]; },
  'names in a loop': () => { const names = []; for (const name in http.get(`${base}/json`)) names.push(name); return names; },
  'entries': () => Object.entries(http.get(`${base}/json`)).filter(([, value]) => typeof value === 'function').map(([name]) => name),
  'methods in JSON': () => Object.keys(JSON.parse(JSON.stringify(http.get(`${base}/json`)))).filter((name) => ['json', 'html'].includes(name)),
  'json as an argument': () => { const use = ({ json }) => typeof json(); return use(http.get(`${base}/json`)); },
  'json assigned': () => { let json; ({ json } = http.get(`${base}/json`)); return typeof json(); },
  'json called for another': () => { const res = http.get(`${base}/json`); return typeof res.json.call({}); },
  'json optionally': () => { const f = http.get(`${base}/json`)?.json; return typeof f?.(); },
  'html': () => { const { html } = http.get(`${base}/html`); return html('body').size(); },
  'submitForm without a form': () => { const { submitForm } = http.get(`${base}/json`); return throws(() => submitForm()); },
  'methods are functions': () => { const res = http.get(`${base}/json`); return [typeof res.json, typeof res.html, typeof res.submitForm, typeof res.clickLink]; },
  'add': () => Object.values(metrics).map((metric) => { const { add } = metric; return add(2); }),
  'add of each': () => Object.values(metrics).map((metric) => metric.add).map((add) => add(1, { tag: 'x' })),
  'add handed on': () => { [1, 2, 3].forEach((n) => [n].map(metrics.counter.add)); return metrics.counter.name; },
  'jar': () => {
    const { set, cookiesForURL, clear } = http.cookieJar();
    const jar = http.cookieJar();
    const remove = jar.delete;
    set(`${base}/`, 'a', '1');
    set(`${base}/`, 'b', '2');
    remove(`${base}/`, 'b');
    const before = cookiesForURL(`${base}/`);
    clear(`${base}/`);
    return [before, cookiesForURL(`${base}/`)];
  },
  'jar of its own': () => { const { set, cookiesForURL } = new http.CookieJar(); set(`${base}/`, 'k', 'v'); return cookiesForURL(`${base}/`); },
  'selection': () => { const { find } = page; return find('p').text(); },
  'other methods of a selection': () => {
    const all = page.find('p');
    const { text, attr, size, eq, html, toArray } = all;
    return [text(), attr('id'), size(), eq(1).text(), html(), toArray().length];
  },
  'each': () => { const seen = []; const { each } = page.find('p'); each((at, element) => { seen.push(at, element.textContent()); }); return seen; },
  'element': () => { const { id, nodeName, className, innerHTML } = page.find('p').get(0); return [id(), nodeName(), className(), innerHTML()]; },
  'element of a kind': () => { const { href, textContent } = page.find('a').get(0); return [href(), textContent()]; },
  'hash': () => { const { update, digest } = crypto.createHash('sha256'); update('a'); update('b'); return digest('hex'); },
  'HMAC': () => { const { update, digest } = crypto.createHMAC('sha256', 'key'); update('a'); return digest('base64'); },
  'file': async () => { const { stat, seek } = file; return [(await stat()).name, await seek(1, 0)]; },
  'shared array': () => throws(() => { const { map } = shared; map((x) => x); }),
  'a prototype has no object': () => throws(() => { const { add } = Counter.prototype; add(1); }),
  'methods of the module': () => { const { get, batch, url } = http; return [get(`${base}/json`).status, batch([`${base}/json`]).length, typeof url`${base}/`]; },
});
