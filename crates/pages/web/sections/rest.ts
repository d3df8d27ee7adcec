// Everything else: all metrics with their values, what was measured how, the options, the script.

import { Figure } from "../charts/figure.ts";
import { lines } from "../charts/lines.ts";
import { sparkline } from "../charts/sparkline.ts";
import type { Metric, View } from "../data.ts";
import { h } from "../dom.ts";
import * as format from "../format.ts";
import { table } from "../tables.ts";

/** Metrics that come with netload and k6 begin so; the others are the script's own. */
const OWN = /^(http_|grpc_|ws_|browser_|iteration|vus|data_|checks|group_duration|dropped_iterations|dns_)/;
/** Charts of the script's own metrics that are drawn. */
const CUSTOM_CHARTS = 24;

/** Whether the script declared it. */
function custom(name: string): boolean {
  return !OWN.test(name) && !name.includes("{");
}

/** A chart for each metric of the script. */
export function customCharts(view: View): Figure[] {
  const shown = view.spans.metrics.filter((one) => custom(one.name)).slice(0, CUSTOM_CHARTS);
  return shown.map(
    (one) =>
      new Figure({
        id: `metric-${one.name}`,
        title: one.name,
        height: 180,
        overTime: true,
        draw: (colours) => {
          const now = view.spans.metrics.find((other) => other.name === one.name) ?? one;
          const names = { trend: ["p50", "p95", "p99"], counter: ["rate"], rate: ["share"], gauge: ["last", "min", "max"] }[now.kind];
          const show = (value: number) => {
            if (now.kind === "rate") return format.percent(value);
            const text = format.inUnit(value, now.contains);
            return now.kind === "counter" ? `${text}/s` : text;
          };
          const all = names.map((name, at) => ({
            label: name === "rate" ? "per second" : name,
            values: now.columns[name] ?? [],
            colour: colours.lines[at] ?? colours.text,
            filled: names.length === 1,
          }));
          return lines(colours, view.spans.t, all, show, `The metric ${now.name} of the script, a ${now.kind}.`);
        },
      }),
  );
}

/** All metrics with their values, by kind. */
export function metricTables(view: View): HTMLElement[] {
  const line = (metric: Metric, name: string, kind: string) => {
    const values = view.spans.metrics.find((one) => one.name === metric.name)?.columns[name];
    return sparkline(values, "plain", `${metric.name} ${kind} over time`);
  };
  const of = (kind: Metric["kind"]) => view.metrics.filter((metric) => metric.kind === kind);
  const value = (metric: Metric, name: string) => (metric.needs?.[name] === undefined ? metric.values[name] : null);
  const shown = (title: string, name: string, show = (n: number | null | undefined, m: Metric) => format.inUnit(n, m.contains)) => ({
    title,
    number: true,
    cell: (metric: Metric) => show(value(metric, name), metric),
    by: (metric: Metric) => value(metric, name),
  });
  const first = { title: "Metric", cell: (metric: Metric) => metric.name, by: (metric: Metric) => metric.name };
  const text = (metric: Metric) => metric.name;
  const out: HTMLElement[] = [];
  if (of("trend").length > 0) {
    const heads = [
      first,
      shown("Count", "count", (n) => format.count(n)),
      shown("Mean", "avg"),
      shown("Min", "min"),
      shown("p50", "p50"),
      shown("p90", "p90"),
      shown("p95", "p95"),
      shown("p99", "p99"),
      shown("p99.9", "p99.9"),
      shown("Max", "max"),
      { title: "p95 over time", cell: (metric: Metric) => line(metric, "p95", "p95") },
    ];
    out.push(table({ caption: "Trends", things: "trends", rows: of("trend"), text, heads }));
  }
  if (of("counter").length > 0) {
    const perSecond = (n: number | null | undefined, m: Metric) => (n === null || n === undefined ? "–" : m.contains === "data" ? `${format.bytes(n)}/s` : format.rate(n));
    const heads = [first, shown("Sum", "count"), shown("Per second", "rate", perSecond), { title: "Over time", cell: (metric: Metric) => line(metric, "rate", "rate") }];
    out.push(table({ caption: "Counters", things: "counters", rows: of("counter"), text, heads }));
  }
  if (of("rate").length > 0) {
    const heads = [
      first,
      shown("Share", "rate", (n) => format.percent(n)),
      shown("Yes", "passes", (n) => format.count(n)),
      shown("No", "fails", (n) => format.count(n)),
      { title: "Over time", cell: (metric: Metric) => line(metric, "share", "share") },
    ];
    out.push(table({ caption: "Rates", things: "rates", rows: of("rate"), text, heads }));
  }
  if (of("gauge").length > 0) {
    const heads = [first, shown("Last", "value"), shown("Min", "min"), shown("Max", "max"), { title: "Over time", cell: (metric: Metric) => line(metric, "last", "value") }];
    out.push(table({ caption: "Gauges", things: "gauges", rows: of("gauge"), text, heads }));
  }
  return out;
}

/** Options as a table, nested ones with dots. */
export function optionTable(view: View): HTMLElement[] {
  const rows = flat(view.options);
  if (rows.length === 0) return [];
  return [
    table({
      caption: "Options in effect",
      things: "options",
      rows,
      text: ([name, value]) => `${name} ${value}`,
      heads: [
        { title: "Option", cell: ([name]) => h("code", {}, name), by: ([name]) => name },
        { title: "Value", cell: ([, value]) => h("code", {}, value) },
      ],
    }),
  ];
}

/** Every leaf with its path; short lists stay in one line. */
function flat(value: unknown, path = ""): [string, string][] {
  if (value === null || value === undefined) return [];
  if (typeof value !== "object") return [[path, String(value)]];
  const json = JSON.stringify(value);
  if (Array.isArray(value) && (json.length <= 80 || value.every((one) => typeof one !== "object"))) return [[path, json]];
  const entries = Object.entries(value);
  return entries.flatMap(([name, inner]) => flat(inner, Array.isArray(value) ? `${path}[${name}]` : path ? `${path}.${name}` : name));
}

/** The script with the numbers of its lines. */
export function script(view: View): HTMLElement[] {
  if (view.script === null) return [];
  const lines = view.script.replace(/\n$/, "").split("\n");
  const code = h("code", {}, lines.map((line, at) => [h("span", { class: "line", "data-line": at + 1 }), line, "\n"]));
  return [
    h(
      "details",
      { class: "script" },
      h("summary", {}, `Script (${format.many(lines.length, "line")})`),
      h("pre", { tabindex: 0, "aria-label": "The script" }, code),
    ),
  ];
}
