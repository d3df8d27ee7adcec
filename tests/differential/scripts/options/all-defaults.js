// Every option that nobody set.
import { optionCases } from '../lib/options.js';

export default optionCases();
