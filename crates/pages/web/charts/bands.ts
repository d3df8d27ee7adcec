// Latency over time: nested bands from the median to the 99.9th percentile, so that the tail is seen without hiding the
// middle.

import type { Column, Latency, Quantiles } from "../data.ts";
import { duration } from "../format.ts";
import type { Palette } from "../theme.ts";
import { timeAxes, timeScale } from "./figure.ts";
import type { Data, Drawing, Options } from "./figure.ts";
import { lines, positive, timeSeries } from "./lines.ts";

/** From the outside to the middle. */
const EDGES: [keyof Quantiles, string][] = [
  ["max", "max"],
  ["p999", "p99.9"],
  ["p99", "p99"],
  ["p95", "p95"],
  ["p75", "p75"],
  ["p50", "p50"],
];

/** The bands of one trend. */
export function bands(colours: Palette, latency: Latency, quantiles: Quantiles, name: string, logarithmic: boolean): Drawing | null {
  const edges = EDGES.filter(([key]) => quantiles[key]?.some((value) => value !== null));
  if (edges.length === 0) return null;
  const value = (_: unknown, ms: number | null) => duration(ms);
  const series: Options["series"] = [
    timeSeries(),
    ...edges.map(([key, label], at) => {
      const colour = colours.bands[EDGES.findIndex(([edge]) => edge === key)] ?? colours.text;
      const inner = at === edges.length - 1;
      return { label, stroke: colour, width: inner ? 2 : 1, points: { show: latency.t.length < 3 }, value };
    }),
  ];
  const fills = edges.slice(1).map(([key], at) => ({
    series: [at + 1, at + 2] as [number, number],
    fill: `${colours.bands[EDGES.findIndex(([edge]) => edge === key)] ?? ""}${key === "p999" ? "22" : "66"}`,
  }));
  const data = edges.map(([key]) => {
    const column = quantiles[key] ?? [];
    return logarithmic ? column.map(positive) : column;
  });
  return {
    summary: inWords(latency, quantiles, name),
    data: [latency.t, ...data] as Data,
    options: {
      series,
      bands: fills,
      axes: timeAxes(colours, duration, logarithmic) ?? [],
      scales: { ...timeScale(), y: logarithmic ? { distr: 3 } : { range: (_, __, most) => [0, (most || 1) * 1.05] } },
    },
  };
}

/** How the median and the 99th percentile moved. */
function inWords(latency: Latency, quantiles: Quantiles, name: string): string {
  const parts = [
    extremes("the median", quantiles.p50, latency.t),
    extremes("the 99th percentile", quantiles.p99, latency.t),
  ].filter((part) => part !== null);
  if (parts.length === 0) return `${name}: too few requests per step for percentiles.`;
  return `${name}: second by second, ${parts.join("; ")}.`;
}

function extremes(what: string, column: Column | undefined, t: number[]): string | null {
  let least: [number, number] | null = null;
  let most: [number, number] | null = null;
  for (const [at, value] of (column ?? []).entries()) {
    if (value === null) continue;
    const when = t[at] ?? 0;
    if (!least || value < least[0]) least = [value, when];
    if (!most || value > most[0]) most = [value, when];
  }
  if (!least || !most) return null;
  return `${what} was between ${duration(least[0])} and ${duration(most[0])}, highest at ${Math.round(most[1])} s`;
}

/** Net and gross side by side, and what lies between them. */
export function netAndTare(colours: Palette, latency: Latency, logarithmic: boolean): Drawing | null {
  const [first = "", second = "", third = "", fourth = ""] = colours.lines;
  const all = [
    { label: "gross p99", values: latency.gross.p99 ?? [], colour: second },
    { label: "net p99", values: latency.net.p99 ?? [], colour: first },
    { label: "net p50", values: latency.net.p50 ?? [], colour: first, dashed: true },
    { label: "tare p99", values: latency.tare.p99 ?? [], colour: third },
    { label: "tare p50", values: latency.tare.p50 ?? [], colour: fourth, dashed: true },
  ];
  if (!all.slice(3).some((line) => line.values.some((value) => value !== null))) return null;
  const worst = extremes("the 99th percentile of the tare", latency.tare.p99, latency.t);
  const summary = worst ? `What netload itself added: ${worst}.` : "What netload itself added to each request.";
  return lines(colours, latency.t, all, duration, summary, logarithmic);
}
