// compare: stdout
// handleSummary replaces the summary: counts, checks, groups and thresholds in its data.
import { check, group } from 'k6';
import http from 'k6/http';
import { Gauge } from 'k6/metrics';

const level = new Gauge('level');

export const options = {
  iterations: 3,
  thresholds: { http_reqs: ['count==6', 'count>100'], checks: ['rate>0.4'] },
  summaryTrendStats: ['avg', 'p(99.9)', 'count'],
};

export default function () {
  http.get(`${__ENV.BASE}/fast`);
  group('g', () => {
    check(http.get(`${__ENV.BASE}/fast`), { ok: (r) => r.status === 200, bad: false });
  });
  level.add(__ITER);
}

export function handleSummary(data) {
  const sorted = (o) => Object.keys(o).sort();
  const lines = [
    sorted(data).join(),
    sorted(data.metrics).filter((m) => !m.startsWith('vus') && m !== 'http_req_tare' && m !== 'iteration_lateness').join(),
    JSON.stringify(data.metrics.http_reqs.thresholds['count==6']),
    JSON.stringify(data.metrics.http_reqs.thresholds['count>100']),
    `${data.metrics.http_reqs.type} ${data.metrics.http_reqs.contains} ${data.metrics.http_reqs.values.count}`,
    `${data.metrics.http_req_duration.type} ${data.metrics.http_req_duration.contains} ${sorted(data.metrics.http_req_duration.values).join()}`,
    `${data.metrics.checks.values.rate} ${data.metrics.checks.values.passes} ${data.metrics.checks.values.fails}`,
    `${data.metrics.level.values.value} ${data.metrics.level.values.min} ${data.metrics.level.values.max}`,
    JSON.stringify(data.root_group.groups[0].checks.map((c) => [c.name, c.path, c.id, c.passes, c.fails])),
    JSON.stringify([data.root_group.groups[0].name, data.root_group.groups[0].path, data.root_group.groups[0].id, data.root_group.id]),
    JSON.stringify(sorted(data.options)),
    JSON.stringify(data.options.summaryTrendStats),
    typeof data.state.testRunDurationMs,
  ];
  return { stdout: `${lines.join('\n')}\n` };
}
