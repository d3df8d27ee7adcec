// A library in the style of those that k6 scripts import by URL: addresses in parts, also where the engine has none.
const PARTS = /^([a-z]+:)\/\/([^/:?#]+)(:\d+)?([^?#]*)(\?[^#]*)?(#.*)?$/i;

export class URLSearchParams {
  constructor(init = '') {
    this.pairs = typeof init === 'string'
      ? init.replace(/^\?/, '').split('&').filter((part) => part).map((part) => part.split('=').map(decodeURIComponent))
      : Object.entries(init);
  }

  append(name, value) {
    this.pairs.push([name, String(value)]);
  }

  get(name) {
    const found = this.pairs.find(([key]) => key === name);
    return found ? found[1] : null;
  }

  *[Symbol.iterator]() {
    yield* this.pairs;
  }

  toString() {
    return this.pairs.map(([key, value = '']) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join('&');
  }
}

export class URL {
  constructor(text) {
    const found = PARTS.exec(text);
    if (!found) throw new TypeError(`${text} is no URL`);
    const [, protocol, hostname, port = '', pathname, search = '', hash = ''] = found;
    Object.assign(this, { protocol, hostname, port: port.slice(1), pathname: pathname || '/', hash });
    this.searchParams = new URLSearchParams(search);
  }

  get href() {
    const search = String(this.searchParams);
    const port = this.port && `:${this.port}`;
    return `${this.protocol}//${this.hostname}${port}${this.pathname}${search && `?${search}`}${this.hash}`;
  }

  toString() {
    return this.href;
  }
}
