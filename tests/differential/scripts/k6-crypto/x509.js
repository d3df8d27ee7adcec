// What is written in certificates of an RSA key and of an elliptic one.
import x509 from 'k6/crypto/x509';
import { cases } from '../lib/cases.js';

const PEM = { rsa: open('../data/certificate-rsa.pem'), ec: open('../data/certificate-ec.pem') };
const all = {};
for (const [kind, pem] of Object.entries(PEM)) {
  all[`parse ${kind}`] = () => {
    const parsed = Object.entries(x509.parse(pem));
    return Object.fromEntries(parsed.filter(([name]) => name !== 'publicKey'));
  };
  all[`getAltNames ${kind}`] = () => x509.getAltNames(pem);
  all[`getIssuer ${kind}`] = () => x509.getIssuer(pem);
  all[`getSubject ${kind}`] = () => x509.getSubject(pem);
}

export default cases({
  ...all,
  'the exports': () => Object.keys(x509).sort(),
  'a public RSA key': () => {
    const { algorithm, key } = x509.parse(PEM.rsa).publicKey;
    return [algorithm, key.e, key.n];
  },
  'a public key on a curve': () => {
    const { algorithm, key } = x509.parse(PEM.ec).publicKey;
    return [algorithm, key.x, key.y];
  },
  'no certificate': () => x509.parse('x'),
  'a broken certificate': () => x509.parse('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'),
});
