// Lines over time: rate against plan, VUs, errors, anything with one value per row.

import type { Column } from "../data.ts";
import { timeAxes, timeScale } from "./figure.ts";
import type { Data, Drawing, Options } from "./figure.ts";
import type { Palette } from "../theme.ts";

export interface Line {
  label: string;
  values: Column;
  colour: string;
  dashed?: boolean;
  filled?: boolean;
  stepped?: boolean;
}

/** A drawing of lines with one scale; lines without any value are left out. */
export function lines(
  colours: Palette,
  t: number[],
  all: Line[],
  format: (value: number) => string,
  summary: string,
  logarithmic = false,
): Drawing | null {
  const shown = all.filter((line) => line.values.some((value) => value !== null));
  if (shown.length === 0 || t.length === 0) return null;
  const series: Options["series"] = [
    {},
    ...shown.map((line) => ({
      label: line.label,
      stroke: line.colour,
      width: 1.5,
      ...(line.dashed ? { dash: [6, 4] } : {}),
      ...(line.filled ? { fill: `${line.colour}22` } : {}),
      ...(line.stepped ? { paths: stepped() } : {}),
      points: { show: t.length < 3 },
      value: (_: unknown, value: number | null) => (value === null ? "–" : format(value)),
    })),
  ];
  series[0] = timeSeries();
  const values = shown.map((line) => (logarithmic ? line.values.map(positive) : line.values));
  return {
    summary,
    data: [t, ...values] as Data,
    options: {
      series,
      axes: timeAxes(colours, format, logarithmic) ?? [],
      scales: { ...timeScale(), y: logarithmic ? { distr: 3 } : { range: fromZero } },
    },
  };
}

/** The first series of every chart over time. */
export function timeSeries(): Options["series"][number] {
  return { label: "Time", value: (_, value) => (value === null || value === undefined ? "–" : clockOf(value)) };
}

/** Whole seconds as a clock. */
function clockOf(seconds: number): string {
  const whole = Math.round(seconds);
  const two = (n: number) => String(n).padStart(2, "0");
  const hours = Math.floor(whole / 3_600);
  const rest = `${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

/** A scale that begins at zero and has some air above. */
function fromZero(_: unknown, __: number, most: number): [number, number] {
  return [0, most > 0 ? most * 1.08 : 1];
}

/** A logarithmic scale has no place for zero. */
export function positive(value: number | null): number | null {
  return value !== null && value > 0 ? value : null;
}

function stepped() {
  const paths = uPlot.paths.stepped;
  return paths ? paths({ align: -1 }) : undefined;
}
