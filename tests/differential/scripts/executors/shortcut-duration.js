// seconds: 2
// args: --duration 1s --vus 2
// mask: values:iterations
// A duration and users.
import { sleep } from 'k6';
export default function () { sleep(0.4); }
