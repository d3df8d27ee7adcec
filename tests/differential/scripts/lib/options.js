// A case for every option: what the test says it was set to.
import exec from 'k6/execution';
import { cases } from './cases.js';

const KEYS = [
  'paused', 'executionSegment', 'executionSegmentSequence', 'noSetup', 'setupTimeout', 'noTeardown', 'teardownTimeout', 'rps', 'dns',
  'maxRedirects', 'userAgent', 'batch', 'batchPerHost', 'httpDebug', 'insecureSkipTLSVerify', 'tlsCipherSuites', 'tlsVersion', 'tlsAuth',
  'throw', 'thresholds', 'blacklistIPs', 'blockHostnames', 'hosts', 'noConnectionReuse', 'noVUConnectionReuse', 'minIterationDuration',
  'summaryTrendStats', 'summaryTimeUnit', 'systemTags', 'tags', 'metricSamplesBufferSize', 'noCookiesReset', 'discardResponseBodies',
  'consoleOutput', 'localIPs', 'scenarios', 'vus', 'iterations', 'duration', 'stages',
];

export function optionCases(keys = KEYS) {
  return cases(Object.fromEntries(keys.map((key) => [key, () => exec.test.options[key]])));
}
