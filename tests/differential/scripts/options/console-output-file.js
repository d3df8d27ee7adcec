// args: --console-output {dir}/console.txt
// mask: console
// Console lines go to a file instead; the run is the same.
import { Counter } from 'k6/metrics';

const runs = new Counter('runs');

export default function () {
  console.log('into the file');
  runs.add(1);
}
