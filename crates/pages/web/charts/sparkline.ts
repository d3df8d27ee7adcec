// A line as small as a word. It follows the colour of the text around it, on paper too.

import type { Column } from "../data.ts";
import { svg } from "../dom.ts";

const WIDTH = 90;
const HEIGHT = 22;

/** The line, and in words what it goes from and to; without values nothing. */
export function sparkline(values: Column | undefined, kind: string, words: string): SVGElement | null {
  const known = (values ?? []).filter((value) => value !== null);
  if (!values || known.length < 2) return null;
  const most = Math.max(...known);
  if (most <= 0) return null;
  const step = WIDTH / (values.length - 1);
  let path = "";
  let pen = "M";
  for (const [at, value] of values.entries()) {
    if (value === null) {
      pen = "M";
      continue;
    }
    path += `${pen}${(at * step).toFixed(1)} ${(HEIGHT - 1 - (value / most) * (HEIGHT - 3)).toFixed(1)}`;
    pen = "L";
  }
  return svg(
    "svg",
    { class: `spark ${kind}`, viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, role: "img", "aria-label": words },
    svg("path", { d: path, fill: "none", stroke: "currentColor", "stroke-width": 1.3, "vector-effect": "non-scaling-stroke" }),
  );
}
