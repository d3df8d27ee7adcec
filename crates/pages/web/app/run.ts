// One run: while it goes on with its controls, log and failed requests; afterwards with everything that is kept of it.

import type { Row, View } from "../data.ts";
import { fill, h } from "../dom.ts";
import { count, duration, moment, rate, span } from "../format.ts";
import { mount } from "../page.ts";
import type { Page } from "../page.ts";
import { get, post, problem, Refused } from "./api.ts";
import type { End, FailedRequest, LogLine, Numbered, Running, Status } from "./api.ts";
import { failureList, logList } from "./lists.ts";
import { tabs } from "./tabs.ts";
import type { Tabs } from "./tabs.ts";

/** Seconds between two looks at everything, for the tables; the charts get every second. */
const TABLES_EVERY = 10;

/** Sections of the page by tab; what is in none is in the first. */
const TABS: [string, string[]][] = [
  ["Overview", ["findings", "latency", "load", "errors"]],
  ["Thresholds", ["thresholds"]],
  ["Checks", ["checks", "groups", "scenarios"]],
  ["HTTP", ["names", "hosts", "addresses", "protocols", "phases"]],
  ["Metrics", ["custom", "metrics"]],
  ["Generator", ["generator"]],
  ["Script", ["options"]],
];

export function runPage(content: HTMLElement, id: string): () => void {
  const head = h("div", { class: "run-head" });
  const state = h("p", { class: "state", role: "status" }, "Loading");
  const facts = h("dl", { class: "now" });
  const controls = h("div", { class: "controls", role: "group", "aria-label": "Controls of the test" });
  const trouble = h("div", {});
  const body = h("div", { class: "run" });
  const log = logList();
  const failures = failureList();
  const bar: Tabs = tabs(TABS, body, [
    ["Log", log.element],
    ["Failed requests", failures.element],
  ]);
  fill(content, head, state, facts, controls, trouble, bar.element, body, log.element, failures.element);
  title(head, id, null);

  let page: Page | null = null;
  let opening = false;
  let gone = false;
  let rows = 0;
  let waiting: Row[] = [];
  let source: EventSource | null = null;

  const take = async () => {
    if (opening || gone) return;
    opening = true;
    try {
      const view = await get<View>(`runs/${encodeURIComponent(id)}/view`);
      if (gone) return;
      title(head, id, view);
      if (page) {
        page.replace(view);
      } else {
        page = mount(body, view);
        for (const row of waiting) page.update(row);
      }
      waiting = [];
      bar.arrange();
      if (view.state !== "running" && !source) {
        facts.hidden = true;
        controls.hidden = true;
        fill(state, view.head.started_ms ? `${moment(view.head.started_ms)} · ${span(view.elapsed_s)}` : "");
      }
    } catch (error) {
      // Before the load begins there is nothing to show yet.
      if (!(error instanceof Refused) || !source) fill(trouble, problem(error));
    } finally {
      opening = false;
    }
  };

  const onRow = (row: Row) => {
    rows += 1;
    if (page && !opening) page.update(row);
    else waiting.push(row);
    if (!page || rows % TABLES_EVERY === 0) void take();
  };
  const onEnd = (end: End) => {
    source?.close();
    source = null;
    fill(controls);
    facts.hidden = true;
    const word = end.failed ? "Failed" : "Done";
    fill(state, h("span", { class: end.failed ? "mark bad" : "mark good" }, word), end.sentence ? ` ${end.sentence}` : "");
    fill(trouble, end.summary?.trim() ? h("details", {}, h("summary", {}, "What the terminal would show"), h("pre", { class: "terminal", tabindex: 0 }, end.summary)) : null);
    void take();
  };
  const steer = buttons(controls, trouble, id);
  const onStatus = (status: Status) => {
    now(state, facts, status);
    steer(status);
    log.leftOut(status.left_out);
  };

  const follow = (live: Running) => {
    if (live.head) title(head, live.head.title, null);
    if (live.status) onStatus(live.status);
    void get<Numbered<LogLine>[]>(`runs/${encodeURIComponent(id)}/logs`).then((all) => log.add(all)).catch(() => undefined);
    void get<Numbered<FailedRequest>[]>(`runs/${encodeURIComponent(id)}/failures`).then((all) => failures.add(all)).catch(() => undefined);
    if (live.end) onEnd(live.end);
    else void take();
  };

  const listen = () => {
    source = new EventSource(`/api/v1/runs/${encodeURIComponent(id)}/events`);
    const on = <T>(name: string, then: (data: T, number: number) => void) =>
      source?.addEventListener(name, (event) => {
        const message = event as MessageEvent<string>;
        then(JSON.parse(message.data) as T, Number(message.lastEventId));
      });
    on<Running>("state", follow);
    on<{ title: string }>("head", (of) => title(head, of.title, null));
    on<Status>("status", onStatus);
    on<Row>("row", onRow);
    on<LogLine>("log", (item, number) => log.add([{ number, item }]));
    on<FailedRequest>("failure", (item, number) => failures.add([{ number, item }]));
    on<End>("end", onEnd);
    on("lost", () => void take());
    source.onerror = () => {
      if (source?.readyState === EventSource.CLOSED) {
        fill(trouble, problem(new Refused("the connection to the test was lost", "reload the page when netload runs again")));
      }
    };
  };

  get<Running>(`runs/${encodeURIComponent(id)}`)
    .then((live) => {
      if (gone) return;
      bar.live(true);
      if (live.running) listen();
      else follow(live);
    })
    .catch(() => {
      bar.live(false);
      void take();
    });

  const toSection = (event: Event) => {
    bar.reveal(String((event as CustomEvent).detail));
  };
  content.addEventListener("section", toSection);
  return () => {
    gone = true;
    source?.close();
    content.removeEventListener("section", toSection);
    page?.destroy();
  };
}

function title(head: HTMLElement, text: string, view: View | null): void {
  const labels = Object.entries(view?.head.labels ?? {});
  fill(
    head,
    h("h1", {}, view?.head.title || text),
    labels.length > 0 ? h("ul", { class: "labels", "aria-label": "Labels" }, labels.map(([name, value]) => h("li", {}, `${name}=${value}`))) : null,
  );
  document.title = `${view?.head.title || text} – netload`;
}

/** The numbers of now. */
function now(state: HTMLElement, facts: HTMLElement, status: Status): void {
  fill(state, h("span", { class: "mark plain" }, status.phase), ` ${span(status.elapsed_s)}`);
  const fact = (name: string, value: string, tone = "") => h("div", { class: tone }, h("dt", {}, name), h("dd", {}, value));
  fill(
    facts,
    fact("Requests", rate(status.rate)),
    fact("Failed", count(status.failed), status.failed > 0 ? "bad" : ""),
    fact("Median", duration(status.p50_ms)),
    fact("p99", duration(status.p99_ms)),
    fact("Users", `${count(status.vus)} of ${count(status.vus_made)}`),
    fact("Iterations", count(status.iterations)),
    status.dropped > 0 ? fact("Dropped", count(status.dropped), "warning") : null,
    status.generator ? fact("Generator", status.generator, "warning wide") : null,
  );
}

/** The buttons; told the state whenever it changes. */
function buttons(controls: HTMLElement, trouble: HTMLElement, id: string): (status: Status) => void {
  const order = (name: string, body: unknown = {}) => {
    post(`runs/${encodeURIComponent(id)}/${name}`, body)
      .then(() => fill(trouble))
      .catch((error: unknown) => fill(trouble, problem(error)));
  };
  const stop = h("button", { type: "button", class: "danger", click: () => order("stop") }, "Stop");
  let paused = false;
  const pause = h("button", { type: "button", click: () => order(paused ? "resume" : "pause") }, "Pause");
  const vus = h("input", { type: "number", min: 0, name: "vus", "aria-label": "Users that run" });
  const crew = h("select", { name: "crew", "aria-label": "Scenario that gets the users" });
  const scale = h(
    "form",
    { class: "scale" },
    h("label", {}, "Users ", vus),
    crew,
    h("button", { type: "submit" }, "Set"),
  );
  scale.addEventListener("submit", (event) => {
    event.preventDefault();
    order("scale", { vus: Number(vus.value), ...(crew.hidden ? {} : { scenario: crew.value }) });
  });
  const wanted = h("input", { type: "text", name: "rate", placeholder: "500/s", "aria-label": "Planned rate" });
  const which = h("select", { name: "scenario", "aria-label": "Scenario that gets the rate" });
  const change = h(
    "form",
    { class: "scale" },
    h("label", {}, "Rate ", wanted),
    which,
    h("button", { type: "submit" }, "Set"),
  );
  change.addEventListener("submit", (event) => {
    event.preventDefault();
    order("scale", { rate: wanted.value.trim(), scenario: which.value });
  });
  fill(controls, stop, pause, scale, change);
  let known = false;
  let open = "";
  let crews = "none yet";
  return (status) => {
    paused = status.paused;
    fill(pause, paused ? "Go on" : "Pause");
    stop.disabled = status.phase === "stopping" || status.phase === "over";
    const looping = status.scenarios.filter((s) => s.loops && !s.done).map((s) => s.name);
    scale.hidden = looping.length === 0;
    if (looping.join("\n") !== crews) {
      crews = looping.join("\n");
      fill(crew, ...looping.map((name) => h("option", { value: name }, name)));
      crew.hidden = looping.length < 2;
    }
    const planned = status.scenarios.filter((s) => s.rate !== null && !s.done);
    change.hidden = planned.length === 0;
    const names = planned.map((s) => s.name);
    if (names.join("\n") !== open) {
      open = names.join("\n");
      fill(which, ...names.map((name) => h("option", { value: name }, name)));
      which.hidden = names.length < 2;
      const first = planned[0]?.rate ?? null;
      wanted.value = first === null ? "" : `${Number(first.toPrecision(6))}/s`;
    }
    if (!known) {
      vus.value = String(status.vus);
      known = status.phase === "running";
    }
  };
}
