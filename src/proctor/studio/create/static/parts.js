// The parts of a task in the making: calls, checks, near misses and marks, each shown in words and edited as JSON.

import { el } from "/replay-files/dom.js";

const KINDS = ["setup", "move", "check", "probe"];

export function inWords(call) {
  if (Array.isArray(call)) return `[${call.map(inWords).join(", ")}]`;
  if (typeof call !== "object" || call === null) return JSON.stringify(call);
  const kind = KINDS.find((name) => name in call);
  if (!kind) return JSON.stringify(call);
  const rest = Object.entries(call).filter(([name]) => name !== kind && name !== "kept");
  return `${call[kind]}(${rest.map(([name, value]) => `${name}=${inWords(value)}`).join(", ")})`;
}

// A text area that is read as JSON when it is left; what is no JSON is complained about and stays.
export function editor(value, changed, complain) {
  const area = el("textarea", { rows: Math.min(14, JSON.stringify(value, null, 2).split("\n").length), value: JSON.stringify(value, null, 2), hidden: true });
  area.addEventListener("change", () => {
    try {
      changed(JSON.parse(area.value));
      complain("");
    } catch (error) {
      complain(`This is not JSON: ${error.message}`);
    }
  });
  return area;
}

export const toggle = (area) => () => {
  area.hidden = !area.hidden;
  if (!area.hidden) area.focus();
};

export function callRow(call, changed, complain) {
  const area = editor(call, changed, complain);
  const tools = el("span", { className: "tools" }, el("button", { onclick: toggle(area), title: "Edit" }, "Edit"),
    el("button", { onclick: () => changed(null), title: "Remove" }, "×"));
  return el("div", { className: "call" }, el("code", {}, inWords(call)), tools, area);
}

function accepting(one, changed, words) {
  const box = el("input", { type: "checkbox", checked: Boolean(one.accepted) });
  box.addEventListener("change", () => changed({ ...one, accepted: box.checked }));
  return el("label", {}, box, " ", words);
}

const side = (title, text) => el("figure", {}, el("figcaption", {}, title), el("pre", {}, text));

export function checkCard(one, changed, complain) {
  const area = editor(one.check, (check) => changed({ ...one, check }), complain);
  const head = el("div", { className: "head" }, accepting(one, changed, el("b", {}, one.about)), el("span", { className: "badge" }, one.kind),
    el("button", { onclick: toggle(area) }, "Edit"));
  return el("div", { className: `check ${one.accepted ? "accepted" : ""}` }, head, el("div", { className: "quiet" }, one.why),
    el("div", { className: "sides" }, side("before", one.before), side("after", one.after)), el("code", {}, inWords(one.check)), area);
}

export function missCard(one, changed, complain) {
  const area = editor(one.moves, (moves) => changed({ ...one, moves }), complain);
  const head = el("div", { className: "head" }, accepting(one, changed, el("b", {}, one.name)), el("button", { onclick: toggle(area) }, "Edit"));
  return el("div", { className: `check ${one.accepted ? "accepted" : ""}` }, head, el("code", {}, one.moves.map(inWords).join(", ")), area);
}

export function markRow(one, changed) {
  const name = el("input", { value: one.name, title: "Name", pattern: "[a-z][a-z0-9_]*" });
  const value = el("input", { value: one.value, placeholder: "as it is in the task" });
  const others = el("textarea", { rows: 2, value: one.others.join("\n"), placeholder: "what else it may be, one per line" });
  const read = () => changed({ name: name.value.trim(), value: value.value, others: others.value.split("\n").map((line) => line.trim()).filter(Boolean) });
  for (const input of [name, value, others]) input.addEventListener("change", read);
  return el("div", { className: "mark" }, name, value, others, el("button", { onclick: () => changed(null), title: "Remove" }, "×"));
}
