// file: config.json {"noSetup":true,"setupTimeout":"20s","maxRedirects":3,"userAgent":"me/1","batch":7,"batchPerHost":2,"throw":true,"rps":50,"dns":{"ttl":"0","select":"roundRobin","policy":"onlyIPv4"},"hosts":{"a.test":"127.0.0.1"},"tags":{"a":"b"},"summaryTrendStats":["max"],"thresholds":{"iterations":["count>0"]},"vus":2,"iterations":4,"noConnectionReuse":true,"blacklistIPs":["10.0.0.0/8"],"minIterationDuration":"10ms","systemTags":["status","scenario"],"tlsVersion":"tls1.3"}
// args: -c {dir}/config.json
// Options from a configuration file.
import { optionCases } from '../lib/options.js';

export default optionCases();
