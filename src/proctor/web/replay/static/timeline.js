// The strip of steps: one bar each, coloured by what stands out; a click or a drag goes there.

import { byId, svg } from "/replay-files/dom.js";

const strip = byId("timeline");
const here = svg("rect", { class: "here", y: 0, height: 34 });
let count = 0;

export function lay(steps, events = []) {
  count = steps.length;
  strip.setAttribute("viewBox", `0 0 ${Math.max(count, 1)} 34`);
  const bars = steps.map((step, number) => {
    // A step that begins a turn stands higher than those that follow in it.
    const begins = number === 0 || steps[number - 1].turn !== step.turn || step.mark;
    const [y, height] = begins ? [7, 20] : [13, 14];
    const done = Array.isArray(step.nodes) && step.nodes.length ? "completes" : "";
    return svg("rect", { class: `mark ${step.mark || ""} ${done}`, x: number + 0.12, width: 0.76, y, height });
  });
  strip.replaceChildren(here, ...bars, ...events.map(eventMark));
}

// What happened by itself stands at the beginning of the step that it happened before, or during.
function eventMark({ name, step }) {
  const mark = svg("rect", { class: "event", x: step - 0.1, width: 0.2, y: 0, height: 34 });
  mark.append(svg("title", {}, name));
  return mark;
}

export function point(number, label) {
  // Of many steps, one alone would be too thin to see.
  const width = Math.max(1, count / 150);
  here.setAttribute("x", number + 0.5 - width / 2);
  here.setAttribute("width", width);
  strip.setAttribute("aria-valuemin", 1);
  strip.setAttribute("aria-valuemax", count);
  strip.setAttribute("aria-valuenow", number + 1);
  strip.setAttribute("aria-valuetext", label);
}

export function onPick(go) {
  const pick = (event) => {
    const frame = strip.getBoundingClientRect();
    const share = (event.clientX - frame.left) / frame.width;
    go(Math.min(Math.max(Math.floor(share * count), 0), count - 1));
  };
  strip.addEventListener("pointerdown", (event) => {
    strip.setPointerCapture(event.pointerId);
    pick(event);
  });
  strip.addEventListener("pointermove", (event) => event.buttons && pick(event));
}
