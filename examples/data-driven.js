// A table of test data, kept once for all users, and each row used exactly once.

import http from 'k6/http';
import { check } from 'k6';
import { SharedArray } from 'k6/data';
import exec from 'k6/execution';

const BASE_URL = __ENV.BASE_URL || 'http://127.0.0.1:8080';

// The function runs once; the rows are shared by all users and cannot be changed.
const users = new SharedArray('users', () => JSON.parse(open('./data/users.json')));

export const options = {
  scenarios: {
    rows: {
      executor: 'shared-iterations',
      vus: 2,
      iterations: users.length,
    },
  },
  thresholds: { checks: ['rate==1'] },
};

export default function () {
  // The number of this iteration in the whole test, from 0: no row is used twice.
  const user = users[exec.scenario.iterationInTest];
  const response = http.get(`${BASE_URL}/get?name=${user.name}&item=${user.item}`, {
    // One name for all rows keeps them together in the results.
    tags: { name: `${BASE_URL}/get` },
  });
  check(response, { 'the item comes back': (r) => r.json('args.item') === user.item });
  console.log(`row ${exec.scenario.iterationInTest}: ${user.name}`);
}
