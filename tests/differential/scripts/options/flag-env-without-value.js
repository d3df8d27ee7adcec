// args: -e EMPTY -e NOTHING= -e LATER=1 -e LATER -e AGAIN -e AGAIN=2 -e _1=ok -e EQUALS=a=b -e INHERITED
// env: INHERITED=from-the-environment
// Variables of the script whose value is left out.
import { cases } from '../lib/cases.js';

const names = ['EMPTY', 'NOTHING', 'LATER', 'AGAIN', '_1', 'EQUALS', 'INHERITED', 'UNKNOWN'];

export default cases(Object.fromEntries(names.map((name) => [name, () => [name in __ENV, __ENV[name]]])));
