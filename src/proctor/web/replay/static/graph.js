// The graph of a composed task: its subtasks in layers, lit as they are completed, and a list of them beside it.

import { el, svg, table } from "/replay-files/dom.js";

const [WIDE, TALL, BOX_WIDE, BOX_TALL] = [132, 74, 122, 40];
const WORDS = { completed: "completed", open: "open", waiting: "waiting" };

// Which step completed each subtask; what only the judge saw is completed by the last.
export function completions(graph, steps) {
  const found = new Map();
  const note = (id, number) => found.has(id) || found.set(id, number);
  steps.forEach((step, number) => Array.isArray(step.nodes) && step.nodes.forEach((id) => note(id, number)));
  graph.completed.forEach((id) => note(id, steps.length - 1));
  return found;
}

function states(graph, completed, now) {
  const done = (id) => completed.has(id) && completed.get(id) <= now;
  const ready = (id) => graph.edges.every((edge) => edge.to !== id || done(edge.from));
  return new Map(graph.nodes.map(({ id }) => [id, done(id) ? "completed" : ready(id) ? "open" : "waiting"]));
}

export function graphPanel(graph, steps, now, go) {
  const completed = completions(graph, steps);
  const state = states(graph, completed, now);
  const isDone = (node) => state.get(node.id) === "completed";
  const weight = (nodes) => nodes.reduce((sum, node) => sum + node.depth, 0);
  const done = graph.nodes.filter(isDone);
  const share = Math.round((100 * weight(done)) / weight(graph.nodes));
  const words = `${done.length} of ${graph.nodes.length} subtasks completed · coverage ${share} %`;
  return [
    el("p", { className: "quiet", id: "covered" }, words),
    // Drawn at the size at which it can be read; a wide one is scrolled.
    el("div", { className: "graph" }, drawn(graph, state, completed, now)),
    table(["", "application", "asked for", "completed"], graph.nodes.map((node) => [
      node.id, isDone(node) ? doneIn(graph, node) : node.app, node.ask, isDone(node) ? jump(completed.get(node.id), go) : WORDS[state.get(node.id)],
    ])),
  ];
}

// In which application it was done: its own, unless another was seen.
function doneIn(graph, node) {
  const seen = graph.seen[node.id] ?? node.app;
  return seen === node.app ? node.app : `done differently: ${seen}, not ${node.app}`;
}

function jump(number, go) {
  const made = el("button", { className: "jump" }, `step ${number + 1}`);
  made.addEventListener("click", () => go(number));
  return made;
}

function drawn(graph, state, completed, now) {
  const across = graph.nodes.concat(graph.edges.flatMap((edge) => edge.past.map((at) => ({ at })))).map(({ at }) => at[0]);
  const left = Math.min(...across) * WIDE - WIDE / 2;
  const width = Math.max(...across) * WIDE + WIDE / 2 - left;
  const height = Math.max(...graph.nodes.map(({ depth }) => depth)) * TALL;
  const made = svg("svg", {
    viewBox: `${left} ${-TALL / 2} ${width} ${height}`, width, height, role: "img", "aria-label": "Task graph",
  });
  const at = new Map(graph.nodes.map((node) => [node.id, node.at]));
  made.append(...graph.edges.map((edge) => line(edge, at, state)));
  made.append(...graph.nodes.map((node) => box(node, state.get(node.id), completed.get(node.id) === now)));
  return made;
}

function line(edge, at, state) {
  const start = place(at.get(edge.from), BOX_TALL / 2);
  const end = place(at.get(edge.to), -BOX_TALL / 2);
  let [path, [x, y]] = [`M${start.join(" ")}`, start];
  for (const [toX, toY] of [...edge.past.map((point) => place(point, 0)), end]) {
    const bend = Math.max(Math.abs(toY - y) / 2, 16);
    path += `C${x} ${y + bend} ${toX} ${toY - bend} ${toX} ${toY}`;
    [x, y] = [toX, toY];
  }
  const lit = state.get(edge.from) === "completed" ? "lit" : "";
  return svg("path", { class: `edge ${edge.last ? "last" : ""} ${lit}`, d: `${path}m-4 -7l4 7l4 -7` });
}

const place = ([x, y], down) => [x * WIDE, y * TALL + down];

function box(node, state, isNow) {
  const [x, y] = place(node.at, 0);
  const group = svg("g", { class: `node ${state} ${isNow ? "now" : ""}` });
  const mark = state === "completed" ? "done · " : "";
  const frame = { x: x - BOX_WIDE / 2, y: y - BOX_TALL / 2, width: BOX_WIDE, height: BOX_TALL, rx: 7 };
  group.append(
    svg("title", {}, `${node.id}: ${node.ask} (${WORDS[state]})`),
    svg("rect", frame),
    svg("text", { class: "id", x, y: y - 4 }, mark + short(node.id)),
    svg("text", { x, y: y + 11 }, short(node.app)),
  );
  return group;
}

const short = (text) => (text.length > 20 ? `${text.slice(0, 19)}…` : text);
