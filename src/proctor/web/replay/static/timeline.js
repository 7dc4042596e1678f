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
  strip.replaceChildren(here, ...bars, ...pins(events));
}

// What happened by itself stands like a pin at the beginning of the step that it happened before, or during.
function eventMark({ step, names }) {
  const pin = svg("g", { class: "event" });
  pin.append(svg("title", {}, names.join("\n")), svg("path", { d: `M${step} 4V34` }), svg("path", { class: "head", d: `M${step} 5h0` }));
  return pin;
}

function pins(events) {
  const names = new Map();
  for (const { name, step } of events) names.set(step, [...(names.get(step) || []), name]);
  return [...names].map(([step, those]) => eventMark({ step, names: those }));
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
