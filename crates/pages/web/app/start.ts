// The first page: the form that starts a test, what it would do, and the tests that run.

import { h, fill, uniqueId } from "../dom.ts";
import { clock, rate } from "../format.ts";
import { get, post, problem } from "./api.ts";
import type { Running } from "./api.ts";
import { drawing } from "./curve.ts";
import type { Curve } from "./curve.ts";

/** Milliseconds of quiet before the preview is asked for. */
const QUIET = 250;
/** Milliseconds between two looks at what runs. */
const LOOK = 2_000;

interface Preview {
  title: string;
  script: string | null;
  curves: Curve[];
}

type Fields = Record<string, HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>;

/** The shapes of load, with the fields they have. */
const SHAPES: { name: string; title: string; fields: string[]; about: string }[] = [
  { name: "vus", title: "Constant users", fields: ["vus", "duration"], about: "Each user starts again when it is done." },
  { name: "ramp-vus", title: "Ramping users", fields: ["vus", "stages"], about: "From the first number through the stages." },
  { name: "rate", title: "Constant rate", fields: ["rate", "duration", "vus", "max_vus"], about: "Starts are planned in time, whatever the server does." },
  { name: "ramp-rate", title: "Ramping rate", fields: ["rate", "stages", "vus", "max_vus"], about: "The planned rate goes through the stages." },
  { name: "iterations", title: "Number of iterations", fields: ["vus", "iterations", "duration"], about: "Users share so many iterations; the duration is the most it may take." },
  { name: "manual", title: "By hand", fields: ["vus", "max_vus", "duration"], about: "The number of users is changed while the test runs." },
  { name: "script", title: "As the script says", fields: [], about: "The script's own options decide." },
];

export function startPage(content: HTMLElement): () => void {
  const fields: Fields = {};
  const field = (name: string, label: string, input: Fields[string], hint = "") => {
    const id = uniqueId();
    input.id = id;
    input.setAttribute("name", name);
    fields[name] = input;
    return h("div", { class: "field", "data-field": name }, h("label", { for: id }, label), input, hint ? h("p", { class: "hint" }, hint) : null);
  };
  const text = (value = "", placeholder = "") => h("input", { type: "text", value, placeholder, spellcheck: "false", autocomplete: "off" });
  const number = (value: number, step = "1") => h("input", { type: "number", min: 0, step, value });
  const choice = (options: [string, string][]) => h("select", {}, options.map(([value, title]) => h("option", { value }, title)));
  const area = (rows: number, placeholder = "") => h("textarea", { rows, placeholder, spellcheck: "false" });

  const stages = stageList(() => changed());
  const curves = h("div", { class: "preview", "aria-live": "polite" });
  const preview = h("div", {});
  const about = h("p", { class: "hint" });
  const answer = h("div", {});
  const running = h("div", {});
  const button = h("button", { type: "submit", class: "main" }, "Start the test");

  const form = h(
    "form",
    { class: "start", novalidate: true },
    h(
      "fieldset",
      {},
      h("legend", {}, "What"),
      field("kind", "Test", choice([["url", "A URL"], ["file", "A script on this machine"], ["script", "A script written here"]])),
      h("div", { class: "row", "data-kind": "url" }, field("method", "Method", choice(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"].map((m) => [m, m]))), field("url", "URL", text("", "http://127.0.0.1:8080/"))),
      h("details", { "data-kind": "url" }, h("summary", {}, "Headers, body, expected status"), field("headers", "Headers", area(2, "accept: application/json"), "One on each line: name: value"), field("body", "Body", area(3)), field("expect", "Expected status", number(0), "0: every status below 400")),
      h("div", { "data-kind": "file" }, field("file", "Path of the script", text("", "/home/me/script.js"))),
      h("div", { "data-kind": "script" }, field("script", "Script", area(12, "import http from 'k6/http';"))),
    ),
    h(
      "fieldset",
      {},
      h("legend", {}, "How much"),
      field("shape", "Shape of the load", choice(SHAPES.map(({ name, title }) => [name, title]))),
      about,
      h(
        "div",
        { class: "row" },
        field("vus", "Users", number(10)),
        field("max_vus", "Users at most", number(100)),
        field("rate", "Iterations per second", number(100, "any")),
        field("iterations", "Iterations", number(1_000)),
        field("duration", "Duration", text("30s"), "Such as 30s or 1m30s"),
      ),
      h("div", { class: "field", "data-field": "stages" }, stages.element),
      curves,
    ),
    h(
      "fieldset",
      {},
      h("legend", {}, "When is it good"),
      field("thresholds", "Thresholds", area(2, "http_req_duration: p(95)<500"), "One on each line: metric: condition"),
      field("labels", "Labels", text("", "branch=main, build=17"), "They tell runs apart in the history"),
    ),
    preview,
    answer,
    h("p", { class: "actions" }, button),
  );

  const wanted = () => document_(fields, stages.value());
  let timer = 0;
  let asked = 0;
  const look = async () => {
    asked += 1;
    const own = asked;
    try {
      const shown = await post<Preview>("preview", wanted());
      if (own !== asked) return;
      fill(curves, shown.curves.length > 0 ? drawing(shown.curves) : null);
      fill(
        preview,
        shown.script ? h("details", {}, h("summary", {}, "The script that runs"), h("pre", { tabindex: 0 }, shown.script)) : null,
      );
    } catch (error) {
      if (own === asked) fill(curves, h("p", { class: "hint" }, error instanceof Error ? error.message : String(error)));
    }
  };
  const changed = () => {
    arrange(form, fields, about);
    clearTimeout(timer);
    timer = window.setTimeout(() => void look(), QUIET);
  };
  form.addEventListener("input", changed);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    button.disabled = true;
    fill(answer);
    post<{ id: string }>("runs", wanted())
      .then(({ id }) => {
        location.hash = `#/runs/${id}`;
      })
      .catch((error: unknown) => fill(answer, problem(error)))
      .finally(() => {
        button.disabled = false;
      });
  });
  fill(content, h("h1", {}, "Start a test"), h("div", { class: "columns" }, form, h("aside", { "aria-label": "Running tests" }, h("h2", {}, "Running now"), running)));
  arrange(form, fields, about);
  void look();

  const list = () => {
    get<{ running: Running[] }>("server")
      .then(({ running: all }) => fill(running, all.length > 0 ? h("ul", { class: "running" }, all.map(card)) : h("p", { class: "hint" }, "Nothing.")))
      .catch((error: unknown) => fill(running, problem(error)));
  };
  list();
  const looking = window.setInterval(list, LOOK);
  return () => {
    clearInterval(looking);
    clearTimeout(timer);
    asked += 1;
  };
}

function card(run: Running): HTMLElement {
  const status = run.status;
  const facts = status ? `${status.phase}, ${clock(status.elapsed_s)}, ${rate(status.rate)}` : "starting";
  return h("li", {}, h("a", { href: `#/runs/${run.id}` }, run.head?.title ?? run.id), h("p", { class: "hint" }, facts));
}

/** Shows the fields that the kind of test and the shape of its load have. */
function arrange(form: HTMLElement, fields: Fields, about: HTMLElement): void {
  const kind = fields["kind"]?.value ?? "url";
  for (const part of form.querySelectorAll<HTMLElement>("[data-kind]")) part.hidden = part.dataset["kind"] !== kind;
  const shape = fields["shape"] as HTMLSelectElement;
  for (const option of shape.options) if (option.value === "script") option.disabled = kind === "url";
  if (kind === "url" && shape.value === "script") shape.value = "vus";
  const chosen = SHAPES.find(({ name }) => name === shape.value);
  fill(about, chosen?.about);
  for (const name of ["vus", "max_vus", "rate", "iterations", "duration", "stages"]) {
    const part = form.querySelector<HTMLElement>(`[data-field="${name}"]`);
    if (part) part.hidden = !chosen?.fields.includes(name);
  }
}

/** The form as the document that the server takes. */
function document_(fields: Fields, stages: unknown[]): unknown {
  const value = (name: string) => fields[name]?.value.trim() ?? "";
  const lines = (name: string) => value(name).split("\n").map((line) => line.trim()).filter(Boolean);
  const pairs = (texts: string[], between: string) =>
    Object.fromEntries(texts.map((line) => {
      const at = line.indexOf(between);
      return at < 0 ? [line, ""] : [line.slice(0, at).trim(), line.slice(at + between.length).trim()];
    }));
  const kind = value("kind");
  const target: Record<string, unknown> =
    kind === "url"
      ? { url: value("url") || "http://127.0.0.1:8080/", method: value("method"), headers: pairs(lines("headers"), ":"), body: fields["body"]?.value ?? "" }
      : { [kind]: kind === "script" ? (fields["script"]?.value ?? "") : value("file") };
  if (kind === "url" && Number(value("expect")) > 0) target["expect"] = Number(value("expect"));
  const shape = value("shape");
  const load: Record<string, unknown> = { shape };
  for (const name of SHAPES.find((one) => one.name === shape)?.fields ?? []) {
    if (name === "stages") load[name] = stages;
    else if (name === "duration") load[name] = value(name);
    else load[name] = Number(value(name));
  }
  const thresholds: Record<string, string[]> = {};
  for (const line of lines("thresholds")) {
    // Tags stand in braces and have colons too.
    const at = line.indexOf(":", line.lastIndexOf("}") + 1);
    const metric = at < 0 ? "http_req_duration" : line.slice(0, at).trim();
    (thresholds[metric] ??= []).push(at < 0 ? line : line.slice(at + 1).trim());
  }
  return { target, load, thresholds, labels: pairs(value("labels").split(",").map((l) => l.trim()).filter(Boolean), "=") };
}

/** The stages of a ramp, one row each. */
function stageList(changed: () => void): { element: HTMLElement; value: () => unknown[] } {
  const body = h("tbody", {});
  const add = (duration: string, target: number) => {
    const row = h(
      "tr",
      {},
      h("td", {}, h("input", { type: "text", value: duration, "aria-label": "Duration of the stage", spellcheck: "false" })),
      h("td", {}, h("input", { type: "number", min: 0, value: target, "aria-label": "Load at its end" })),
      h("td", {}, h("button", { type: "button", class: "quiet", click: () => (row.remove(), changed()) }, "Remove")),
    );
    body.append(row);
  };
  add("10s", 20);
  add("30s", 20);
  add("10s", 0);
  const more = h("button", { type: "button", class: "quiet", click: () => (add("10s", 10), changed()) }, "Add a stage");
  const table = h("table", { class: "stages" }, h("caption", {}, "Stages"), h("thead", {}, h("tr", {}, ["Duration", "Load at its end", ""].map((head) => h("th", { scope: "col" }, head)))), body);
  const value = () =>
    [...body.rows].map((row) => {
      const [duration, target] = row.querySelectorAll("input");
      return { duration: duration?.value.trim() ?? "", target: Number(target?.value ?? 0) };
    });
  return { element: h("div", {}, table, more), value };
}
