// args: --summary-trend-stats min,p(99.5),count
// handleSummary gets the chosen columns.
import { Trend } from 'k6/metrics';
const trend = new Trend('my_trend');
export default function () { trend.add(2); trend.add(2); }
export function handleSummary(data) { console.log(Object.keys(data.metrics.my_trend.values).sort().join(), data.metrics.my_trend.values.count); return {}; }
