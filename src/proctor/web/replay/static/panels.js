// What stands beside the picture. Each panel is a list of elements, made from the record.

import { el, table } from "/replay-files/dom.js";
import { eventsAt } from "/replay-files/events.js";

const LONGEST = 200_000;

const heading = (title, more = "") => el("h2", {}, title, more && el("span", { className: "count" }, ` ${more}`));
const note = (words) => el("p", { className: "quiet" }, words);
export const text = (content, className = "") => {
  const whole = String(content);
  const more = whole.length > LONGEST ? `\n[… ${whole.length - LONGEST} characters more]` : "";
  return el("pre", { className }, whole.slice(0, LONGEST) + more);
};
export const json = (data) => text(pretty(data));
export const money = (cost) => (cost == null ? "price unknown" : `$ ${cost.toFixed(4)}`);
const sumOf = (calls) => (calls.some((call) => call.cost_usd == null) ? null : calls.reduce((all, call) => all + call.cost_usd, 0));
const list = (value) => (Array.isArray(value) ? value : []);

// JSON with what is short on one line, and the kind of a thing first.
function pretty(given, indent = "") {
  const data = given && given.type ? { type: given.type, ...given } : given;
  const flat = JSON.stringify(data) ?? "null";
  if (data === null || typeof data !== "object" || flat.length + indent.length < 44) return flat;
  const deeper = `${indent}  `;
  if (Array.isArray(data)) return `[\n${data.map((each) => deeper + pretty(each, deeper)).join(",\n")}\n${indent}]`;
  const line = ([name, value]) => `${deeper}${JSON.stringify(name)}: ${pretty(value, deeper)}`;
  const lines = Object.entries(data).map(line);
  return `{\n${lines.join(",\n")}\n${indent}}`;
}

function facts(data) {
  const told = Object.entries(data).filter(([, value]) => value !== "");
  const words = (value) => (typeof value === "string" ? value : pretty(value));
  return table([], told.map(([name, value]) => [el("span", { className: "quiet" }, name), words(value)]));
}

export function stepPanel(step, picture, graph, events = []) {
  const parts = [];
  const add = (title, content) => content && parts.push(heading(title), ...[content].flat());
  const saw = step.saw || {};
  add("Happened by itself", eventsAt(step.step, events));
  add("Could not be understood", step.problem && text(step.problem, "warn"));
  add("Refused", step.refused && text(step.refused, "bad"));
  add("The computer refused it", step.trouble && text(step.trouble, "bad"));
  add("The computer broke", step.broke && text(step.broke, "bad"));
  add("Message before this turn", list(saw.told).length && table([], saw.told.map((each) => [each.kind, each.text])));
  add("What it is for", step.instruction && text(step.instruction));
  add("Thought", step.thought && text(step.thought));
  add("Reply", step.reply && text(step.reply));
  add("Action", step.action && json(step.action));
  add("Element it hit", step.element && facts(step.element));
  add("Output", step.output && outputText(step.output));
  add("Terminal", saw.terminal && text(saw.terminal));
  add("The seconds before it", saw.clip && el("img", { className: "clip", src: picture(saw.clip), alt: "Clip" }));
  add("Incomplete", list(saw.degraded).length && text(saw.degraded.join("\n"), "warn"));
  add("Subtasks it completed", list(step.nodes).length && subtasks(step.nodes, graph));
  add("Model calls", list(step.calls).length && callTable([[step, step.calls]]));
  add("Timing", timing(step));
  if (step.end) parts.push(note(`The end${step.stop ? `, by ${String(step.stop).replaceAll("_", " ")}` : ""}.`));
  return parts.length ? parts : [note("Nothing more.")];
}

function subtasks(ids, graph) {
  const known = new Map(list(graph && graph.nodes).map((node) => [node.id, node]));
  return table([], ids.map((id) => [String(id), (known.get(id) || {}).app, (known.get(id) || {}).ask]));
}

function outputText(output) {
  if (typeof output === "string") return text(output);
  const parts = [output.text, output.error, output.timed_out ? "[ran out of time]" : ""];
  return text(parts.filter(Boolean).join("\n"));
}

function timing(step) {
  const rows = Object.entries(step.seconds || {}).map(([name, seconds]) => [name, `${Number(seconds).toFixed(2)} s`]);
  if (step.repeated) rows.push(["repeated", "from the episode that this one continues"]);
  if (step.by) rows.push(["by", `${step.by}, who took over from the agent`]);
  if (step.meant) rows.push(["the agent wanted", JSON.stringify(step.meant)]);
  if (step.settled != null) rows.push(["screen settled", step.settled ? "yes" : "no"]);
  if (step.stale) {
    rows.push(["stale", `${(100 * step.stale).toPrecision(2)} % of the screen changed by itself after it was shown`]);
  }
  if (step.verified != null) rows.push(["text verified", step.verified ? "yes" : "no"]);
  return rows.length ? table([], rows) : null;
}

function callTable(turns) {
  const rows = turns.flatMap(([step, calls]) => calls.map((call) => [
    String(step.turn ?? ""), call.model, String(call.input_tokens ?? 0), String(call.output_tokens ?? 0),
    money(call.cost_usd), `${(call.seconds ?? 0).toFixed(1)} s`,
    call.error || (call.retries ? `${call.retries} retries` : ""),
  ]));
  return table(["turn", "model", "in", "out", "cost", "took", ""], rows);
}

export function callsPanel(steps) {
  const turns = steps.filter((step) => step.calls).map((step) => [step, step.calls]);
  const calls = turns.flatMap(([, found]) => found);
  if (!calls.length) return [note("No model was called.")];
  const sum = (name) => calls.reduce((total, call) => total + (call[name] || 0), 0);
  const tokens = `${sum("input_tokens")} tokens in · ${sum("output_tokens")} out`;
  return [note(`${calls.length} calls · ${tokens} · ${money(sumOf(calls))}`), callTable(turns)];
}

export function checksPanel(verdict) {
  const parts = [];
  const feedback = list(verdict.feedback).map((each) => el("li", {}, each));
  if (feedback.length) parts.push(heading("Feedback"), el("ul", {}, feedback));
  const notes = list(verdict.notes).map((each) => el("li", {}, each));
  if (notes.length) parts.push(heading("Notes"), el("ul", {}, notes));
  if (verdict.finding) parts.push(heading("Checks"), finding(verdict.finding));
  const evidence = Object.entries(verdict.evidence || {});
  if (evidence.length) parts.push(heading("Evidence"), ...evidence.map(([probe, seen]) => folded(probe, seen)));
  return parts;
}

// Evidence may be a whole document: it is written out when somebody opens it.
function folded(title, data) {
  const made = el("details", {}, el("summary", {}, title));
  made.addEventListener("toggle", () => made.children.length === 1 && made.append(json(data)));
  return made;
}

function finding(found) {
  const state = found.known === false ? "warn" : found.score >= 1 ? "good" : "bad";
  const word = found.known === false ? "could not be seen" : `score ${found.score}`;
  return el("div", { className: `check ${state}` },
    el("b", {}, found.check || "check"), " ", el("span", { className: "quiet" }, word),
    // The feedback of a combined check repeats that of its parts.
    list(found.parts).length ? found.parts.map(finding) : list(found.feedback).map((each) => el("div", {}, each)));
}

export function changesPanel(changes) {
  const found = Array.isArray(changes) ? changes : list(changes.changes);
  if (!found.length) return [note("Nothing changed.")];
  const order = [...found].sort((one, other) => Boolean(other.collateral) - Boolean(one.collateral));
  const rows = order.map((each) => [
    each.part ? `${each.path}: ${each.part}` : each.path, each.kind, String(each.size ?? ""),
    each.collateral ? el("span", { className: "bad" }, `side effect, ${each.collateral}`) : "",
  ]);
  const effects = found.filter((each) => each.collateral).length;
  const title = heading(`${found.filter((each) => !each.part).length} paths changed`, effects ? `· ${effects} beyond the task` : "");
  return [title, table(["path", "", "bytes", ""], rows)];
}

export function saidPanel(said) {
  return [heading("What the agent printed"), el("pre", { className: "whole" }, String(said.text))];
}

export function factsPanel(about) {
  const parts = [];
  if (about.result) parts.push(heading("Result"), json(about.result));
  for (const [name, value] of Object.entries(about.header)) {
    if (value !== null && typeof value === "object") parts.push(heading(name), json(value));
  }
  return parts;
}
