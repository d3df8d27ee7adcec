// The web UI: which page is shown for which address, and the bar above all pages.

import { comparePage } from "./app/compare.ts";
import { historyPage } from "./app/history.ts";
import { runPage } from "./app/run.ts";
import { startPage } from "./app/start.ts";
import { fill, h } from "./dom.ts";
import { follow, isDark, onTheme, toggle } from "./theme.ts";

/** A page that is shown; told when another takes its place. */
type Leave = () => void;

const LINKS: [string, string][] = [
  ["#/", "Start"],
  ["#/history", "History"],
];

function bar(): HTMLElement {
  const button = h("button", { type: "button", class: "quiet theme", click: toggle });
  const name = () => fill(button, isDark() ? "Light" : "Dark");
  name();
  onTheme(name);
  return h(
    "header",
    { class: "bar" },
    h("a", { class: "skip", href: "#content", click: toContent }, "Skip to the content"),
    h("a", { class: "brand", href: "#/" }, "netload"),
    h("nav", { "aria-label": "Pages" }, LINKS.map(([href, title]) => h("a", { href }, title))),
    button,
  );
}

function toContent(event: Event): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}

/** Shows the page of the address. */
function show(content: HTMLElement): Leave {
  const [page = "", first = "", second = ""] = location.hash.replace(/^#\//, "").split("/").map(decodeURIComponent);
  for (const link of document.querySelectorAll(".bar nav a")) {
    const own = link.getAttribute("href") === `#/${page}`;
    if (own) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  fill(content);
  if (page === "runs" && first) return runPage(content, first);
  if (page === "history") return historyPage(content);
  if (page === "compare" && first && second) return comparePage(content, first, second);
  return startPage(content);
}

function main(): void {
  follow();
  const app = document.getElementById("app");
  if (!app) return;
  const content = h("main", { id: "content", tabindex: -1 });
  app.replaceChildren(bar(), content);
  let leave = show(content);
  addEventListener("hashchange", () => {
    leave();
    leave = show(content);
    scrollTo(0, 0);
    content.focus({ preventScroll: true });
  });
  // Links inside a page lead to its sections and are no addresses of pages.
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const href = link?.getAttribute("href") ?? "";
    if (!href.startsWith("#") || href.startsWith("#/") || href === "#content") return;
    event.preventDefault();
    content.dispatchEvent(new CustomEvent("section", { detail: href.slice(1) }));
  });
  document.documentElement.dataset["ready"] = String(Math.round(performance.now()));
}

main();
