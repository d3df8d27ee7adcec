// Groups, checks, and metrics of your own.

import http from 'k6/http';
import { check, group, sleep } from 'k6';
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';

const BASE_URL = __ENV.BASE_URL || 'http://127.0.0.1:8080';

// The second argument `true` says that the values are milliseconds.
const checkoutTime = new Trend('checkout_time', true);
const itemsSold = new Counter('items_sold');
const emptyCarts = new Rate('empty_carts');
const cartSize = new Gauge('cart_size');

export const options = {
  vus: 3,
  duration: '3s',
  thresholds: {
    'group_duration{group:::checkout}': ['avg<1000'],
    empty_carts: ['rate<0.5'],
  },
};

export default function () {
  const items = Math.floor(Math.random() * 5);

  group('shop', () => {
    const response = http.get(`${BASE_URL}/html`);
    check(response, { 'shop is open': (r) => r.status === 200 });
  });

  cartSize.add(items);
  emptyCarts.add(items === 0);

  group('checkout', () => {
    const response = http.post(`${BASE_URL}/post`, { items });
    check(response, { 'checkout works': (r) => r.status === 200 });
    checkoutTime.add(response.timings.duration, { items: String(items) });
    itemsSold.add(items);
  });

  sleep(0.1);
}
