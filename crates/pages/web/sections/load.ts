// What load there was: the rate against the plan, VUs, errors over time.

import { Figure } from "../charts/figure.ts";
import { lines } from "../charts/lines.ts";
import type { Column, Failure, Status, View } from "../data.ts";
import { h } from "../dom.ts";
import * as format from "../format.ts";
import { sparkline } from "../charts/sparkline.ts";
import { table } from "../tables.ts";

/** The charts of load. */
export function loadCharts(view: View): Figure[] {
  return [
    new Figure({
      id: "rate",
      title: "Request rate",
      overTime: true,
      draw: (colours) => {
        const [first = "", , third = ""] = colours.lines;
        const { rows } = view;
        const all = [
          { label: "requests", values: rows.rate, colour: first, filled: true },
          { label: "failed", values: some(rows.failed), colour: colours.bad },
          { label: "iterations", values: same(rows.started, rows.rate) ? [] : rows.started, colour: third },
        ];
        return lines(colours, rows.t, all, format.rate, `${extremes(rows.rate, format.rate)}`);
      },
    }),
    new Figure({
      id: "plan",
      title: "Starts: planned and real",
      hint: "Planned starts of iterations against those that happened. Dropped starts had no free VU.",
      overTime: true,
      draw: (colours) => {
        const { rows, totals } = view;
        if (!rows.planned.some((value) => value !== null && value > 0)) return null;
        const [first = "", second = ""] = colours.lines;
        const all = [
          { label: "planned", values: rows.planned, colour: second, dashed: true, stepped: true },
          { label: "started", values: rows.started, colour: first, filled: true },
          { label: "dropped", values: some(rows.dropped), colour: colours.bad },
        ];
        const kept = totals.planned ? totals.started / totals.planned : 1;
        const words = `${format.count(totals.started)} of ${format.count(totals.planned)} planned iterations started (${format.percent(kept)}), ${format.count(totals.dropped)} were dropped.`;
        return lines(colours, rows.t, all, format.rate, words);
      },
    }),
    new Figure({
      id: "vus",
      title: "Virtual users",
      height: 180,
      overTime: true,
      draw: (colours) => {
        const [first = "", second = ""] = colours.lines;
        const { rows, totals } = view;
        const all = [
          { label: "running", values: rows.vus, colour: first, filled: true, stepped: true },
          { label: "allocated", values: rows.vus_max, colour: second, dashed: true, stepped: true },
        ];
        return lines(colours, rows.t, all, format.count, `At most ${format.many(totals.vus_max, "virtual user")}.`);
      },
    }),
  ];
}

/** A column that is only worth a line when there is anything in it. */
function some(column: Column): Column {
  return column.some((value) => value !== null && value > 0) ? column : [];
}

/** Whether two lines would lie on each other. */
function same(a: Column, b: Column): boolean {
  return a.every((value, at) => Math.abs((value ?? 0) - (b[at] ?? 0)) <= 0.02 * Math.max(1, b[at] ?? 0));
}

function extremes(column: Column, show: (value: number) => string): string {
  const known = column.filter((value) => value !== null);
  if (known.length === 0) return "No values.";
  const [least, most] = [Math.min(...known), Math.max(...known)];
  return `Between ${show(least)} and ${show(most)} requests, second by second.`;
}

/** What went wrong, how often and when; the same for statuses. */
export function errorTables(view: View): HTMLElement[] {
  const all = view.totals.requests || 1;
  const tables = [];
  if (view.errors.length > 0) {
    tables.push(
      table<Failure>({
        caption: "Requests without a response, by cause",
        things: "errors",
        rows: view.errors,
        text: (error) => error.text,
        heads: [
          { title: "Cause", cell: (error) => error.text, by: (error) => error.text },
          { title: "Code", cell: (error) => error.code || "–", by: (error) => error.code, number: true },
          { title: "Count", cell: (error) => format.count(error.count), by: (error) => error.count, number: true },
          { title: "Share", cell: (error) => format.percent(error.count / all), number: true },
          { title: "First", cell: (error) => format.clock(error.first_s), by: (error) => error.first_s, number: true },
          { title: "Last", cell: (error) => format.clock(error.last_s), by: (error) => error.last_s, number: true },
          { title: "When", cell: (error) => sparkline(error.spark, "bad", `between ${format.clock(error.first_s)} and ${format.clock(error.last_s)}`) },
        ],
      }),
    );
  }
  if (view.statuses.length > 0) {
    tables.push(
      table<Status>({
        caption: "Responses by status",
        things: "statuses",
        rows: view.statuses,
        heads: [
          { title: "Status", cell: (one) => h("span", { class: Number(one.status) >= 400 ? "mark bad" : "mark" }, one.status), by: (one) => one.status },
          { title: "Count", cell: (one) => format.count(one.count), by: (one) => one.count, number: true },
          { title: "Share", cell: (one) => format.percent(one.count / all), number: true },
          { title: "When", cell: (one) => sparkline(one.spark, Number(one.status) >= 400 ? "bad" : "plain", `responses with status ${one.status} over time`) },
        ],
      }),
    );
  }
  return tables;
}
