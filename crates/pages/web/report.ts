// The report file: takes its data out of itself and shows it.

import { unpack } from "./data.ts";
import type { View } from "./data.ts";
import { fill, h } from "./dom.ts";
import * as format from "./format.ts";
import { mount } from "./page.ts";
import { follow, isDark, onTheme, toggle } from "./theme.ts";

/** What the run was, above everything. */
function header(view: View): HTMLElement {
  const button = h("button", { type: "button", class: "quiet theme", click: toggle });
  const name = () => fill(button, isDark() ? "Light" : "Dark");
  name();
  onTheme(name);
  const { head } = view;
  const facts = [
    format.moment(head.started_ms),
    format.span(view.elapsed_s),
    head.host ? `from ${head.host}` : null,
    format.many(head.workers, "worker"),
    `netload ${head.tool_version}`,
  ];
  return h(
    "header",
    {},
    h("div", {}, h("p", { class: "brand" }, `netload ${head.command}`), h("h1", {}, head.title || head.id)),
    button,
    h("p", { class: "facts" }, facts.filter(Boolean).join(" · ")),
    h(
      "ul",
      { class: "labels", "aria-label": "Labels" },
      Object.entries(head.labels).map(([key, value]) => h("li", {}, `${key}=${value}`)),
    ),
  );
}

async function main(): Promise<void> {
  const data = document.getElementById("data");
  const place = document.getElementById("page");
  if (!data || !place) return;
  follow();
  try {
    const view = await unpack(data.textContent ?? "");
    data.remove();
    const main = h("main", { id: "main" });
    place.replaceChildren(header(view), main);
    mount(main, view);
    document.documentElement.dataset["ready"] = String(Math.round(performance.now()));
  } catch (error) {
    place.replaceChildren(h("p", { class: "mark bad" }, `This report cannot be shown: ${String(error)}`));
    throw error;
  }
}

void main();
