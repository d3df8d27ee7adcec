// A run as a page: its sections in the order of the questions people have. The report shows one that is over; the web UI
// gives it rows while the run goes on, and new tables from time to time.

import { Figure, showTime } from "./charts/figure.ts";
import type { Row, View } from "./data.ts";
import { fill, h } from "./dom.ts";
import type { Child } from "./dom.ts";
import { append } from "./live.ts";
import { generatorCharts, generatorTexts } from "./sections/generator.ts";
import { headline } from "./sections/headline.ts";
import { checks, findings, groupName, thresholds } from "./sections/judged.ts";
import { latencyCharts, phases } from "./sections/latency.ts";
import { errorTables, loadCharts } from "./sections/load.ts";
import { parts } from "./sections/parts.ts";
import { customCharts, metricTables, optionTable, script } from "./sections/rest.ts";

/** A section of the page; what it holds is made again with new data. */
interface Section {
  id: string;
  title: string;
  /** Charts stay, and are told when there is more to draw. */
  figures: Figure[];
  /** Everything else, which is made anew. */
  texts: (view: View) => Child[];
  /** Texts stand above the charts, or below. */
  below?: boolean;
}

/** A mounted page. */
export interface Page {
  /** One more second. */
  update(row: Row): void;
  /** Everything as it is now: for the tables, and at the end of the run. */
  replace(view: View): void;
  /** Takes it off the page. */
  destroy(): void;
}

/** Puts a run into an element. */
export function mount(element: HTMLElement, first: View): Page {
  const view = { ...first };
  const sections = all(view);
  const head = h("div", {});
  const list = h("ul", {});
  const places = sections.map((section) => {
    const texts = h("div", { class: "texts" });
    const figures = h("div", { class: "charts" }, section.figures.map((figure) => figure.element));
    const heading = h("h2", { id: `${section.id}-heading` }, section.title);
    const [upper, lower] = section.below ? [figures, texts] : [texts, figures];
    return { section, texts, place: h("section", { id: section.id, "aria-labelledby": heading.id }, heading, upper, lower) };
  });
  const zoom = h("button", { type: "button", class: "quiet", click: () => showTime(null) }, "Show the whole time");
  fill(element, head, h("nav", { "aria-label": "Sections" }, list, zoom), places.map(({ place }) => place));

  const retell = () => {
    fill(head, headline(view));
    for (const { section, texts } of places) fill(texts, section.texts(view));
    for (const { section, texts, place } of places) {
      place.hidden = texts.childElementCount === 0 && section.figures.every((figure) => figure.element.hidden);
    }
    const links = places.filter(({ place }) => !place.hidden);
    fill(list, links.map(({ section }) => h("li", {}, h("a", { href: `#${section.id}` }, section.title))));
  };
  const redraw = () => {
    for (const { section } of places) for (const figure of section.figures) figure.refresh();
  };
  redraw();
  retell();
  return {
    update(row) {
      append(view, row);
      fill(head, headline(view));
      redraw();
    },
    replace(next) {
      Object.assign(view, next);
      redraw();
      retell();
    },
    destroy() {
      for (const { section } of places) for (const figure of section.figures) figure.destroy();
      fill(element);
    },
  };
}

function all(view: View): Section[] {
  const phase = phases(view);
  const part = (caption: string, things: string, title: string, rows: (now: View) => View["names"], label?: (row: View["names"][number]) => string) =>
    (now: View): Child[] => (rows(now).length > 0 ? [parts(caption, things, title, rows(now), label)] : []);
  const group = (row: View["names"][number]) => groupName(row.label) || "(no group)";
  return [
    { id: "findings", title: "Findings", figures: [], texts: (now) => [notes(now), findings(now)] },
    { id: "thresholds", title: "Thresholds", figures: [], texts: (now) => (now.thresholds.length > 0 ? thresholds(now) : []) },
    { id: "latency", title: "Latency", figures: latencyCharts(view), texts: () => [] },
    { id: "load", title: "Load", figures: loadCharts(view), texts: () => [] },
    { id: "errors", title: "Errors and statuses", figures: [], texts: errorTables },
    { id: "checks", title: "Checks", figures: [], texts: (now) => (now.checks.length > 0 ? checks(now) : []) },
    { id: "names", title: "Requests by name", figures: [], texts: part("Requests by name", "names", "Name", (now) => now.names) },
    { id: "groups", title: "Groups", figures: [], texts: part("Groups", "groups", "Group", (now) => now.groups, group) },
    { id: "scenarios", title: "Scenarios", figures: [], texts: part("Scenarios", "scenarios", "Scenario", (now) => now.scenarios) },
    { id: "hosts", title: "Hosts", figures: [], texts: part("Hosts", "hosts", "Host", (now) => (now.hosts.length > 1 ? now.hosts : [])) },
    { id: "addresses", title: "Addresses", figures: [], texts: part("Addresses", "addresses", "Address", (now) => (now.addresses.length > 1 ? now.addresses : [])) },
    { id: "protocols", title: "Protocols", figures: [], texts: part("Protocols", "protocols", "Protocol", (now) => (now.protocols.length > 1 ? now.protocols : [])) },
    { id: "phases", title: "Phases", figures: phase.figures, texts: (now) => phases(now).tables },
    { id: "custom", title: "Metrics of the script", figures: customCharts(view), texts: () => [] },
    { id: "generator", title: "Generator", figures: generatorCharts(view), texts: generatorTexts },
    { id: "metrics", title: "All metrics", figures: [], texts: metricTables },
    { id: "options", title: "Options and script", figures: [], texts: (now) => [optionTable(now), script(now)] },
  ];
}

/** What the record does not hold. */
function notes(view: View): Child[] {
  return view.notes.map((note) => h("p", { class: "note" }, note));
}
