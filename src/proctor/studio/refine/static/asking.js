// What is asked before an edit: where to split, which element was meant, what the action is to be.

import { byId, el } from "/replay-files/dom.js";
import { complain } from "/studio-files/studio.js";
import { elementWords } from "/replay-files/words.js";

const SIMPLE = { type: ["text", "Text"], press: ["keys", "Keys, such as ctrl+s"], answer: ["text", "Answer"], fail: ["reason", "Reason"] };

// Opens the dialog; `read` returns what was chosen, or raises what is wrong with it.
function open(title, body, read, then, aside = false) {
  const dialog = byId("asking");
  byId("asking-title").textContent = title;
  byId("asking-body").replaceChildren(...body);
  dialog.classList.toggle("aside", aside);
  const over = () => {
    byId("asking-yes").onclick = byId("asking-no").onclick = dialog.onclose = null;
    then(null, true);
  };
  byId("asking-no").onclick = () => dialog.close();
  byId("asking-yes").onclick = (event) => {
    event.preventDefault();
    complain("");
    let chosen;
    try {
      chosen = read();
    } catch (error) {
      complain(error);
      return;
    }
    dialog.onclose = null;
    dialog.close();
    then(chosen, false);
    byId("steps").focus();
  };
  dialog.onclose = () => { over(); byId("steps").focus(); };
  dialog.showModal();
  const first = byId("asking-body").querySelector("input, textarea, select, button");
  if (first) first.focus();
}

export function askSplit(step, done) {
  const action = step.action || {};
  const then = (cut, given) => { if (!given) done(cut); };
  if (action.type === "type") {
    const letters = Array.from(action.text || "");
    const range = el("input", { type: "range", min: "1", max: String(Math.max(letters.length - 1, 1)), value: String(Math.ceil(letters.length / 2)) });
    const [first, second] = [el("span"), el("span", { className: "second" })];
    const preview = () => {
      first.textContent = letters.slice(0, Number(range.value)).join("");
      second.textContent = letters.slice(Number(range.value)).join("");
    };
    range.addEventListener("input", preview);
    preview();
    open("Split the text", [el("label", {}, "Where the second step begins ", range), el("pre", { id: "parts" }, first, second)], () => Number(range.value), then);
    return;
  }
  const amount = { click: action.count || 1, scroll: Math.abs(action.dy || action.dx || 0), wait: action.seconds || 1 }[action.type] || 1;
  const field = el("input", { type: "number", min: "0", step: action.type === "wait" ? "0.1" : "1", value: String(action.type === "wait" ? amount / 2 : Math.floor(amount / 2)) });
  const what = { click: "clicks", scroll: "notches", wait: "seconds" }[action.type] || "";
  open("Split the step", [el("label", {}, `After how many of the ${amount} ${what}? `, field)], () => Number(field.value), then);
}

export function askAction(step, done) {
  const action = { ...(step.action || { type: "done" }) };
  delete action.given;
  const json = el("textarea", { rows: 8, className: "code", spellcheck: false, value: JSON.stringify(action, null, 1) });
  const body = [];
  const simple = SIMPLE[action.type];
  if (simple) {
    const field = el("textarea", { rows: 3, value: action[simple[0]] || "" });
    field.addEventListener("input", () => { json.value = JSON.stringify({ ...action, [simple[0]]: field.value }, null, 1); });
    body.push(el("label", {}, simple[1], field));
  }
  body.push(el("label", {}, "The action, as it is recorded", json));
  const read = () => {
    try {
      return JSON.parse(json.value);
    } catch (error) {
      throw new Error(`This is not JSON: ${error.message}`);
    }
  };
  open("Relabel the action", body, read, (chosen, given) => { if (!given) done(chosen); });
}

export function askElement(step, elements, size, lit, done) {
  const fields = {};
  for (const name of ["role", "name", "app", "window"]) {
    fields[name] = el("input", { value: (step.element && step.element[name]) || "", maxLength: 2000 });
  }
  let box = (step.element && step.element.box) || null;
  const placed = step.action && step.action.x !== undefined && step.action.x !== null;
  const aim = el("input", { type: "checkbox" });
  const choose = (element) => {
    for (const [name, field] of Object.entries(fields)) field.value = element[name] || "";
    box = element.box;
    // A click beside the element that was meant is aimed at it, unless told otherwise.
    aim.checked = placed && !inside(box, step.action.x, step.action.y);
    lit(element);
  };
  const rows = elements.slice(0, 300).map((element) => {
    const row = el("button", { type: "button", className: "entry", title: element.window || "", onclick: () => choose(element), onfocus: () => lit(element) },
      el("span", { className: "words" }, elementWords(element)), el("span", { className: "mark" }, element.from));
    return row;
  });
  const list = el("div", { id: "elements" }, rows.length ? rows : el("p", { className: "quiet" }, "No elements are known here; type it in."));
  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const here = rows.indexOf(document.activeElement);
    if (!step || here < 0 || !rows[here + step]) return;
    event.preventDefault();
    rows[here + step].focus();
  });
  const labels = Object.entries(fields).map(([name, field]) => el("label", {}, `${name} `, field));
  const aimed = placed ? [el("label", { className: "row" }, aim, "and click in its middle")] : [];
  const read = () => {
    const element = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value.trim()]));
    if (box && box.length === 4) element.box = box;
    return [element, aim.checked];
  };
  open("Which element was meant?", [list, ...labels, ...aimed], read, (chosen, given) => {
    lit(null);
    if (!given) done(...chosen);
  }, true);
}

function inside(box, x, y) {
  return Boolean(box) && box.length === 4 && x >= box[0] && x < box[0] + box[2] && y >= box[1] && y < box[1] + box[3];
}
