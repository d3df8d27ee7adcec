// The first screen: did it pass, how fast was it, what failed, can it be trusted.

import type { Metric, View } from "../data.ts";
import { h } from "../dom.ts";
import type { Child } from "../dom.ts";
import * as format from "../format.ts";

type Tone = "good" | "warning" | "bad" | "plain";

/** The four answers. */
export function headline(view: View): HTMLElement {
  const passed = outcome(view);
  return h(
    "section",
    { class: "headline", "aria-label": "Result" },
    h("div", { class: `verdict ${passed.tone}` }, h("p", { class: "word" }, passed.word), h("p", {}, passed.sentence)),
    h(
      "div",
      { class: "answers" },
      answer("How fast", speed(view)),
      answer("What failed", failed(view)),
      answer("Can I trust it", trust(view)),
    ),
  );
}

interface Answer {
  tone: Tone;
  word: Child;
  more: Child[];
}

function answer(question: string, { tone, word, more }: Answer): HTMLElement {
  return h(
    "section",
    { class: `answer ${tone}` },
    h("h2", {}, question),
    h("p", { class: "word" }, word),
    more.filter(Boolean).map((line) => h("p", {}, line)),
  );
}

function outcome(view: View): { tone: Tone; word: string; sentence: string } {
  const crossed = view.thresholds.filter((t) => !t.ok).length;
  const judged = view.thresholds.length;
  const limits =
    judged === 0
      ? "No thresholds were set, so nothing was judged."
      : crossed === 0
        ? `${judged === 1 ? "The threshold" : `All ${judged} thresholds`} held.`
        : `${crossed} of ${format.many(judged, "threshold")} ${crossed === 1 ? "was" : "were"} crossed.`;
  if (view.state === "running") {
    const sentence = `For ${format.span(view.elapsed_s)} now. ${judged ? limits : ""}`;
    return { tone: crossed ? "bad" : "plain", word: "Running", sentence };
  }
  if (view.state === "interrupted" || !view.ended) {
    return { tone: "warning", word: "Interrupted", sentence: `netload was ended from outside; all until ${format.span(view.elapsed_s)} is here.` };
  }
  const end = ended(view.ended.sentence);
  if (view.ended.failed) return { tone: "bad", word: "Failed", sentence: `${end}${limits}` };
  return { tone: judged ? "good" : "plain", word: judged ? "Passed" : "Finished", sentence: `${end}${limits}` };
}

/** A sentence with its full stop and the space behind, or nothing. */
function ended(sentence: string): string {
  if (!sentence) return "";
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${/[.!?]$/.test(sentence) ? "" : "."} `;
}

function speed(view: View): Answer {
  const main = metric(view, view.main);
  const time = (name: string) => format.duration(main?.values[name]);
  const seconds = view.elapsed_s || 1;
  const requests = view.totals.requests;
  const load =
    requests > 0
      ? `${format.many(requests, "request")}, ${format.rate(requests / seconds)}, in ${format.span(view.elapsed_s)}`
      : `${format.many(view.totals.iterations, "iteration")}, ${format.rate(view.totals.iterations / seconds)}, in ${format.span(view.elapsed_s)}`;
  if (!main) return { tone: "plain", word: "No durations", more: [load] };
  const tail = ["p95", "p99", "p99.9"].filter((name) => carried(main, name));
  return {
    tone: "plain",
    word: [time("p50"), h("small", {}, ` median ${view.totals.requests > 0 ? "response" : view.main.replace(/_duration$/, "").replaceAll("_", " ")}`)],
    more: [tail.map((name) => `${name} ${time(name)}`).concat(`max ${time("max")}`).join(" · "), load, uncertain(main)],
  };
}

/** Whether the sample is large enough for a percentile. */
function carried(main: Metric, name: string): boolean {
  return main.needs?.[name] === undefined && typeof main.values[name] === "number";
}

/** Between what the 95th percentile lies. */
function uncertain(main: Metric): string | null {
  const interval = main.intervals?.["p95"];
  if (!interval || interval[1] === null || !carried(main, "p95")) return null;
  return `p95 lies between ${format.duration(interval[0])} and ${format.duration(interval[1])} with 95 % confidence`;
}

function failed(view: View): Answer {
  const { requests, failed, dropped } = view.totals;
  const checks = view.checks.reduce((sum, check) => sum + check.fails, 0);
  const passes = view.checks.reduce((sum, check) => sum + check.passes, 0);
  const more: Child[] = [];
  const worst = view.errors[0];
  if (worst) more.push(`Most often: ${worst.text} (${format.count(worst.count)})`);
  const statuses = view.statuses.filter(({ status }) => Number(status) >= 400);
  if (statuses.length > 0) more.push(statuses.slice(0, 3).map((s) => `${format.count(s.count)} × status ${s.status}`).join(", "));
  if (checks > 0) more.push(`${format.many(checks, "check")} of ${format.count(checks + passes)} failed`);
  if (dropped > 0) more.push(`${format.many(dropped, "planned iteration")} could not start`);
  if (requests === 0) return { tone: "plain", word: checks + dropped > 0 ? "See below" : "Nothing", more: [...more, "No requests were made."] };
  if (failed === 0) {
    const tone = checks + dropped > 0 ? "warning" : "good";
    return { tone, word: ["No request", h("small", {}, ` of ${format.count(requests)}`)], more };
  }
  return {
    tone: failed / requests > 0.01 ? "bad" : "warning",
    word: [format.percent(failed / requests), h("small", {}, " of requests")],
    more: [`${format.count(failed)} of ${format.count(requests)}`, ...more],
  };
}

const TRUST: Record<string, [Tone, string]> = {
  clean: ["good", "Yes"],
  disturbed: ["warning", "Mostly"],
  "concurrency-bound": ["warning", "With care"],
  "generator-bound": ["bad", "No"],
  invalid: ["bad", "No"],
};

function trust(view: View): Answer {
  const generator = view.generator;
  if (!generator) {
    const word = view.state === "running" ? "Not judged yet" : "Not judged";
    return { tone: "plain", word, more: [tare(view)] };
  }
  const [tone, word] = TRUST[generator.verdict] ?? ["plain", generator.verdict];
  const when =
    generator.since_s !== null && generator.until_s !== null
      ? ` from ${format.clock(generator.since_s)} to ${format.clock(generator.until_s)}`
      : "";
  const why = generator.detail ? `: ${generator.detail}` : "";
  const meaning = generator.meaning ? `${generator.meaning.charAt(0).toUpperCase()}${generator.meaning.slice(1)}` : null;
  return { tone, word, more: [`The generator was ${generator.verdict}${when}${why}.`, meaning, tare(view)] };
}

/** What netload added, next to what it measured. */
function tare(view: View): string | null {
  const [net, own] = [metric(view, "http_req_duration"), metric(view, "http_req_tare")];
  if (!net || !own) return null;
  return `Netload itself added ${format.duration(own.values["p50"])} (p99 ${format.duration(own.values["p99"])}); it is not in these numbers.`;
}

/** The metric of that name. */
export function metric(view: View, name: string): Metric | undefined {
  return view.metrics.find((one) => one.name === name);
}
