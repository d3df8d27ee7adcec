// Tables that can be sorted by mouse and keyboard, filtered when they are long, and that show only their top at first.

import { fill, h } from "./dom.ts";
import type { Child } from "./dom.ts";

export interface Head<T> {
  title: string;
  /** What the cell shows. */
  cell: (row: T) => Child;
  /** What it is sorted by; without it, it is not. */
  by?: (row: T) => number | string | null | undefined;
  /** Numbers stand to the right. */
  number?: boolean;
  /** Longer words for the heading. */
  about?: string;
}

export interface TableSpec<T> {
  caption: string;
  heads: Head<T>[];
  rows: T[];
  /** What the filter looks into; without it there is none. */
  text?: (row: T) => string;
  /** What the rows are called, for `12 of 500 names`. */
  things: string;
}

/** So many rows are shown until somebody wants all. */
const AT_FIRST = 20;

/** A table; columns in which no row has anything are left out. */
export function table<T>(spec: TableSpec<T>): HTMLElement {
  const heads = spec.heads.filter((head, at) => at === 0 || spec.rows.some((row) => has(head.cell(row))));
  let order: { head: number; down: boolean } | null = null;
  let filter = "";
  let all = spec.rows.length <= AT_FIRST + 5;

  const body = h("tbody", {});
  const note = h("p", { class: "note", "aria-live": "polite" });
  const buttons = heads.map((head, at) =>
    head.by
      ? h("button", { type: "button", class: "sort", title: head.about, click: () => sort(at) }, head.title)
      : h("span", { title: head.about }, head.title),
  );
  const cells = heads.map((head, at) => h("th", { scope: "col", class: head.number ? "number" : null }, buttons[at]));

  const sort = (at: number) => {
    const first = heads[at]?.number ?? false;
    order = order?.head === at ? { head: at, down: !order.down } : { head: at, down: first };
    for (const [other, cell] of cells.entries()) {
      if (other === at) cell.setAttribute("aria-sort", order.down ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    }
    show();
  };

  const show = () => {
    const words = filter.toLowerCase();
    let rows = words ? spec.rows.filter((row) => spec.text?.(row).toLowerCase().includes(words)) : spec.rows;
    const by = order ? heads[order.head]?.by : undefined;
    if (order && by) rows = sorted(rows, by, order.down);
    const shown = all ? rows : rows.slice(0, AT_FIRST);
    fill(
      body,
      shown.map((row) =>
        h(
          "tr",
          {},
          heads.map((head, at) =>
            at === 0 ? h("th", { scope: "row" }, head.cell(row)) : h("td", { class: head.number ? "number" : null }, head.cell(row)),
          ),
        ),
      ),
    );
    const more = rows.length - shown.length;
    fill(
      note,
      more > 0 ? `${shown.length} of ${rows.length} ${spec.things} ` : words ? `${rows.length} ${spec.things} ` : null,
      more > 0 ? h("button", { type: "button", click: () => ((all = true), show()) }, "Show all") : null,
    );
  };

  show();
  const search =
    spec.text && spec.rows.length > AT_FIRST
      ? h("input", {
          type: "search",
          placeholder: `Filter ${spec.things}`,
          "aria-label": `Filter ${spec.things}`,
          input: (event) => {
            filter = (event.target as HTMLInputElement).value;
            show();
          },
        })
      : null;
  return h(
    "div",
    { class: "table" },
    search,
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": spec.caption },
      h("table", {}, h("caption", {}, spec.caption), h("thead", {}, h("tr", {}, cells)), body),
    ),
    note,
  );
}

/** Whether a cell has anything in it. */
function has(cell: Child): boolean {
  return cell !== null && cell !== undefined && cell !== false && cell !== "–" && cell !== "";
}

/** A sorted copy; what is missing comes last in either direction. */
function sorted<T>(rows: T[], by: (row: T) => number | string | null | undefined, down: boolean): T[] {
  return rows.toSorted((a, b) => {
    const [x, y] = [by(a) ?? null, by(b) ?? null];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    const order = typeof x === "string" || typeof y === "string" ? String(x).localeCompare(String(y), "en", { numeric: true }) : x - y;
    return down ? -order : order;
  });
}
