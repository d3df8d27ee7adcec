// The distribution of a whole run on a logarithmic axis, with its percentiles marked.

import type { Histogram } from "../data.ts";
import { count, duration, percent } from "../format.ts";
import type { Palette } from "../theme.ts";
import type { Data, Drawing, Plot } from "./figure.ts";

/** Bars; `marked` are percentiles by their names. */
export function histogram(colours: Palette, all: Histogram, marked: [string, number][], logarithmic: boolean): Drawing | null {
  const total = all.counts.reduce((a, n) => a + n, 0);
  if (total === 0) return null;
  const edge = (at: number) => (all.low + at) / all.per_octave;
  const x = all.counts.map((_, at) => edge(at + 0.5));
  const bars = uPlot.paths.bars;
  const font = "12px system-ui, sans-serif";
  const axis = { stroke: colours.faint, grid: { stroke: colours.grid, width: 1 }, ticks: { show: false }, font };
  const least = logarithmic ? 0.8 : 0;
  return {
    summary: inWords(total, marked),
    data: [x, all.counts.map((n) => (n > 0 || !logarithmic ? n : null))] as Data,
    options: {
      cursor: { drag: { x: false, y: false } },
      series: [
        { label: "Duration", value: (_, at) => (at === null || at === undefined ? "–" : `about ${duration(2 ** at)}`) },
        {
          label: "Requests",
          stroke: colours.lines[0] ?? colours.text,
          fill: `${colours.lines[0] ?? colours.text}99`,
          points: { show: false },
          value: (_, n) => (n === null || n === undefined ? "–" : `${count(n)} (${percent(n / total)})`),
          ...(bars ? { paths: bars({ size: [1, 60], gap: 1 }) } : {}),
        },
      ],
      axes: [
        { ...axis, size: 30, splits: (_, __, min, max) => marks(min, max), values: (_, ticks) => ticks.map((t) => duration(2 ** t)) },
        { ...axis, size: 70, values: (_, ticks) => ticks.map((n) => label(n, logarithmic)) },
      ],
      scales: {
        x: { time: false, range: [edge(0), edge(all.counts.length)] },
        y: { distr: logarithmic ? 3 : 1, range: (_, __, most) => [least, (most || 1) * (logarithmic ? 2 : 1.1)] },
      },
      hooks: { draw: [(plot) => mark(plot, marked, colours)] },
    },
    numbers: () => ({
      heads: ["Duration", "Requests", "Share"],
      rows: all.counts
        .map((n, at) => [`${duration(2 ** edge(at))} to ${duration(2 ** edge(at + 1))}`, count(n), percent(n / total)])
        .filter((_, at) => all.counts[at] !== 0),
    }),
  };
}

/** The label of a mark: on a logarithmic scale only powers of ten have one. */
function label(n: number | null, logarithmic: boolean): string {
  if (n === null || (logarithmic && !Number.isInteger(Math.log10(n)))) return "";
  return count(n);
}

function inWords(total: number, marked: [string, number][]): string {
  const told = marked.map(([name, ms]) => `${name} ${duration(ms)}`).join(", ");
  return `${count(total)} responses${told ? `: ${told}` : ""}.`;
}

/** Powers of ten, and their multiples where there is room; in octaves. */
function marks(min: number, max: number): number[] {
  const factors = (max - min) * Math.log10(2) > 2.5 ? [1] : [1, 2, 5];
  const found = [];
  for (let power = Math.floor(min * Math.log10(2)); power <= max * Math.log10(2); power += 1) {
    for (const factor of factors) {
      const at = Math.log2(factor * 10 ** power);
      if (at >= min && at <= max) found.push(at);
    }
  }
  return found;
}

/** Vertical lines with their names; names that would stand on each other go one line down. */
function mark(plot: Plot, marked: [string, number][], colours: Palette): void {
  const { ctx: context, bbox } = plot;
  const ratio = devicePixelRatio || 1;
  context.save();
  context.font = `${12 * ratio}px system-ui, sans-serif`;
  context.textBaseline = "top";
  context.textAlign = "left";
  let row = 0;
  let last = -Infinity;
  for (const [name, ms] of marked) {
    const x = plot.valToPos(Math.log2(ms), "x", true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    const width = context.measureText(name).width;
    row = x - last < width + 8 * ratio ? row + 1 : 0;
    last = x;
    context.strokeStyle = colours.faint;
    context.setLineDash([3 * ratio, 3 * ratio]);
    context.lineWidth = ratio;
    context.beginPath();
    context.moveTo(x, bbox.top);
    context.lineTo(x, bbox.top + bbox.height);
    context.stroke();
    const left = x + width + 6 * ratio > bbox.left + bbox.width ? x - width - 4 * ratio : x + 4 * ratio;
    const top = bbox.top + (2 + row * 14) * ratio;
    context.fillStyle = colours.surface;
    context.fillRect(left - 2 * ratio, top, width + 4 * ratio, 13 * ratio);
    context.fillStyle = colours.text;
    context.fillText(name, left, top);
  }
  context.restore();
}
