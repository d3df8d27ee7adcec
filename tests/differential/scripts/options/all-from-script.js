// Every option that a script can set, set by the script.
import { optionCases } from '../lib/options.js';

export const options = {
  noSetup: true, noTeardown: true, setupTimeout: '20s', teardownTimeout: 1500, rps: 50, maxRedirects: 3, userAgent: 'me/1', batch: 7, batchPerHost: 2,
  insecureSkipTLSVerify: true, tlsVersion: { min: 'tls1.2', max: 'tls1.3' }, tlsCipherSuites: ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'],
  dns: { ttl: '1m', select: 'first', policy: 'any' }, throw: true, thresholds: { iterations: ['count>0'], http_reqs: [{ threshold: 'count<9', abortOnFail: true, delayAbortEval: '3s' }] },
  blacklistIPs: ['10.0.0.0/8', 'fd00::/8'], blockHostnames: ['*.example.net', 'b.test'], hosts: { 'a.test': '127.0.0.1', '*.b.test:80': '127.0.0.2:8080' },
  noConnectionReuse: true, noVUConnectionReuse: true, minIterationDuration: '10ms', summaryTrendStats: ['avg', 'p(99.9)', 'count'], summaryTimeUnit: 'ms',
  systemTags: ['proto', 'status', 'group', 'scenario'], tags: { a: 'b', c: 'd' }, noCookiesReset: true, discardResponseBodies: true,
  metricSamplesBufferSize: 77, executionSegment: '0:1/2', executionSegmentSequence: '0,1/2,1', vus: 2, iterations: 4, duration: '30s',
};

export default optionCases();
