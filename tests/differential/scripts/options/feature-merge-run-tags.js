// args: --features merge-run-tags --config {dir}/merge.json --tag c=flag --tag d=flag
// file: merge.json {"tags": {"a": "file", "b": "file"}}
// Run tags of all layers hold when the feature is on, those of higher ones winning.
import http from 'k6/http';

export const options = { tags: { b: 'script', c: 'script' }, iterations: 1 };

export default function () {
  http.get(__ENV.BASE + '/get');
}
