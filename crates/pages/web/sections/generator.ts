// Whether the numbers are the server's: the verdict on the generator and what it rests on.

import { Figure } from "../charts/figure.ts";
import { lines } from "../charts/lines.ts";
import type { Column, Evidence, View } from "../data.ts";
import { h } from "../dom.ts";
import * as format from "../format.ts";
import { table } from "../tables.ts";

/** The verdict in words, the stretches that were not clean, and what could not be read. */
export function generatorTexts(view: View): HTMLElement[] {
  const generator = view.generator;
  if (!generator) return [h("p", { class: "note" }, "The verdict on the generator is given at the end of a run.")];
  const out: HTMLElement[] = [];
  const clean = generator.clean_window;
  if (clean && generator.verdict !== "clean") {
    out.push(
      h(
        "p",
        {},
        `In the ${format.span(clean.seconds)} that nothing touched: net p50 ${format.duration(clean.net.p50)}, p99 ${format.duration(clean.net.p99)}; gross p50 ${format.duration(clean.gross.p50)}, p99 ${format.duration(clean.gross.p99)}.`,
      ),
    );
  }
  for (const sentence of generator.contradictions) out.push(h("p", { class: "mark bad" }, sentence));
  if (generator.episodes.length > 0) {
    out.push(
      table({
        caption: "When the generator was not clean",
        things: "stretches",
        rows: generator.episodes,
        heads: [
          { title: "Verdict", cell: (e) => e.verdict },
          { title: "From", cell: (e) => format.clock(e.since_s), number: true },
          { title: "To", cell: (e) => format.clock(e.until_s), number: true },
          { title: "Cause", cell: (e) => e.cause },
          { title: "In numbers", cell: (e) => e.detail },
        ],
      }),
    );
  }
  if (generator.unread.length > 0) {
    const words = generator.unread.map((one) => `${one.quantity} (${one.reason})`).join("; ");
    out.push(h("p", { class: "note" }, `Could not be read on this machine: ${words}.`));
  }
  return out;
}

/** The CPU and the lateness of the generator over time. */
export function generatorCharts(view: View): Figure[] {
  const generator = view.generator;
  if (!generator || generator.evidence.length === 0) return [];
  const evidence = generator.evidence;
  const t = evidence.map((e) => e.at_s + e.span_s);
  const column = (of: (e: Evidence) => number | null | undefined): Column => evidence.map((e) => of(e) ?? null);
  const some = (values: Column): Column => (values.some((value) => value !== null && value > 0.001) ? values : []);
  return [
    new Figure({
      id: "generator",
      title: "The generator's resources",
      hint: "Shares of the time or of the limit. The busiest worker near 100 % means that netload had no more to give.",
      overTime: true,
      draw: (colours) => {
        const [a = "", b = "", c = "", d = "", e = "", f = ""] = colours.lines;
        const run = column((one) => one.worker_run);
        const most = Math.max(0, ...run.filter((value) => value !== null));
        return lines(
          colours,
          t,
          [
            { label: "busiest worker", values: run, colour: a },
            { label: "waiting for a CPU", values: some(column((one) => one.worker_wait)), colour: b },
            { label: "machine", values: column((one) => one.machine_busy), colour: c, dashed: true },
            { label: "stolen", values: some(column((one) => one.steal)), colour: colours.bad },
            { label: "all VUs busy", values: some(column((one) => one.all_busy)), colour: d },
            { label: "ports", values: some(column((one) => one.ports_used)), colour: e, dashed: true },
            { label: "open files", values: some(column((one) => one.files_used)), colour: f, dashed: true },
          ],
          (value) => format.percent(value),
          `The busiest worker ran up to ${format.percent(most)} of the time.`,
        );
      },
    }),
    new Figure({
      id: "lateness",
      title: "Lateness of starts",
      hint: "How much later than planned iterations started while a VU was free. This is netload's own delay.",
      height: 180,
      overTime: true,
      draw: (colours) => {
        const [a = "", b = ""] = colours.lines;
        const worst = column((one) => one.lateness_ms.max);
        const most = Math.max(0, ...worst.filter((value) => value !== null));
        if (most === 0) return null;
        const all = [
          { label: "max", values: worst, colour: b },
          { label: "p99", values: column((one) => one.lateness_ms.p99), colour: a },
        ];
        return lines(colours, t, all, format.duration, `At most ${format.duration(most)} late.`);
      },
    }),
  ];
}
