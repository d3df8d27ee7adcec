// A run that goes on: rows are added at the end, and totals with them.

import type { Column, Latency, Quantiles, Row, View } from "./data.ts";

/** Rows that are kept; before there are more, every second one goes. About two hours of seconds. */
const ROWS = 7_200;
/** Buckets in an octave of the heat map: as the server counts them. */
const PER_OCTAVE = 8;
const SIMPLE = ["rate", "planned", "started", "dropped", "failed", "vus", "vus_max"] as const;
const TRENDS = ["net", "gross", "tare", "response"] as const;

/** Adds a second to everything that is drawn. */
export function append(view: View, row: Row): void {
  const { rows } = view;
  if (rows.t.length > 0 && row.t <= (rows.t[rows.t.length - 1] ?? 0)) return;
  if (rows.t.length >= ROWS) halve(view);
  rows.t.push(row.t);
  rows.span.push(row.span);
  for (const name of SIMPLE) rows[name].push(row[name]);
  percentiles(view.latency, row);
  heat(view, row);
  const { totals } = view;
  const times = (value: number | null) => Math.round((value ?? 0) * row.span);
  view.elapsed_s = row.t;
  totals.requests += times(row.rate);
  totals.failed += times(row.failed);
  totals.started += times(row.started);
  totals.dropped += times(row.dropped);
  if (row.planned !== null) totals.planned = (totals.planned ?? 0) + times(row.planned);
  totals.vus_max = Math.max(totals.vus_max, row.vus_max ?? 0);
}

/** Every column gets a value, also those that the row does not have. */
function percentiles(latency: Latency, row: Row): void {
  const before = latency.t.length;
  latency.t.push(row.t);
  latency.span.push(row.span);
  for (const trend of TRENDS) {
    const names = new Set([...Object.keys(latency[trend]), ...Object.keys(row[trend])]) as Set<keyof Quantiles>;
    for (const name of names) {
      const column: Column = (latency[trend][name] ??= Array<null>(before).fill(null));
      column.push(row[trend][name] ?? null);
    }
  }
}

/** Puts the counts of a row into the heat map. */
function heat(view: View, row: Row): void {
  if (!view.heat) {
    // A page that was opened before the first response begins the map with the first row that has one.
    if (row.heat.counts.length === 0) return;
    view.heat = { per_octave: PER_OCTAVE, low: row.heat.low, t: [row.t - row.span], counts: [] };
  }
  const map = view.heat;
  if (row.heat.counts.length > 0 && row.heat.low < map.low) {
    const more = map.low - row.heat.low;
    for (const column of map.counts) column.unshift(...Array<number>(more).fill(0));
    map.low = row.heat.low;
  }
  const before = Array<number>(row.heat.counts.length > 0 ? row.heat.low - map.low : 0).fill(0);
  map.counts.push([...before, ...row.heat.counts]);
  map.t.push(row.t);
}

/** Leaves out every second row; what is whole comes with the next page that is loaded. */
function halve(view: View): void {
  const thin = <T>(column: T[]): T[] => column.filter((_, at) => at % 2 === 1);
  const { rows, latency } = view;
  rows.t = thin(rows.t);
  rows.span = thin(rows.span).map((span) => span * 2);
  for (const name of SIMPLE) rows[name] = thin(rows[name]);
  latency.t = thin(latency.t);
  latency.span = thin(latency.span);
  for (const trend of TRENDS) {
    for (const [name, column] of Object.entries(latency[trend])) latency[trend][name as keyof Quantiles] = thin(column as Column);
  }
}
