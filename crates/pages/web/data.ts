// What a page is given: the columns that `netload_pages::view` makes of a record, and how they get out of the file.
// Times of exchanges are milliseconds, times in a run seconds since the load began, shares from 0 to 1. A value that
// does not exist, or that its sample cannot carry, is null.

export type Column = (number | null)[];

/** Percentiles and the rest, one value per row each; which ones there are differs. */
export interface Quantiles {
  count?: Column;
  mean?: Column;
  min?: Column;
  p50?: Column;
  p75?: Column;
  p90?: Column;
  p95?: Column;
  p99?: Column;
  p999?: Column;
  max?: Column;
}

/** The load by seconds; in long runs by longer steps. */
export interface Rows {
  /** The end of each row. */
  t: number[];
  /** The length of each row. */
  span: number[];
  /** Requests per second. */
  rate: Column;
  /** Planned starts of iterations per second; null without a plan. */
  planned: Column;
  /** Started iterations per second. */
  started: Column;
  /** Planned starts that were given up, per second. */
  dropped: Column;
  /** Failed requests per second. */
  failed: Column;
  vus: Column;
  vus_max: Column;
}

/** The main trends, in steps that carry percentiles. */
export interface Latency {
  /** The end of each row. */
  t: number[];
  /** The length of each row. */
  span: number[];
  /** Of the main trend, which is not always `http_req_duration`. */
  net: Quantiles;
  gross: Quantiles;
  tare: Quantiles;
  response: Quantiles;
}

/** Counts by time and size; a bucket holds (2^(i/per_octave), 2^((i+1)/per_octave)] milliseconds. */
export interface Heat {
  per_octave: number;
  /** The index of the first bucket of every column. */
  low: number;
  /** The start of each column, and last the end. */
  t: number[];
  /** One list of counts per column. */
  counts: number[][];
}

export interface Histogram {
  per_octave: number;
  low: number;
  counts: number[];
}

export interface Metric {
  name: string;
  kind: "counter" | "gauge" | "rate" | "trend";
  contains: "time" | "data" | "default";
  values: Record<string, number | null>;
  /** By percentile, between what it lies; the upper end is null when the sample cannot say. */
  intervals?: Record<string, [number, number | null]>;
  /** By percentile, how many values it takes, where there are too few. */
  needs?: Record<string, number>;
}

/** All metrics over time, in coarser steps. */
export interface Spans {
  t: number[];
  metrics: { name: string; kind: Metric["kind"]; contains: Metric["contains"]; columns: Record<string, Column> }[];
}

/** One name, group, scenario, host, address or protocol. */
export interface Part {
  label: string;
  requests?: number;
  rate?: number;
  failed?: number;
  iterations?: number;
  dropped?: number;
  passes?: number;
  fails?: number;
  net?: Record<string, number | null>;
  waiting?: Record<string, number | null>;
  iteration?: Record<string, number | null>;
  group?: Record<string, number | null>;
  /** Over the run, in equal steps: requests (or iterations) per second, p95, failed per second. */
  spark?: { rate?: Column; p95?: Column; failed?: Column };
}

export interface Outcome {
  metric: string;
  expression: string;
  ok: boolean;
  value: number | null;
  kind: Metric["kind"];
  contains: Metric["contains"];
}

export interface Failure {
  code: string;
  text: string;
  count: number;
  first_s: number | null;
  last_s: number | null;
  spark: Column;
}

export interface Status {
  status: string;
  count: number;
  spark: Column;
}

export interface Check {
  group: string;
  name: string;
  passes: number;
  fails: number;
}

export interface Finding {
  rule: string;
  severity: "note" | "warning" | "problem";
  title: string;
  sentence: string;
  /** Nanoseconds since the run started, as everywhere outside of pages. */
  since_ns: number;
  until_ns: number;
  /** A chart, or a section. */
  chart: string;
  evidence: unknown;
}

export interface Spread {
  count: number;
  p50?: number;
  p99?: number;
  max?: number;
}

/** One step of the generator's evidence; see docs/generator.md. */
export interface Evidence {
  at_s: number;
  span_s: number;
  verdict: string;
  tare_ms: Spread;
  lateness_ms: Spread;
  all_busy: number;
  worker_run: number | null;
  worker_wait: number | null;
  machine_busy: number | null;
  own_cpu: number | null;
  steal: number | null;
  throttled: number | null;
  ports_used: number | null;
  files_used: number | null;
}

export interface Generator {
  verdict: string;
  since_s: number | null;
  until_s: number | null;
  cause: string | null;
  detail: string;
  meaning: string;
  episodes: { verdict: string; since_s: number; until_s: number; cause: string; detail: string }[];
  evidence: Evidence[];
  contradictions: string[];
  unread: { quantity: string; reason: string; effect: string }[];
  clean_window: { seconds: number; net: Spread; gross: Spread } | null;
}

export interface Head {
  id: string;
  /** Milliseconds since 1970. */
  started_ms: number;
  command: string;
  title: string;
  labels: Record<string, string>;
  tool_version: string;
  host: string;
  workers: number;
}

export interface View {
  format: number;
  head: Head;
  state: "running" | "finished" | "interrupted";
  ended: { exit_code: number; sentence: string; failed: boolean } | null;
  elapsed_s: number;
  totals: {
    requests: number;
    failed: number;
    iterations: number;
    planned: number | null;
    started: number;
    dropped: number;
    vus_max: number;
  };
  /** The trend that stands for the run. */
  main: string;
  rows: Rows;
  latency: Latency;
  heat: Heat | null;
  histogram: Histogram | null;
  metrics: Metric[];
  spans: Spans;
  names: Part[];
  groups: Part[];
  scenarios: Part[];
  hosts: Part[];
  addresses: Part[];
  protocols: Part[];
  statuses: Status[];
  errors: Failure[];
  checks: Check[];
  thresholds: Outcome[];
  generator: Generator | null;
  accuracy: Record<string, unknown> | null;
  findings: Finding[];
  options: unknown;
  script: string | null;
  /** Sentences about what the record does not hold. */
  notes: string[];
}

/** What a second adds to a page that is open while the run goes on; columns of one row. */
export interface Row {
  t: number;
  span: number;
  rate: number | null;
  planned: number | null;
  started: number | null;
  dropped: number | null;
  failed: number | null;
  vus: number | null;
  vus_max: number | null;
  net: Partial<Record<keyof Quantiles, number | null>>;
  gross: Partial<Record<keyof Quantiles, number | null>>;
  tare: Partial<Record<keyof Quantiles, number | null>>;
  response: Partial<Record<keyof Quantiles, number | null>>;
  /** Counts of the heat map: the index of the first bucket, and the counts from there. */
  heat: { low: number; counts: number[] };
}

/** The data of a report file: JSON, compressed with gzip, in base64. */
export async function unpack(base64: string): Promise<View> {
  const bytes = Uint8Array.from(atob(base64.trim()), (c) => c.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(plain).json()) as View;
}
