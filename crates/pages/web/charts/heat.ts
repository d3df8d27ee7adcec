// The heat map of latencies: time from left to right, duration from bottom to top, darker where more requests are. It
// shows what percentiles hide: two peaks, bands, stalls.

import type { Heat } from "../data.ts";
import { count, duration } from "../format.ts";
import type { Palette } from "../theme.ts";
import { timeAxes, timeScale } from "./figure.ts";
import type { Data, Drawing, Plot } from "./figure.ts";
import { timeSeries } from "./lines.ts";

/** Powers of ten between which marks stand, and their multiples. */
const MARKS = [1, 2, 5];
/** Columns that are drawn at most; more are put together. */
const COLUMNS = 480;

/** The heat map; none without values. */
export function heatMap(colours: Palette, whole: Heat): Drawing | null {
  const heat = thinned(whole);
  const most = heat.counts.reduce((a, column) => column.reduce((b, n) => Math.max(b, n), a), 0);
  const height = heat.counts.reduce((a, column) => Math.max(a, column.length), 0);
  if (most === 0 || heat.t.length < 2) return null;
  const picture = paint(heat, height, most, colours);
  const [from, until] = [heat.t[0] ?? 0, heat.t[heat.t.length - 1] ?? 1];
  const [low, high] = [heat.low / heat.per_octave, (heat.low + height) / heat.per_octave];
  const starts = heat.t.slice(0, -1);
  return {
    summary: inWords(heat),
    data: [[from, ...starts.slice(1), until], [...starts, until].map(() => null)] as Data,
    options: {
      legend: { show: false },
      series: [timeSeries(), { label: "Requests", points: { show: false } }],
      axes: [
        ...(timeAxes(colours, duration)?.slice(0, 1) ?? []),
        {
          size: 70,
          stroke: colours.faint,
          font: "12px system-ui, sans-serif",
          grid: { show: false },
          ticks: { show: false },
          splits: (_, __, min, max) => marks(min, max),
          values: (_, ticks) => ticks.map((tick) => duration(2 ** tick)),
        },
      ],
      scales: { ...timeScale(), y: { range: [low, high] } },
      hooks: {
        draw: [(plot) => blit(plot, picture, [from, until], [low, high])],
        setCursor: [(plot) => readOut(plot, heat)],
      },
    },
    numbers: () => table(heat),
  };
}

/** Fewer columns with the same counts. */
function thinned(heat: Heat): Heat {
  const step = Math.ceil(heat.counts.length / COLUMNS);
  if (step <= 1) return heat;
  const counts: number[][] = [];
  const t: number[] = [];
  for (let at = 0; at < heat.counts.length; at += step) {
    const group = heat.counts.slice(at, at + step);
    const length = group.reduce((a, column) => Math.max(a, column.length), 0);
    counts.push(Array.from({ length }, (_, i) => group.reduce((sum, column) => sum + (column[i] ?? 0), 0)));
    t.push(heat.t[at] ?? 0);
  }
  t.push(heat.t[heat.t.length - 1] ?? 0);
  return { ...heat, counts, t };
}

/** Where powers of ten and their multiples lie, in octaves. */
function marks(min: number, max: number): number[] {
  const decades = (max - min) * Math.log10(2);
  const found = [];
  for (let power = Math.floor(min * Math.log10(2)); power <= max * Math.log10(2); power += 1) {
    for (const factor of decades > 3 ? [1] : MARKS) {
      const at = Math.log2(factor * 10 ** power);
      if (at >= min && at <= max) found.push(at);
    }
  }
  return found;
}

/** One pixel per cell. */
function paint(heat: Heat, height: number, most: number, colours: Palette): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = heat.counts.length;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (!context) return canvas;
  const image = context.createImageData(canvas.width, canvas.height);
  const steps = ramp(colours.heat);
  for (const [x, column] of heat.counts.entries()) {
    for (const [y, n] of column.entries()) {
      if (n === 0) continue;
      const share = Math.log1p(n) / Math.log1p(most);
      const [r, g, b] = steps[Math.round(share * (steps.length - 1))] ?? [0, 0, 0];
      image.data.set([r, g, b, 255], ((height - 1 - y) * canvas.width + x) * 4);
    }
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

/** 64 colours between the given ones. */
function ramp(colours: string[]): [number, number, number][] {
  const stops = colours.map((colour) => {
    const n = Number.parseInt(colour.slice(1), 16);
    return [(n >> 16) & 255, (n >> 8) & 255, n & 255] as [number, number, number];
  });
  return Array.from({ length: 64 }, (_, i) => {
    const place = (i / 63) * (stops.length - 1);
    const at = Math.min(Math.floor(place), stops.length - 2);
    const [a, b, part] = [stops[at] ?? [0, 0, 0], stops[at + 1] ?? [0, 0, 0], place - at];
    const mix = (k: 0 | 1 | 2) => Math.round((a[k] ?? 0) + ((b[k] ?? 0) - (a[k] ?? 0)) * part);
    return [mix(0), mix(1), mix(2)];
  });
}

/** Puts the picture where the scales say. */
function blit(plot: Plot, picture: HTMLCanvasElement, [from, until]: [number, number], [low, high]: [number, number]): void {
  const { left, top, width, height } = plot.bbox;
  const x = plot.valToPos(from, "x", true);
  const y = plot.valToPos(high, "y", true);
  const context = plot.ctx;
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  context.imageSmoothingEnabled = false;
  context.drawImage(picture, x, y, plot.valToPos(until, "x", true) - x, plot.valToPos(low, "y", true) - y);
  context.restore();
}

/** The cell under the cursor, told by the title of the drawing. */
function readOut(plot: Plot, heat: Heat): void {
  const { left, top } = plot.cursor;
  if (left === undefined || top === undefined || left < 0 || top < 0) return;
  const [time, octave] = [plot.posToVal(left, "x"), plot.posToVal(top, "y")];
  const column = heat.t.findLastIndex((t) => t <= time);
  const bucket = Math.floor(octave * heat.per_octave) - heat.low;
  const n = heat.counts[column]?.[bucket] ?? 0;
  const edge = (at: number) => duration(2 ** ((heat.low + at) / heat.per_octave));
  plot.over.title = `${Math.round(heat.t[column] ?? 0)} s: ${count(n)} requests from ${edge(bucket)} to ${edge(bucket + 1)}`;
}

function totals(heat: Heat): number[] {
  const length = heat.counts.reduce((a, column) => Math.max(a, column.length), 0);
  return Array.from({ length }, (_, i) => heat.counts.reduce((sum, column) => sum + (column[i] ?? 0), 0));
}

function inWords(heat: Heat): string {
  const all = totals(heat);
  const sum = all.reduce((a, n) => a + n, 0);
  const peak = all.indexOf(Math.max(...all));
  const edge = (at: number) => duration(2 ** ((heat.low + at) / heat.per_octave));
  return `Where the ${count(sum)} responses lie in time and duration; most often between ${edge(peak)} and ${edge(peak + 1)}.`;
}

function table(heat: Heat): { heads: string[]; rows: string[][] } {
  const edge = (at: number) => duration(2 ** ((heat.low + at) / heat.per_octave));
  const rows = totals(heat).map((n, at) => [`${edge(at)} to ${edge(at + 1)}`, count(n)]);
  return { heads: ["Duration", "Requests"], rows };
}
