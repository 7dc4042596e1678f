// What is about to happen, drawn over the screen in the screen's own pixels.

import { svg } from "/replay-files/dom.js";

const LETTER = 18;
const ROOM = 46;

function arrow() {
  const made = svg("marker", { id: "arrow", viewBox: "0 0 10 10", refX: 8, refY: 5, markerWidth: 5, markerHeight: 5, orient: "auto" });
  made.append(svg("path", { d: "M0 0 L10 5 L0 10 z", fill: "#ff3d6e" }));
  const defs = svg("defs");
  defs.append(made);
  return defs;
}

function plate(x, y, text, size, [width, height]) {
  const shown = text.length > ROOM ? `${text.slice(0, ROOM)}…` : text;
  const wide = (shown.length * 0.6 + 1) * size;
  const left = Math.max(0, Math.min(x, width - wide));
  const top = Math.max(0, Math.min(y, height - size * 1.6));
  const word = svg("text", { x: left + size * 0.5, y: top + size * 1.1, "font-size": size }, shown);
  word.style.fontSize = `${size}px`;
  return [svg("rect", { class: "plate", x: left, y: top, width: wide, height: size * 1.6, rx: size * 0.3 }), word];
}

// Returns the elements of the shapes; scale is how many screen pixels one of the page's is, so that nothing gets too small.
export function shapesOf(shapes, desktop, scale) {
  const size = LETTER * scale;
  const made = [arrow()];
  let place = null;
  for (const one of shapes) {
    if (one.shape === "box") {
      made.push(svg("rect", { class: "box", x: one.x, y: one.y, width: one.width, height: one.height, rx: 3 * scale }));
      place = place || [one.x, one.y + one.height + 4 * scale];
    } else if (one.shape === "path") {
      const line = one.points.map((point) => point.join(" ")).join(" L");
      made.push(svg("path", { class: "path", d: `M${line}` }));
    } else if (one.shape === "point") {
      made.push(svg("circle", { class: "halo", cx: one.x, cy: one.y, r: 15 * scale }));
      made.push(svg("circle", { class: "ring", cx: one.x, cy: one.y, r: 15 * scale }));
      made.push(svg("circle", { class: "dot", cx: one.x, cy: one.y, r: 3 * scale }));
      made.push(...plate(one.x + 20 * scale, one.y - size * 0.8, one.label, size, desktop));
      place = [one.x + 20 * scale, one.y + size * 1.1];
    }
  }
  const text = shapes.find((one) => one.shape === "text");
  if (text) {
    const [x, y] = place || [desktop[0] * 0.05, desktop[1] * 0.05];
    made.push(...plate(x, y, `⌨ ${text.text.replace(/\s+/g, " ")}`, size, desktop));
  }
  return made;
}
