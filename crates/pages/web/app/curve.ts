// The load of a test over time, as a drawing and in words.

import { h, svg } from "../dom.ts";
import { clock, plain } from "../format.ts";

export interface Curve {
  scenario: string;
  unit: string;
  points: [number, number][];
}

const WIDTH = 640;
const HEIGHT = 160;
const LEFT = 56;
const BELOW = 22;
const ABOVE = 10;

/** Every scenario as a filled line. */
export function drawing(curves: Curve[]): HTMLElement {
  const units = [...new Set(curves.map((curve) => curve.unit))];
  return h("div", { class: "curves" }, units.map((unit) => one(unit, curves.filter((curve) => curve.unit === unit))));
}

function one(unit: string, curves: Curve[]): HTMLElement {
  const all = curves.flatMap((curve) => curve.points);
  const end = Math.max(...all.map(([t]) => t), 1e-9);
  const most = Math.max(...all.map(([, y]) => y), 1e-9);
  const x = (t: number) => LEFT + (t / end) * (WIDTH - LEFT - 4);
  const y = (value: number) => ABOVE + (1 - value / most) * (HEIGHT - ABOVE - BELOW);
  const floor = y(0);
  const shapes = curves.map(({ points }, at) => {
    const line = points.map(([t, value]) => `${x(t).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    const from = x(points[0]?.[0] ?? 0).toFixed(1);
    const until = x(points[points.length - 1]?.[0] ?? 0).toFixed(1);
    return [
      svg("polygon", { class: `area line-${at % 6}`, points: `${from},${floor} ${line} ${until},${floor}` }),
      svg("polyline", { class: `stroke line-${at % 6}`, points: line }),
    ];
  });
  const words = `From 0 to ${plain(most)} ${unit} at most, over ${clock(end)}.`;
  const label = (at: [number, number], text: string, anchor: string) => svg("text", { x: at[0], y: at[1], "text-anchor": anchor }, text);
  return h(
    "figure",
    { class: "curve" },
    h("figcaption", {}, `Load in ${unit}`),
    svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": words },
      svg("line", { class: "axis", x1: LEFT, x2: WIDTH, y1: floor, y2: floor }),
      svg("line", { class: "axis faint", x1: LEFT, x2: WIDTH, y1: y(most), y2: y(most) }),
      shapes,
      label([LEFT - 6, y(most) + 4], plain(most), "end"),
      label([LEFT - 6, floor + 4], "0", "end"),
      label([LEFT, HEIGHT - 4], "0:00", "start"),
      label([WIDTH - 2, HEIGHT - 4], clock(end), "end"),
    ),
  );
}
