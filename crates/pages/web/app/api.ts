// The server's API: documents in, documents out, refusals as errors with a sentence and a hint.

import { h } from "../dom.ts";

/** Why the server did not do it. */
export class Refused extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/api/v1/${path}`, {
      method,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    });
  } catch {
    throw new Refused("the server does not answer", "is netload still running?");
  }
  if (response.status === 204) return undefined as T;
  const document: unknown = await response.json().catch(() => ({}));
  if (response.ok) return document as T;
  const error = (document as { error?: { message?: string; hint?: string } }).error;
  throw new Refused(error?.message ?? `the server answered ${response.status}`, error?.hint ?? "");
}

export const get = <T>(path: string): Promise<T> => call<T>("GET", path);
export const post = <T>(path: string, body: unknown = {}): Promise<T> => call<T>("POST", path, body);
export const remove = (path: string): Promise<void> => call<void>("DELETE", path);

/** An error as a paragraph that is read out. */
export function problem(error: unknown): HTMLElement {
  const hint = error instanceof Refused ? error.hint : "";
  const message = error instanceof Error ? error.message : String(error);
  const sentence = message.charAt(0).toUpperCase() + message.slice(1);
  return h("p", { class: "mark bad", role: "alert" }, sentence, hint ? h("span", { class: "hint" }, ` – ${hint}`) : null);
}

/** Where a running test is. */
export interface Status {
  phase: string;
  elapsed_s: number;
  vus: number;
  vus_made: number;
  iterations: number;
  interrupted: number;
  dropped: number;
  requests: number;
  failed: number;
  rate: number;
  failed_rate: number;
  p50_ms: number | null;
  p99_ms: number | null;
  generator: string | null;
  paused: boolean;
  scalable: boolean;
  scenarios: { name: string; progress: number; vus: number; rate: number | null; loops: boolean; done: boolean }[];
  left_out: number;
}

export interface Head {
  id: string;
  title: string;
  command: string;
  labels: Record<string, string>;
  started_ms: number;
  workers: number;
}

export interface End {
  exit_code: number | null;
  sentence: string;
  failed: boolean;
  summary?: string;
}

/** A running test in one document. */
export interface Running {
  id: string;
  running: boolean;
  head: Head | null;
  status: Status | null;
  end: End | null;
  number: number;
}

export interface LogLine {
  time_ms: number;
  level: string;
  message: string;
  source?: string | null;
  fields: Record<string, string>;
}

export interface FailedRequest {
  time_ms: number;
  method: string;
  name: string;
  status: number;
  error: string;
  duration_ms: number;
}

/** An item of a ring with the number of its event. */
export interface Numbered<T> {
  number: number;
  item: T;
}
