// Drawing an action on the picture. The drawing's units are desktop pixels; `unit` is one pixel of the page in them.

import { svg } from "/replay-files/dom.js";

const NAMED = { type: "text", press: "keys", key_down: "key", key_up: "key" };

export function draw(target, step, size, shown, found) {
  target.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
  const unit = size[0] / (target.clientWidth || size[0]);
  const group = svg("g", { class: step.mark === "refused" ? "refused" : "" });
  if (shown) {
    const box = numbers(step.element && step.element.box, 4);
    if (box) group.append(rectangle("box", box));
    group.append(...shapes(step.action || {}, box, size, unit));
  }
  if (found) group.append(rectangle("found", found));
  target.replaceChildren(group);
}

function shapes(action, box, size, unit) {
  const point = numbers([action.x, action.y], 2);
  switch (action.type) {
    case "click": return point ? click(point, action, unit) : [plate("click where the pointer is", size, null, unit)];
    case "move": return point ? cross(point, unit) : [];
    case "tap": case "long_press": case "pinch": return point ? click(point, action, unit) : [];
    case "drag": case "swipe": return drag(action.path, unit);
    case "scroll": return scroll(point || [size[0] / 2, size[1] / 2], action, unit);
    case "type": case "press": case "key_down": case "key_up":
      return [plate(`${action.type === "type" ? "type: " : ""}${action[NAMED[action.type]] ?? ""}`, size, box, unit)];
    case "run_code": return [plate(`$ ${action.code ?? ""}`, size, null, unit)];
    case "wait_for_change": return [plate("wait for a change", size, null, unit)];
    case "wait": return [plate(`wait ${action.seconds ?? 1} s`, size, null, unit)];
    case "done": return [plate("done", size, null, unit)];
    case "fail": return [plate(`gives up ${action.reason ?? ""}`, size, null, unit)];
    case "answer": return [plate(`answers: ${action.text ?? ""}`, size, null, unit)];
    case "ask_user": return [plate(`asks: ${action.question ?? ""}`, size, null, unit)];
    default: return [];
  }
}

// Records may hold anything where numbers should be.
function numbers(list, count) {
  return Array.isArray(list) && list.length === count && list.every(Number.isFinite) ? list : null;
}

const both = (tag, shape) => ["halo", "ink"].map((style) => svg(tag, { class: style, ...shape }));

function rectangle(style, [x, y, width, height]) {
  return svg("rect", { class: style, x, y, width: Math.max(width, 0), height: Math.max(height, 0) });
}

function click([cx, cy], action, unit) {
  const rings = Math.min(Math.max(action.count || 1, 1), 3);
  const made = [];
  for (let ring = 0; ring < rings; ring += 1) made.push(...both("circle", { cx, cy, r: (11 + 6 * ring) * unit }));
  made.push(svg("circle", { class: "dot", cx, cy, r: 2.5 * unit }));
  const held = [...(action.modifiers || []), action.button === "left" ? "" : action.button].filter(Boolean).join("+");
  if (held) made.push(label(held, cx + 26 * unit, cy + 4 * unit, unit));
  return made;
}

function cross([x, y], unit) {
  const reach = 12 * unit;
  return both("path", { d: `M${x - reach} ${y}H${x + reach}M${x} ${y - reach}V${y + reach}` });
}

function drag(path, unit) {
  const points = (Array.isArray(path) ? path : []).filter((point) => numbers(point, 2));
  if (!points.length) return [];
  const [end, before] = [points.at(-1), points.at(-2) || points.at(-1)];
  const line = points.map(([x, y]) => `${x},${y}`).join(" ");
  return [
    ...both("polyline", { points: line }),
    svg("circle", { class: "dot", cx: points[0][0], cy: points[0][1], r: 4 * unit }),
    ...head(end, Math.atan2(end[1] - before[1], end[0] - before[0]), unit),
  ];
}

function scroll([x, y], { dx = 0, dy = 0 }, unit) {
  const angle = Math.atan2(Math.sign(dy), Math.sign(dx));
  const reach = 46 * unit;
  const end = [x + reach * Math.cos(angle), y + reach * Math.sin(angle)];
  return [
    ...both("path", { d: `M${x} ${y}L${end[0]} ${end[1]}` }),
    ...head(end, angle, unit),
    label([dx, dy].filter(Boolean).map(Math.abs).join(" / "), x + 14 * unit, y + 5 * unit, unit),
  ];
}

function head([x, y], angle, unit) {
  const wing = (turn) => `${x - 13 * unit * Math.cos(angle + turn)} ${y - 13 * unit * Math.sin(angle + turn)}`;
  return both("path", { d: `M${wing(0.45)}L${x} ${y}L${wing(-0.45)}` });
}

// A text on a plate: near the element that has the focus, or at the foot of the screen.
function plate(text, size, box, unit) {
  const [x, y] = box ? [box[0], Math.max(box[1], 24 * unit)] : [14 * unit, size[1] - 16 * unit];
  return label(text, x + 8 * unit, y - 6 * unit, unit);
}

function label(text, x, y, unit) {
  const line = String(text).replaceAll("\n", "↵");
  const short = line.length > 70 ? `${line.slice(0, 70)}…` : line;
  const group = svg("g");
  // The typeface is monospaced: 0.602 of its size is how wide a character is.
  const width = short.length * 12 * 0.602 * unit;
  const frame = { x: x - 6 * unit, y: y - 13 * unit, width: width + 12 * unit, height: 19 * unit, rx: 4 * unit };
  group.append(
    svg("rect", { class: "plate", ...frame }),
    svg("text", { class: "word", x, y, "font-size": 12 * unit }, short),
  );
  return group;
}
