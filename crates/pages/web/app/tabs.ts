// The sections of a run in tabs, with the keys that tabs have: arrows, Home and End.

import { fill, h, uniqueId } from "../dom.ts";

export interface Tabs {
  element: HTMLElement;
  /** The sections may be new or other ones. */
  arrange(): void;
  /** Whether there are lists of a running test. */
  live(is: boolean): void;
  /** Shows the tab with a section, and the section. */
  reveal(section: string): void;
}

/** `groups`: sections of `body` by tab. `lists`: elements beside it that are tabs of their own. */
export function tabs(groups: [string, string[]][], body: HTMLElement, lists: [string, HTMLElement][]): Tabs {
  const names = [...groups.map(([name]) => name), ...lists.map(([name]) => name)];
  let chosen = 0;
  let isLive = true;
  body.id = uniqueId();
  const buttons = names.map((name, at) => {
    const panel = lists[at - groups.length]?.[1] ?? body;
    panel.id ||= uniqueId();
    return h("button", { type: "button", role: "tab", "aria-controls": panel.id, click: () => choose(at) }, name);
  });
  const element = h("div", { role: "tablist", class: "tabs", "aria-label": "Parts of the run" }, buttons);

  const sections = () => [...body.querySelectorAll<HTMLElement>(":scope > section[id]")];
  const tabOf = (id: string) => Math.max(0, groups.findIndex(([, ids]) => ids.includes(id)));
  const arrange = () => {
    for (const section of sections()) section.classList.toggle("off", tabOf(section.id) !== chosen);
    for (const [at, button] of buttons.entries()) {
      const own = at === chosen;
      button.setAttribute("aria-selected", String(own));
      button.tabIndex = own ? 0 : -1;
      // A tab without anything in it is not offered.
      const has = at >= groups.length ? isLive : at === 0 || sections().some((s) => tabOf(s.id) === at && !s.hidden);
      button.hidden = !has;
    }
    body.hidden = chosen >= groups.length;
    for (const [at, [, list]] of lists.entries()) list.hidden = chosen !== groups.length + at;
  };
  const choose = (at: number) => {
    chosen = at;
    arrange();
  };
  element.addEventListener("keydown", (event) => {
    const shown = buttons.filter((button) => !button.hidden);
    const at = shown.indexOf(buttons[chosen] as HTMLButtonElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: shown.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = shown[(to + shown.length) % shown.length];
    if (!next) return;
    choose(buttons.indexOf(next));
    next.focus();
  });
  fill(element, buttons);
  arrange();
  return {
    element,
    arrange,
    live(is) {
      isLive = is;
      arrange();
    },
    reveal(id) {
      choose(tabOf(id));
      document.getElementById(id)?.scrollIntoView();
    },
  };
}
