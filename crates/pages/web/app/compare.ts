// Two runs side by side: the verdict, every number with its interval, both latencies in one drawing.

import type { View } from "../data.ts";
import { fill, h } from "../dom.ts";
import { count, duration, moment, percent, plain, rate } from "../format.ts";
import { get, problem } from "./api.ts";
import { drawing } from "./curve.ts";
import type { Curve } from "./curve.ts";

interface Row {
  metric: string;
  part: unknown;
  stat: string;
  a: number;
  b: number;
  change: number;
  interval: [number, number] | null;
  verdict: string;
  why: string | null;
}

interface Comparison {
  verdict: string;
  confidence: number;
  sides: { runs: string[]; windows: number; requests: number }[];
  rows: Row[];
  names: Row[];
  caveats: string[];
  margin: { relative: number };
}

const TONES: Record<string, string> = { better: "good", same: "plain", worse: "bad" };
const WORDS: Record<string, string> = {
  better: "The newer run is better.",
  same: "Both are the same, within what matters.",
  worse: "The newer run is worse.",
};

export function comparePage(content: HTMLElement, before: string, after: string): () => void {
  let gone = false;
  const place = h("div", {}, h("p", { class: "loading" }, "Comparing"));
  fill(content, h("h1", {}, "Two runs side by side"), place);
  const of = (id: string) => get<View>(`runs/${encodeURIComponent(id)}/view`);
  const compared = get<Comparison>(`compare?before=${encodeURIComponent(before)}&after=${encodeURIComponent(after)}`);
  Promise.all([compared, of(before), of(after)])
    .then(([comparison, one, other]) => {
      if (!gone) fill(place, page(comparison, one, other));
    })
    .catch((error: unknown) => {
      if (!gone) fill(place, problem(error));
    });
  return () => {
    gone = true;
  };
}

function page(comparison: Comparison, before: View, after: View): HTMLElement[] {
  const share = percent(comparison.margin.relative);
  return [
    h(
      "section",
      { class: `verdict ${TONES[comparison.verdict] ?? "warning"}`, "aria-label": "Verdict" },
      h("p", { class: "word" }, comparison.verdict),
      h("p", {}, WORDS[comparison.verdict] ?? "The runs are too short or too uneven to tell.", ` Changes below ${share} do not count.`),
    ),
    ...comparison.caveats.map((caveat) => h("p", { class: "mark warning" }, caveat)),
    h(
      "section",
      { "aria-labelledby": "runs-heading" },
      h("h2", { id: "runs-heading" }, "The runs"),
      h("div", { class: "columns even" }, side("Before", before, comparison.sides[0]), side("After", after, comparison.sides[1])),
    ),
    section("whole", "The whole run", comparison.rows),
    ...(comparison.names.length > 0 ? [section("names", "By name; these do not decide", comparison.names)] : []),
    h("section", { "aria-labelledby": "time-heading" }, h("h2", { id: "time-heading" }, "Over time"), h("div", { class: "columns even" }, figure("Before", before), figure("After", after))),
  ];
}

function side(title: string, view: View, facts: Comparison["sides"][number] | undefined): HTMLElement {
  const labels = Object.entries(view.head.labels).map(([name, value]) => `${name}=${value}`);
  return h(
    "div",
    { class: "side" },
    h("h3", {}, title),
    h("p", {}, h("a", { href: `#/runs/${view.head.id}` }, view.head.title || view.head.id)),
    h("p", { class: "hint" }, [moment(view.head.started_ms), ...labels, `${count(facts?.requests)} requests`, `${count(facts?.windows)} windows`].join(" · ")),
  );
}

function section(id: string, title: string, rows: Row[]): HTMLElement {
  const heads = ["What", "Before", "After", "Change", "Between", "Verdict"];
  const number = (text: string) => h("td", { class: "number" }, text);
  return h(
    "section",
    { "aria-labelledby": `${id}-heading` },
    h("h2", { id: `${id}-heading` }, title),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": title },
      h(
        "table",
        {},
        h("caption", { class: "hidden" }, title),
        h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))),
        h(
          "tbody",
          {},
          rows.map((row) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, named(row)),
              number(value(row, row.a)),
              number(value(row, row.b)),
              number(signed(row.change)),
              number(row.interval ? `${signed(row.interval[0])} to ${signed(row.interval[1])}` : "–"),
              h("td", {}, h("span", { class: `mark ${TONES[row.verdict] ?? "warning"}` }, row.verdict), row.why ? h("span", { class: "hint" }, ` ${row.why}`) : null),
            ),
          ),
        ),
      ),
    ),
  );
}

function named(row: Row): string {
  const part = typeof row.part === "object" && row.part !== null ? Object.values(row.part).map(String).join(" ") : "";
  const what = part && part !== "whole" ? `${part}: ` : "";
  return `${what}${row.metric} ${row.stat}`;
}

function value(row: Row, number: number): string {
  if (row.stat === "rate") return rate(number);
  return row.stat === "share" ? percent(number) : duration(number);
}

function signed(change: number): string {
  const text = percent(Math.abs(change));
  return change === 0 ? text : `${change < 0 ? "−" : "+"}${text}`;
}

/** The rate and the 95th percentile of a run over time. */
function figure(title: string, view: View): HTMLElement {
  const line = (scenario: string, unit: string, t: number[], column: (number | null)[] | undefined): Curve[] => {
    const points = t.flatMap((at, i): [number, number][] => {
      const y = column?.[i];
      return typeof y === "number" ? [[at, y]] : [];
    });
    return points.length > 1 ? [{ scenario, unit, points }] : [];
  };
  const curves = [...line(title, "requests/s", view.rows.t, view.rows.rate), ...line(title, "ms at p95", view.latency.t, view.latency.net.p95)];
  return h("div", {}, h("h3", {}, title), curves.length > 0 ? drawing(curves) : h("p", { class: "hint" }, `Too short to draw: ${plain(view.rows.t.length)} seconds.`));
}
