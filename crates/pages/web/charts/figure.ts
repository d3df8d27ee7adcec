// A chart in its frame: heading, the same in words, the drawing, and its numbers as a table for those who want them.
// All charts over time share the cursor and the stretch of time that is looked at.

import { fill, h, uniqueId } from "../dom.ts";
import { clock } from "../format.ts";
import { offTheme, onTheme, palette } from "../theme.ts";
import type { Palette } from "../theme.ts";

// `uPlot` is a global: the library stands in front of our script.
export type Plot = uPlot;
export type Options = uPlot.Options;
export type Data = uPlot.AlignedData;

/** What a chart is made of. It is asked again when the colours or the data change. */
export interface Drawing {
  /** What can be seen, in a sentence or two. */
  summary: string;
  data: Data;
  options: Omit<Options, "width" | "height">;
  /** Headings and rows of the same numbers. */
  numbers?: () => { heads: string[]; rows: string[][] };
}

export interface Spec {
  /** What findings call it. */
  id: string;
  title: string;
  /** One sentence about how to read it. */
  hint?: string;
  height?: number;
  /** Whether the x axis is the time of the run. */
  overTime: boolean;
  /** Whether it can be switched between a logarithmic and a linear scale. */
  scales?: boolean;
  draw: (palette: Palette, logarithmic: boolean) => Drawing | null;
}

/** Charts over time that are on the page. */
const together = new Set<Figure>();
const CURSOR = "time";
/** Rows in the table below a chart. */
const NUMBERS = 60;

export class Figure {
  readonly element: HTMLElement;
  private plot: Plot | null = null;
  private readonly canvas: HTMLElement;
  private readonly summary: HTMLElement;
  private readonly redrawn = () => this.redraw();
  private readonly watcher: ResizeObserver;
  private logarithmic = true;
  private range: [number, number] | null = null;
  private width = 0;

  private readonly spec: Spec;

  constructor(spec: Spec) {
    this.spec = spec;
    const id = uniqueId();
    this.summary = h("p", { class: "summary", id: `${id}-s` });
    this.canvas = h("div", { class: "canvas", role: "img", "aria-labelledby": `${id}-t`, "aria-describedby": `${id}-s` });
    const body = h("div", {});
    const details = h("details", { class: "numbers" }, h("summary", {}, "Numbers"), body);
    details.addEventListener("toggle", () => this.list(details, body));
    this.element = h(
      "figure",
      { class: "chart", "data-chart": spec.id },
      h("figcaption", {}, h("h3", { id: `${id}-t` }, spec.title), spec.scales ? this.scaleSwitch() : null),
      this.summary,
      this.canvas,
      spec.hint ? h("p", { class: "hint" }, spec.hint) : null,
      details,
    );
    // Drawn in the next frame: a drawing changes sizes itself.
    this.watcher = new ResizeObserver(() => requestAnimationFrame(() => this.fit()));
    this.watcher.observe(this.canvas);
    onTheme(this.redrawn);
    if (spec.overTime) together.add(this);
  }

  /** Draws it with the data of now. */
  redraw(): void {
    this.width = this.canvas.clientWidth;
    if (this.width === 0) return;
    const drawing = this.spec.draw(palette(), this.logarithmic);
    this.plot?.destroy();
    this.plot = null;
    this.element.hidden = drawing === null;
    if (drawing === null) return;
    fill(this.summary, drawing.summary);
    const options: Options = {
      ...drawing.options,
      width: this.width,
      height: this.spec.height ?? 260,
      cursor: {
        drag: { x: this.spec.overTime, y: false },
        points: { size: 6 },
        ...(this.spec.overTime ? { sync: { key: CURSOR, setSeries: false, scales: ["x", null] } } : {}),
        ...drawing.options.cursor,
      },
      hooks: this.spec.overTime ? withZoom(drawing.options.hooks ?? {}, this) : (drawing.options.hooks ?? {}),
    };
    fill(this.canvas);
    this.plot = new uPlot(options, drawing.data, this.canvas);
    if (this.range) this.plot.setScale("x", { min: this.range[0], max: this.range[1] });
  }

  /** New data in the same drawing, which is cheaper than a new one. */
  refresh(): void {
    const drawing = this.plot ? this.spec.draw(palette(), this.logarithmic) : null;
    // Hooks paint what their own drawing was made of, and scales with a fixed range keep it: new data alone would not show.
    const painted = drawing?.options.hooks !== undefined;
    if (!drawing || !this.plot || painted || drawing.data.length !== this.plot.data.length) {
      this.redraw();
      return;
    }
    fill(this.summary, drawing.summary);
    this.plot.setData(drawing.data, this.range === null);
    if (this.range !== null) this.plot.redraw();
  }

  /** Shows a stretch of time, or all of it. */
  show(range: [number, number] | null): void {
    this.range = range;
    if (!this.plot) return;
    const data = this.plot.data[0];
    const all: [number, number] = [data[0] ?? 0, data[data.length - 1] ?? 1];
    const [min, max] = range ?? all;
    this.plot.setScale("x", { min, max });
  }

  destroy(): void {
    this.watcher.disconnect();
    offTheme(this.redrawn);
    together.delete(this);
    this.plot?.destroy();
  }

  private fit(): void {
    const width = this.canvas.clientWidth;
    if (width === 0 || width === this.width) return;
    if (this.plot) {
      this.width = width;
      this.plot.setSize({ width, height: this.spec.height ?? 260 });
    } else {
      this.redraw();
    }
  }

  private scaleSwitch(): HTMLElement {
    const button = h("button", { type: "button", class: "quiet", "aria-pressed": "true" }, "Log scale");
    button.addEventListener("click", () => {
      this.logarithmic = !this.logarithmic;
      button.setAttribute("aria-pressed", String(this.logarithmic));
      this.redraw();
    });
    return button;
  }

  /** Fills the table when it is opened. */
  private list(details: HTMLDetailsElement, body: HTMLElement): void {
    if (!details.open) return;
    const drawing = this.spec.draw(palette(), this.logarithmic);
    const numbers = drawing?.numbers?.() ?? (drawing && this.plot ? overTime(drawing) : { heads: [], rows: [] });
    fill(
      body,
      h(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": `Numbers of ${this.spec.title}` },
        h(
          "table",
          {},
          h("caption", { class: "hidden" }, this.spec.title),
          h("thead", {}, h("tr", {}, numbers.heads.map((head) => h("th", { scope: "col" }, head)))),
          h(
            "tbody",
            {},
            numbers.rows.map((row) =>
              h("tr", {}, row.map((cell, at) => (at === 0 ? h("th", { scope: "row" }, cell) : h("td", { class: "number" }, cell)))),
            ),
          ),
        ),
      ),
    );
  }
}

/** Every chart over time shows this stretch; null is the whole run. */
export function showTime(range: [number, number] | null): void {
  for (const figure of together) figure.show(range);
}

/** The chart of that name. */
export function chartNamed(id: string): HTMLElement | null {
  return document.querySelector(`[data-chart="${CSS.escape(id)}"]`);
}

/** What all lines over time have in common. */
export function timeAxes(colours: Palette, format: (value: number) => string, logarithmic = false): Options["axes"] {
  const common = { stroke: colours.faint, grid: { stroke: colours.grid, width: 1 }, ticks: { show: false }, font: "12px system-ui, sans-serif" };
  return [
    { ...common, size: 30, space: 60, incrs: STEPS, values: (_, ticks) => ticks.map((t) => clock(t)) },
    {
      ...common,
      size: 70,
      values: (_, ticks) => ticks.map((tick) => (logarithmic && !roundTick(tick) ? "" : format(tick))),
    },
  ];
}

/** The scale of time: it begins with the run, not with the first value, so that all charts agree. */
export function timeScale(): Options["scales"] {
  return { x: { time: false, range: (plot, min, max) => [min <= (plot.data[0][0] ?? 0) ? 0 : min, max] } };
}

/** Distances between marks of time, in seconds. */
const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400];

/** Whether a mark of a logarithmic scale gets a label: 1, 2 and 5 of every power of ten. */
function roundTick(tick: number): boolean {
  const first = tick / 10 ** Math.floor(Math.log10(tick) + 1e-9);
  return [1, 2, 5].some((n) => Math.abs(first - n) < 1e-6);
}

/** Dragging over one chart shows that stretch in all; a double click shows everything again. */
function withZoom(hooks: NonNullable<Options["hooks"]>, figure: Figure): NonNullable<Options["hooks"]> {
  return {
    ...hooks,
    setSelect: [
      ...(hooks.setSelect ?? []),
      (plot) => {
        if (plot.select.width < 4) return;
        const min = plot.posToVal(plot.select.left, "x");
        const max = plot.posToVal(plot.select.left + plot.select.width, "x");
        for (const other of together) if (other !== figure) other.show([min, max]);
        figure.show([min, max]);
      },
    ],
    ready: [
      ...(hooks.ready ?? []),
      (plot) => plot.over.addEventListener("dblclick", () => showTime(null)),
    ],
  };
}

/** The series of a drawing over time as a table, thinned to a length one can read. */
function overTime(drawing: Drawing): { heads: string[]; rows: string[][] } {
  const series = drawing.options.series;
  const [x, ...columns] = drawing.data as unknown as (number | null)[][];
  if (!x) return { heads: [], rows: [] };
  const step = Math.ceil(x.length / NUMBERS);
  const rows: string[][] = [];
  for (let at = 0; at < x.length; at += step) {
    rows.push([
      clock(x[at]),
      ...columns.map((column, of) => {
        const value = column[at];
        const format = series[of + 1]?.value;
        return typeof format === "function" ? String(format(null as never, value as number, of + 1, at)) : String(value ?? "–");
      }),
    ]);
  }
  return { heads: ["Time", ...series.slice(1).map((one) => String(one.label))], rows };
}
