// Numbers as people read them. Nothing here knows a metric by name; what is missing is a dash.

import type { Metric } from "./data.ts";

type Maybe = number | null | undefined;

const MISSING = "–";
/** Between a number and its unit, which stay in one line. */
const GAP = "\u00a0";

/** So many significant digits are shown. */
function digits(value: number, significant: number): string {
  if (value === 0) return "0";
  const before = Math.floor(Math.log10(Math.abs(value))) + 1;
  return value.toLocaleString("en", {
    minimumFractionDigits: 0,
    maximumFractionDigits: Math.max(0, significant - before),
  });
}

/** A duration in the unit that suits it; the argument is milliseconds. */
export function duration(ms: Maybe): string {
  if (ms === null || ms === undefined || !Number.isFinite(ms)) return MISSING;
  const size = Math.abs(ms);
  if (size === 0) return `0${GAP}ms`;
  if (size < 0.001) return `${digits(ms * 1e6, 3)}${GAP}ns`;
  if (size < 1) return `${digits(ms * 1e3, 3)}${GAP}µs`;
  if (size < 1_000) return `${digits(ms, 3)}${GAP}ms`;
  if (size < 60_000) return `${digits(ms / 1e3, 3)}${GAP}s`;
  return clock(ms / 1e3);
}

/** A whole number with its thousands apart. */
export function count(value: Maybe): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
  return Math.round(value).toLocaleString("en");
}

/** Any number, to four digits. */
export function plain(value: Maybe): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
  return Math.abs(value) >= 1e4 ? count(value) : digits(value, 4);
}

/** Per second. */
export function rate(value: Maybe): string {
  return value === null || value === undefined ? MISSING : `${value >= 1_000 ? count(value) : digits(value, 3)}/s`;
}

/** A share as a percentage. Shares that are nearly none or all are never rounded to none or all. */
export function percent(share: Maybe): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return MISSING;
  const value = share * 100;
  if (value === 0 || value === 100) return `${value}${GAP}%`;
  if (value < 0.01) return `<0.01${GAP}%`;
  if (value > 99.99 && value < 100) return `>99.99${GAP}%`;
  const places = value < 1 || (value > 99 && value < 100) ? 2 : 1;
  return `${value.toLocaleString("en", { maximumFractionDigits: places })}${GAP}%`;
}

/** Bytes in decimal units. */
export function bytes(value: Maybe): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  let size = Math.abs(value);
  let at = 0;
  while (size >= 1_000 && at < units.length - 1) {
    size /= 1_000;
    at += 1;
  }
  return `${value < 0 ? "-" : ""}${digits(size, 3)}${GAP}${units[at] ?? ""}`;
}

/** A moment of the run or a length of time: `0:07`, `12:30`, `1:02:03`. */
export function clock(seconds: Maybe): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return MISSING;
  const tenths = Math.round(seconds * 10);
  const whole = Math.floor(tenths / 10);
  const two = (n: number) => String(n).padStart(2, "0");
  const hours = Math.floor(whole / 3_600);
  const minutes = Math.floor(whole / 60) % 60;
  const fraction = tenths % 10 === 0 || whole >= 600 ? "" : `.${tenths % 10}`;
  const end = `${two(whole % 60)}${fraction}`;
  return hours > 0 ? `${hours}:${two(minutes)}:${end}` : `${minutes}:${end}`;
}

/** A length of time in words for sentences: `12.3 seconds`, `5 min 10 s`. */
export function span(seconds: Maybe): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return MISSING;
  if (seconds < 60) return `${digits(seconds, 3)}${GAP}s`;
  const whole = Math.round(seconds);
  const parts = [
    [Math.floor(whole / 3_600), "h"],
    [Math.floor(whole / 60) % 60, "min"],
    [whole % 60, "s"],
  ] as const;
  return parts
    .filter(([n]) => n > 0)
    .map(([n, unit]) => `${n}${GAP}${unit}`)
    .join(" ");
}

/** A value of a metric in its unit. */
export function inUnit(value: Maybe, contains: Metric["contains"]): string {
  if (contains === "time") return duration(value);
  if (contains === "data") return bytes(value);
  return plain(value);
}

/** `1 request`, `2 requests`. */
export function many(n: number, one: string, more = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : more}`;
}

/** A moment in local time. */
export function moment(unixMs: number): string {
  return new Date(unixMs).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
}
