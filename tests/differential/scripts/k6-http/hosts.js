// compare: connections
// hosts maps names and name:port to addresses; blocked names and addresses fail with their codes.
import http from 'k6/http';

const address = __ENV.BASE.replace('http://', '');
const port = address.split(':')[1];

export const options = {
  hosts: { 'shop.test': address, [`api.test:${port}`]: address, '*.wild.test': address },
  blockHostnames: ['*.blocked.test', 'exact.test'],
  blacklistIPs: ['10.0.0.0/8'],
};

export default function () {
  for (const url of ['http://shop.test/fast', `http://api.test:${port}/fast`, 'http://a.wild.test/fast', 'http://x.blocked.test/', 'http://exact.test/', 'http://10.1.2.3/']) {
    const res = http.get(url, { tags: { name: url.replace(port, 'PORT') } });
    console.log(url.replace(port, 'PORT'), res.status, res.error_code, res.remote_ip);
  }
}
