// What was judged: findings, thresholds, checks.

import { chartNamed, showTime } from "../charts/figure.ts";
import type { Check, Finding, Outcome, View } from "../data.ts";
import { h } from "../dom.ts";
import * as format from "../format.ts";
import { table } from "../tables.ts";

/** What stood out, the worst first; a button leads to the stretch of time. */
export function findings(view: View): HTMLElement[] {
  if (view.findings.length === 0) {
    return [h("p", { class: "note" }, view.state === "running" ? "Nothing so far." : "Nothing stood out by the rules of netload.")];
  }
  return [h("ul", { class: "findings" }, view.findings.map((finding) => h("li", { class: tone(finding.severity) }, one(finding))))];
}

function one(finding: Finding): HTMLElement[] {
  const when = [finding.since_ns / 1e9, finding.until_ns / 1e9] as const;
  const parts: HTMLElement[] = [h("h3", {}, h("span", { class: "tag" }, finding.severity), ` ${finding.title}`), h("p", {}, finding.sentence)];
  const evidence = facts(finding.evidence);
  if (evidence) parts.push(h("p", { class: "note" }, evidence));
  const words = when[1] > when[0] ? `Show ${format.clock(when[0])} to ${format.clock(when[1])}` : "Show";
  parts.push(h("button", { type: "button", class: "quiet", click: () => show(finding, when) }, words));
  return parts;
}

/** Goes to the chart or the section, with some time before and after. */
function show(finding: Finding, when: readonly [number, number]): void {
  if (when[1] > when[0]) {
    const margin = Math.max((when[1] - when[0]) * 0.15, 2);
    showTime([Math.max(0, when[0] - margin), when[1] + margin]);
  }
  const section = finding.chart === "statuses" ? "errors" : finding.chart;
  const place = chartNamed(finding.chart) ?? document.getElementById(section) ?? chartNamed("latency");
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  place?.scrollIntoView({ behavior: calm ? "auto" : "smooth", block: "start" });
}

/** Plain facts of the evidence in one line. */
function facts(evidence: unknown): string | null {
  if (typeof evidence !== "object" || evidence === null) return null;
  const plain = Object.entries(evidence).filter(([, value]) => typeof value === "number" || typeof value === "string");
  if (plain.length === 0) return null;
  return plain.map(([name, value]) => fact(name, value)).join(" · ");
}

/** A name that ends in a unit, and its value in it. */
function fact(name: string, value: unknown): string {
  const plain = name.replace(/_(ns|ms)$/, "").replaceAll("_", " ");
  if (typeof value !== "number") return `${plain} ${String(value)}`;
  if (name.endsWith("_ns")) return `${plain} ${format.duration(value / 1e6)}`;
  return `${plain} ${name.endsWith("_ms") ? format.duration(value) : format.plain(value)}`;
}

function tone(severity: Finding["severity"]): string {
  return { problem: "bad", warning: "warning", note: "plain" }[severity];
}

/** Every threshold with the number it was compared with. */
export function thresholds(view: View): HTMLElement[] {
  const rows = [...view.thresholds].sort((a, b) => Number(a.ok) - Number(b.ok));
  return [
    table<Outcome>({
      caption: "Thresholds",
      things: "thresholds",
      rows,
      text: (t) => `${t.metric} ${t.expression}`,
      heads: [
        { title: "Metric", cell: (t) => t.metric, by: (t) => t.metric },
        { title: "Threshold", cell: (t) => h("code", {}, t.expression) },
        { title: "Measured", cell: (t) => measured(t), by: (t) => t.value, number: true },
        {
          title: "Result",
          cell: (t) => h("span", { class: t.ok ? "mark good" : "mark bad" }, t.ok ? "✓ held" : "✗ crossed"),
          by: (t) => Number(t.ok),
        },
      ],
    }),
  ];
}

function measured(threshold: Outcome): string {
  if (threshold.value === null) return "–";
  if (threshold.kind === "rate" || /^\s*rate\b/.test(threshold.expression)) {
    return threshold.kind === "rate" ? format.percent(threshold.value) : format.rate(threshold.value);
  }
  return /^\s*count\b/.test(threshold.expression) ? format.plain(threshold.value) : format.inUnit(threshold.value, threshold.contains);
}

/** Every check with how often it held. */
export function checks(view: View): HTMLElement[] {
  const rows = [...view.checks].sort((a, b) => Number(b.fails > 0) - Number(a.fails > 0));
  const share = (check: Check) => check.passes / Math.max(1, check.passes + check.fails);
  return [
    table<Check>({
      caption: "Checks",
      things: "checks",
      rows,
      text: (check) => `${check.group} ${check.name}`,
      heads: [
        { title: "Check", cell: (check) => check.name, by: (check) => check.name },
        { title: "Group", cell: (check) => groupName(check.group), by: (check) => check.group },
        { title: "Passed", cell: (check) => format.percent(share(check)), by: share, number: true },
        { title: "Passes", cell: (check) => format.count(check.passes), by: (check) => check.passes, number: true },
        { title: "Fails", cell: (check) => format.count(check.fails), by: (check) => check.fails, number: true },
        {
          title: "Result",
          cell: (check) => h("span", { class: check.fails ? "mark bad" : "mark good" }, check.fails ? "✗ failed" : "✓ passed"),
          by: (check) => Number(check.fails === 0),
        },
      ],
    }),
  ];
}

/** A path of groups as people read it. */
export function groupName(path: string): string {
  return path.replace(/^::/, "").replaceAll("::", " › ");
}
