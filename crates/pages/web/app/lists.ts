// The log and the failed requests of a running test: the newest, in a list that can be searched.

import { fill, h } from "../dom.ts";
import { count, duration } from "../format.ts";
import type { FailedRequest, LogLine, Numbered } from "./api.ts";

/** Entries kept in a list; older ones go. */
const KEPT = 1_000;
/** Entries shown. */
const SHOWN = 200;

interface List<T> {
  element: HTMLElement;
  add(items: Numbered<T>[]): void;
  /** So many lines came faster than they could be shown. */
  leftOut(lines: number): void;
}

export function logList(): List<LogLine> {
  return list<LogLine>(
    "Log",
    "Nothing was logged yet.",
    ["Time", "Level", "Message"],
    (line) => `${line.level} ${line.message}`,
    (line) => [
      h("td", {}, time(line.time_ms)),
      h("td", { class: `level ${line.level}` }, line.level),
      h("td", { class: "message" }, line.message, fields(line)),
    ],
  );
}

export function failureList(): List<FailedRequest> {
  return list<FailedRequest>(
    "Failed requests",
    "No request failed while this page looked on.",
    ["Time", "Request", "Status", "Error", "Took"],
    (one) => `${one.method} ${one.name} ${one.status} ${one.error}`,
    (one) => [
      h("td", {}, time(one.time_ms)),
      h("td", { class: "message" }, `${one.method} ${one.name}`),
      h("td", {}, one.status === 0 ? "none" : String(one.status)),
      h("td", { class: "message" }, one.error),
      h("td", { class: "number" }, duration(one.duration_ms)),
    ],
  );
}

function fields(line: LogLine): HTMLElement | null {
  const all = Object.entries(line.fields);
  return all.length > 0 ? h("span", { class: "hint" }, ` ${all.map(([name, value]) => `${name}=${value}`).join(" ")}`) : null;
}

function time(ms: number): string {
  return new Date(ms).toLocaleTimeString("en", { hour12: false, hour: "2-digit", minute: "2-digit", second: "2-digit" });
}

function list<T>(
  title: string,
  nothing: string,
  heads: string[],
  text: (item: T) => string,
  cells: (item: T) => HTMLElement[],
): List<T> {
  let all: Numbered<T>[] = [];
  let words = "";
  let missed = 0;
  let drawn = 0;
  const body = h("tbody", {});
  const note = h("p", { class: "hint", role: "status" });
  const search = h("input", { type: "search", placeholder: "Search", "aria-label": `Search in ${title}` });
  search.addEventListener("input", () => {
    words = search.value.toLowerCase();
    show();
  });
  const table = h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": title },
    h("table", { class: "lines" }, h("caption", { class: "hidden" }, title), h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))), body),
  );
  const element = h("section", { class: "list", "aria-label": title, hidden: true }, h("h2", {}, title), h("p", {}, search), note, table);
  const show = () => {
    cancelAnimationFrame(drawn);
    drawn = requestAnimationFrame(() => {
      const found = words ? all.filter(({ item }) => text(item).toLowerCase().includes(words)) : all;
      const shown = found.slice(-SHOWN).reverse();
      fill(body, shown.map(({ item }) => h("tr", {}, cells(item))));
      table.hidden = shown.length === 0;
      const left = missed > 0 ? ` ${count(missed)} came faster than they could be shown.` : "";
      const what = all.length === 0 ? nothing : shown.length < found.length ? `The newest ${count(shown.length)} of ${count(found.length)}.` : "";
      fill(note, `${what}${left}`);
    });
  };
  show();
  return {
    element,
    add(items) {
      // What was fetched and what was told overlap.
      const known = new Set(all.map(({ number }) => number));
      all = [...all, ...items.filter(({ number }) => !known.has(number))].sort((a, b) => a.number - b.number).slice(-KEPT);
      show();
    },
    leftOut(lines) {
      if (lines !== missed) {
        missed = lines;
        show();
      }
    },
  };
}
