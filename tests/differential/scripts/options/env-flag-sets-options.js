// env: K6_MAX_REDIRECTS=7 K6_USER_AGENT=from-the-environment K6_BATCH=9
// args: -e K6_MAX_REDIRECTS=3 -e K6_USER_AGENT= -e K6_ITERATIONS=2 -e K6_RPS=50 --rps 60 -e K6_SUMMARY_MODE=nonsense -e K6_TAGS=a:b
// Variables that are given for the script set options, too.
import { optionCases } from '../lib/options.js';

export const options = { batch: 2, iterations: 5 };

export default optionCases(['maxRedirects', 'userAgent', 'batch', 'rps', 'tags', 'iterations', 'scenarios']);
