// args: --out csv={dir}/samples.csv
// A second output beside the first.
import http from 'k6/http';
export default function () { http.get(`${__ENV.BASE}/fast`); }
