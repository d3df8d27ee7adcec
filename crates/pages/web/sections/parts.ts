// The load by name, group, scenario and host.

import { sparkline } from "../charts/sparkline.ts";
import type { Part } from "../data.ts";
import * as format from "../format.ts";
import { table } from "../tables.ts";
import type { Head } from "../tables.ts";

type Values = Record<string, number | null> | undefined;

/** One table; columns that say nothing are left out by it. */
export function parts(caption: string, things: string, title: string, rows: Part[], label = (part: Part) => part.label): HTMLElement {
  const time = (head: string, of: (part: Part) => Values, name: string, about: string): Head<Part> => ({
    title: head,
    about,
    number: true,
    cell: (part) => format.duration(of(part)?.[name]),
    by: (part) => of(part)?.[name],
  });
  const whole = (head: string, of: (part: Part) => number | undefined, about: string): Head<Part> => ({
    title: head,
    about,
    number: true,
    cell: (part) => format.count(of(part)),
    by: of,
  });
  const net = (part: Part) => part.net;
  const share = (part: Part) => (part.failed === undefined ? undefined : part.failed / Math.max(1, part.requests ?? 0));
  return table<Part>({
    caption,
    things,
    rows,
    text: label,
    heads: [
      { title, cell: label, by: label },
      whole("Requests", (part) => part.requests, "requests"),
      { title: "Rate", number: true, cell: (part) => format.rate(part.rate), by: (part) => part.rate },
      { title: "Failed", number: true, cell: (part) => format.percent(share(part)), by: share },
      time("Mean", net, "mean", "mean net duration"),
      time("p50", net, "p50", "median net duration"),
      time("p95", net, "p95", "95th percentile of the net duration"),
      time("p99", net, "p99", "99th percentile of the net duration"),
      time("Max", net, "max", "largest net duration"),
      time("Waiting p95", (part) => part.waiting, "p95", "95th percentile until the first byte"),
      whole("Iterations", (part) => part.iterations, "finished iterations"),
      time("Iteration p50", (part) => part.iteration, "p50", "median duration of an iteration"),
      time("Iteration p95", (part) => part.iteration, "p95", "95th percentile of the duration of an iteration"),
      time("Group p50", (part) => part.group, "p50", "median duration of the group"),
      time("Group p95", (part) => part.group, "p95", "95th percentile of the duration of the group"),
      whole("Dropped", (part) => part.dropped || undefined, "planned iterations that could not start"),
      whole("Checks failed", (part) => part.fails || undefined, "failed checks"),
      { title: "Rate over time", cell: (part) => sparkline(part.spark?.rate, "plain", `rate of ${label(part)} over time`) },
      { title: "p95 over time", cell: (part) => sparkline(part.spark?.p95, "plain", `95th percentile of ${label(part)} over time`) },
      { title: "Failed over time", cell: (part) => sparkline(part.spark?.failed, "bad", `failures of ${label(part)} over time`) },
    ],
  });
}
