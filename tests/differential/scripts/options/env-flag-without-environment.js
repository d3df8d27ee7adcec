// env: K6_BATCH=9
// args: --include-system-env-vars=false -e K6_MAX_REDIRECTS=3 -e K6_BATCH=8
// When the script does not see the environment, variables that are given for it set no options.
import { optionCases } from '../lib/options.js';

export default optionCases(['maxRedirects', 'batch']);
