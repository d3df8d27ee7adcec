// Earlier runs: found by title or label, opened, put side by side, forgotten.

import { fill, h } from "../dom.ts";
import { duration, moment, percent, rate, span } from "../format.ts";
import { get, problem, remove } from "./api.ts";
import type { Running } from "./api.ts";

/** One run of the history, as `netload history --json` prints it. */
interface Line {
  id: string;
  started_unix_ns: number;
  command: string;
  title: string;
  labels: Record<string, string>;
  state: "running" | "finished" | "interrupted";
  elapsed_ns?: number | null;
  rate?: number | null;
  p95_ms?: number | null;
  failed_share?: number | null;
  verdict?: string | null;
  exit_code?: number | null;
}

/** Milliseconds of quiet before the search starts. */
const QUIET = 200;

export function historyPage(content: HTMLElement): () => void {
  const chosen = new Set<string>();
  const place = h("div", {});
  const trouble = h("div", {});
  const compare = h("button", { type: "button", class: "main", disabled: true, click: () => sideBySide() }, "Compare");
  const forget = h("button", { type: "button", class: "danger", disabled: true, click: () => void gone() }, "Forget");
  const search = h("input", { type: "search", placeholder: "Title, or label=value", "aria-label": "Search in the history" });
  fill(content, h("h1", {}, "History"), h("p", { class: "actions" }, search, compare, forget), h("p", { class: "hint" }, "Choose two runs to put them side by side; the older one is what the newer is compared with."), trouble, place);

  let timer = 0;
  let asked = 0;
  const settle = () => {
    compare.disabled = chosen.size !== 2;
    forget.disabled = chosen.size === 0;
  };
  const load = async () => {
    asked += 1;
    const own = asked;
    try {
      const query = search.value.trim() ? `?text=${encodeURIComponent(search.value.trim())}` : "";
      const { running, runs } = await get<{ running: Running[]; runs: Line[] }>(`runs${query}`);
      if (own !== asked) return;
      fill(trouble);
      const live = new Set(running.map((run) => run.id));
      fill(place, runs.length > 0 ? table(runs, live, chosen, settle) : h("p", {}, "There are no runs here yet."));
    } catch (error) {
      if (own === asked) fill(trouble, problem(error));
    }
  };
  const sideBySide = () => {
    const [before, after] = [...chosen].sort();
    location.hash = `#/compare/${before}/${after}`;
  };
  const gone = async () => {
    const many = chosen.size === 1 ? "this run" : `these ${chosen.size} runs`;
    if (!confirm(`Take ${many} out of the history for good?`)) return;
    try {
      for (const id of chosen) await remove(`runs/${encodeURIComponent(id)}`);
      chosen.clear();
      settle();
    } catch (error) {
      fill(trouble, problem(error));
    }
    await load();
  };
  search.addEventListener("input", () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void load(), QUIET);
  });
  void load();
  return () => {
    clearTimeout(timer);
    asked += 1;
  };
}

function table(runs: Line[], live: Set<string>, chosen: Set<string>, settle: () => void): HTMLElement {
  const heads = ["", "When", "What", "Labels", "Took", "Rate", "p95", "Failed", "Generator", "Exit"];
  const row = (run: Line) => {
    const box = h("input", { type: "checkbox", "aria-label": `Choose ${run.title} of ${run.id}` });
    box.checked = chosen.has(run.id);
    box.addEventListener("change", () => {
      if (box.checked) chosen.add(run.id);
      else chosen.delete(run.id);
      settle();
    });
    const number = (text: string) => h("td", { class: "number" }, text);
    const running = live.has(run.id) || run.state === "running";
    return h(
      "tr",
      {},
      h("td", {}, box),
      h("td", {}, moment(run.started_unix_ns / 1e6)),
      h("th", { scope: "row" }, h("a", { href: `#/runs/${run.id}` }, run.title || run.id)),
      h("td", {}, h("ul", { class: "labels" }, Object.entries(run.labels).map(([name, value]) => h("li", {}, `${name}=${value}`)))),
      number(run.elapsed_ns ? span(run.elapsed_ns / 1e9) : "–"),
      number(rate(run.rate)),
      number(duration(run.p95_ms)),
      number(percent(run.failed_share)),
      h("td", {}, run.verdict ?? "–"),
      h("td", { class: "number" }, running ? "running" : run.state === "interrupted" ? "interrupted" : String(run.exit_code ?? "–")),
    );
  };
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Earlier runs" },
    h("table", { class: "history" }, h("caption", { class: "hidden" }, "Earlier runs, the newest first"), h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, runs.map(row))),
  );
}
