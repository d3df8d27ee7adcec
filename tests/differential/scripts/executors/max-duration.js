// seconds: 4
// maxDuration cuts iterations that are left; the rest is one dropped sample.
import { sleep } from 'k6';

export const options = {
  scenarios: {
    shared: { executor: 'shared-iterations', vus: 1, iterations: 20, maxDuration: '1s', gracefulStop: '2s' },
  },
};

export default function () {
  sleep(0.3);
}
