// file: config.json {"maxRedirects":1,"userAgent":"file","batch":1,"rps":10,"tags":{"from":"file"}}
// env: K6_BATCH=3 K6_RPS=30 K6_CONFIG={dir}/config.json
// args: --rps 40
// The same options in several places: file, script, environment, command line.
import { optionCases } from '../lib/options.js';

export const options = { userAgent: 'script', batch: 2, rps: 20, tags: { of: 'script' } };

export default optionCases(['maxRedirects', 'userAgent', 'batch', 'rps', 'tags', 'vus', 'iterations', 'scenarios']);
