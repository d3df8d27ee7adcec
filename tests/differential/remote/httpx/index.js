// A library in the style of those that k6 scripts import by URL: a session with a base address, headers and tags.
import http from 'k6/http';

const BODILESS = ['get', 'head'];

export class Request {
  constructor(method, url, body = null, params = {}) {
    Object.assign(this, { method, url, body, params });
  }
}

export class Httpx {
  constructor({ baseURL = '', headers = {}, tags = {}, timeout = 20000 } = {}) {
    Object.assign(this, { baseURL, headers, tags, timeout });
    for (const method of ['get', 'head', 'post', 'put', 'patch', 'options', 'delete']) {
      this[method] = (url, ...rest) => {
        const [body, params] = BODILESS.includes(method) ? [null, rest[0]] : rest;
        return this.request(method.toUpperCase(), url, body, params);
      };
    }
  }

  setBaseUrl(url) {
    this.baseURL = url;
  }

  addHeader(name, value) {
    this.headers[name] = value;
  }

  addTag(name, value) {
    this.tags[name] = value;
  }

  merged(params = {}) {
    return {
      timeout: this.timeout,
      ...params,
      headers: { ...this.headers, ...params.headers },
      tags: { ...this.tags, ...params.tags },
    };
  }

  request(method, url, body, params) {
    return http.request(method, this.baseURL + url, body, this.merged(params));
  }

  asyncRequest(method, url, body, params) {
    return http.asyncRequest(method, this.baseURL + url, body, this.merged(params));
  }

  batch(requests, params) {
    return http.batch(requests.map((r) => [r.method, this.baseURL + r.url, r.body, this.merged({ ...params, ...r.params })]));
  }
}

export const Get = (url, params) => new Request('GET', url, null, params);
export const Post = (url, body, params) => new Request('POST', url, body, params);
