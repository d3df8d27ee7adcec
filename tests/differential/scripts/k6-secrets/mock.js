// args: --secret-source mock=alpha=topsecret,beta=,gamma=a=b
// mask: errors
import secrets from 'k6/secrets';
import { cases } from '../lib/cases.js';

const spelled = async (what) => {
  try {
    return (await what()).split('').join('-');
  } catch (_) {
    return 'refused';
  }
};

export default cases({
  'names': () => Object.keys(secrets).join(),
  'kinds': () => [typeof secrets.get, typeof secrets.source, typeof secrets.source('x')].join(),
  'promise': () => String(secrets.get('alpha')),
  'value': () => spelled(() => secrets.get('alpha')),
  'empty': async () => (await secrets.get('beta')).length,
  'with equals': () => spelled(() => secrets.get('gamma')),
  'unknown': () => spelled(() => secrets.get('delta')),
  'nothing': () => spelled(() => secrets.get()),
  'number': () => spelled(() => secrets.get(5)),
  'by name': () => spelled(() => secrets.source('mock').get('alpha')),
  'by a wrong name': () => spelled(() => secrets.source('other').get('alpha')),
  'by no name': () => spelled(() => secrets.source().get('alpha')),
  'hidden': async () => `value ${await secrets.get('alpha')}!`,
  'hidden in an object': async () => ({ a: [await secrets.get('alpha')] }),
  'hidden in a word': async () => `pre${await secrets.get('alpha')}post`,
});
