// How long responses took: over time, as a heat map, as a distribution, and by phases.

import { bands, netAndTare } from "../charts/bands.ts";
import { Figure } from "../charts/figure.ts";
import { heatMap } from "../charts/heat.ts";
import { histogram } from "../charts/histogram.ts";
import { lines } from "../charts/lines.ts";
import type { Metric, View } from "../data.ts";
import { h } from "../dom.ts";
import * as format from "../format.ts";
import { table } from "../tables.ts";
import { metric } from "./headline.ts";

/** The phases of an exchange in their order, in words. */
const PHASES: [string, string, string][] = [
  ["http_req_blocked", "Blocked", "until a connection could be used; the next three are in it"],
  ["http_req_looking_up", "DNS", "looking up the name of the host"],
  ["http_req_connecting", "Connecting", "opening the connection"],
  ["http_req_tls_handshaking", "TLS", "the TLS handshake"],
  ["http_req_sending", "Sending", "writing the request"],
  ["http_req_waiting", "Waiting", "until the first byte of the response"],
  ["http_req_receiving", "Receiving", "until the last byte of the response"],
];

/** The charts of latency; they look into `view` again whenever they are drawn. */
export function latencyCharts(view: View): Figure[] {
  const figures = [
    new Figure({
      id: "latency",
      title: "Latency over time",
      hint: "Net durations of responses: without what netload itself added. The bands reach from the median to the largest value. Drag to look at a stretch of time, double-click to see all.",
      height: 300,
      overTime: true,
      scales: true,
      draw: (colours, log) => bands(colours, view.latency, view.latency.net, view.main === "http_req_duration" ? "Net duration" : view.main, log),
    }),
    new Figure({
      id: "response",
      title: "Response from the planned start",
      hint: "Like above, with the time that a request had to wait until something was free to send it. When it is far above the duration, the server was too slow for the plan.",
      overTime: true,
      scales: true,
      draw: (colours, log) => (waited(view) ? bands(colours, view.latency, view.latency.response, "Response from the planned start", log) : null),
    }),
    new Figure({
      id: "heat",
      title: "Latency heat map",
      height: 260,
      overTime: true,
      draw: (colours) => (view.heat ? heatMap(colours, view.heat) : null),
    }),
    new Figure({
      id: "histogram",
      title: "Distribution",
      overTime: false,
      scales: true,
      draw: (colours, log) => (view.histogram ? histogram(colours, view.histogram, marked(view), log) : null),
    }),
    new Figure({
      id: "tare",
      title: "Net, gross and tare",
      hint: "Gross is what a tool sees that reads the clock when it gets around to it; tare is the part of it that netload added itself; net = gross − tare.",
      overTime: true,
      scales: true,
      draw: (colours, log) => netAndTare(colours, view.latency, log),
    }),
  ];
  return figures;
}

/** Whether responses took visibly longer from the planned start than from the real one. */
function waited(view: View): boolean {
  const [response, net] = [metric(view, "http_req_response"), metric(view, "http_req_duration")];
  const [a, b] = [response?.values["p99"], net?.values["p99"]];
  return typeof a === "number" && typeof b === "number" && a > b * 1.05 + 0.05;
}

function marked(view: View): [string, number][] {
  const main = metric(view, view.main);
  const names = ["p50", "p95", "p99", "p99.9"].filter((name) => main?.needs?.[name] === undefined);
  return names.flatMap((name) => {
    const value = main?.values[name];
    return typeof value === "number" && value > 0 ? [[name, value] as [string, number]] : [];
  });
}

/** What of the duration is what; a table and a chart. */
export function phases(view: View): { tables: HTMLElement[]; figures: Figure[] } {
  const known = PHASES.flatMap(([name, title, about]) => {
    const found = metric(view, name);
    return found ? [{ title, about, found }] : [];
  });
  if (known.length === 0) return { tables: [], figures: [] };
  const value = (one: { found: Metric }, name: string) => one.found.values[name];
  const column = (title: string, name: string) => ({
    title,
    number: true,
    cell: (one: (typeof known)[number]) => format.duration(value(one, name)),
    by: (one: (typeof known)[number]) => value(one, name),
  });
  const rows = table({
    caption: "Phases of a request",
    things: "phases",
    rows: known,
    heads: [
      { title: "Phase", cell: (one) => one.title },
      column("Mean", "avg"),
      column("p50", "p50"),
      column("p95", "p95"),
      column("p99", "p99"),
      column("Max", "max"),
      { title: "What it is", cell: (one) => h("span", { class: "note" }, one.about) },
    ],
  });
  const figure = new Figure({
    id: "phases",
    title: "Phases over time",
    hint: "The mean of each phase: where a change came from.",
    overTime: true,
    draw: (colours) => {
      const all = PHASES.flatMap(([name, title], at) => {
        const found = view.spans.metrics.find((one) => one.name === name);
        const values = found?.columns["mean"];
        const line = { label: title, values: values ?? [], colour: colours.lines[at % colours.lines.length] ?? colours.text, dashed: at >= colours.lines.length };
        return values?.some((v) => v !== null && v > 0) ? [line] : [];
      });
      const largest = known.toSorted((a, b) => (value(b, "avg") ?? 0) - (value(a, "avg") ?? 0))[0];
      const summary = largest ? `The largest part is ${largest.title.toLowerCase()}, ${format.duration(value(largest, "avg"))} in the mean.` : "";
      return lines(colours, view.spans.t, all, format.duration, summary);
    },
  });
  return { tables: [rows], figures: [figure] };
}
