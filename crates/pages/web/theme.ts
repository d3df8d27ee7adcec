// Light and dark: what the system says, what the reader chose, and always light on paper.

/** The colours that canvases need, out of the style sheet. */
export interface Palette {
  text: string;
  faint: string;
  grid: string;
  surface: string;
  bands: string[];
  lines: string[];
  bad: string;
  warning: string;
  heat: string[];
}

const CHOSEN = "netload-theme";
const listeners = new Set<() => void>();

/** The colours of now. */
export function palette(): Palette {
  const style = getComputedStyle(document.documentElement);
  const one = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const several = (name: string, n: number) => Array.from({ length: n }, (_, i) => one(`${name}-${i}`));
  return {
    text: one("text"),
    faint: one("faint"),
    grid: one("grid"),
    surface: one("surface"),
    bands: several("band", 6),
    lines: several("line", 6),
    bad: one("bad"),
    warning: one("warning"),
    heat: several("heat", 6),
  };
}

/** Whoever draws with colours is told when they change. */
export function onTheme(listener: () => void): void {
  listeners.add(listener);
}

/** Nobody draws any more. */
export function offTheme(listener: () => void): void {
  listeners.delete(listener);
}

/** Whether dark colours are shown. */
export function isDark(): boolean {
  const chosen = document.documentElement.dataset["theme"];
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/** Changes to the other colours; the choice is kept where the browser lets us. */
export function toggle(): void {
  const theme = isDark() ? "light" : "dark";
  document.documentElement.dataset["theme"] = theme;
  try {
    localStorage.setItem(CHOSEN, theme);
  } catch {
    // A file without storage forgets it.
  }
  tell();
}

/** Takes up an earlier choice and listens to the system and the printer. */
export function follow(): void {
  try {
    const chosen = localStorage.getItem(CHOSEN);
    if (chosen) document.documentElement.dataset["theme"] = chosen;
  } catch {
    // Then the system decides.
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", tell);
  let before: string | undefined;
  addEventListener("beforeprint", () => {
    before = document.documentElement.dataset["theme"];
    document.documentElement.dataset["theme"] = "light";
    tell();
  });
  addEventListener("afterprint", () => {
    if (before) document.documentElement.dataset["theme"] = before;
    else delete document.documentElement.dataset["theme"];
    tell();
  });
}

function tell(): void {
  for (const listener of listeners) listener();
}
