// A shared array: length, index, iteration, methods, frozen elements, one load.
import { SharedArray } from 'k6/data';

const users = new SharedArray('users', () => JSON.parse(open('../data/users.json')));
const again = new SharedArray('users', () => [{ name: 'never used' }]);
const refused = [];
for (const make of [() => new SharedArray('', () => []), () => new SharedArray('x', () => 5), () => new SharedArray('y')]) {
  try {
    make();
  } catch (e) {
    refused.push(true);
  }
}

export const options = { vus: 1, iterations: 2 };

export default function () {
  if (__ITER !== 0) return;
  console.log(users.length, users[0].name, users[9], again[1].name, refused.length);
  console.log(users.map((u) => u.id).join(), users.filter((u) => u.id > 1).length, users.find((u) => u.name === 'Linus').id);
  const names = [];
  for (const user of users) names.push(user.name);
  console.log(names.join(), users[0] === users[0], Array.isArray(users), JSON.stringify(users[1]));
  for (const write of [() => (users[0] = 1), () => (users[0].name = 'x'), () => users.push(1)]) {
    try {
      write();
      console.log('written');
    } catch (e) {
      console.log('refused', e instanceof TypeError);
    }
  }
}
