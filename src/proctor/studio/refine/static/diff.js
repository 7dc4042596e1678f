// Two versions of a demonstration side by side.

import { byId, el } from "/replay-files/dom.js";
import { actionWords, elementWords } from "/replay-files/words.js";
import { ask, trying } from "/studio-files/studio.js";

const [, , run, episode] = location.pathname.split("/");
const WORDS = { same: "", changed: "changed", moved: "moved", gone: "deleted", new: "new" };
let data = null;
let rows = [];
let at = 0;

const words = (step) => `${actionWords(step.action)} ${elementWords(step.element)}`.trim();

function side(step, place, how, changed) {
  if (!step) return el("span", {});
  const more = changed.filter((name) => name === "instruction" || name === "thought").map((name) => el("small", {}, `${name}: ${step[name] || "none"}`));
  return el("span", { className: how }, el("b", {}, `${place + 1} `), words(step), more);
}

function show() {
  const only = byId("only").checked;
  rows = data.rows.filter((row) => !only || row.how !== "same");
  const made = rows.map((row, place) => {
    const [left, right] = [data.left[row.left], data.right[row.right]];
    const how = row.how === "same" ? "" : row.how;
    const told = row.changed.length ? `${WORDS[row.how]}: ${row.changed.join(", ")}` : WORDS[row.how];
    const pair = el("button", { className: "pair", tabIndex: -1, onclick: () => look(place) }, el("span", { className: "quiet" }, told),
      side(left, row.left, how, row.changed), side(right, row.right, how, row.changed));
    pair.setAttribute("role", "option");
    return pair;
  });
  byId("rows").role = made.length ? "listbox" : "group";
  byId("rows").replaceChildren(...(made.length ? made : [el("p", { className: "quiet" }, "These versions do the same.")]));
  const counts = Object.keys(WORDS).filter((how) => how !== "same").map((how) => [WORDS[how], data.rows.filter((row) => row.how === how).length]);
  byId("told").textContent = counts.filter(([, count]) => count).map(([word, count]) => `${count} ${word}`).join(", ") || "nothing differs";
  look(Math.max(rows.findIndex((row) => row.how !== "same"), 0));
}

function look(place) {
  at = Math.min(Math.max(place, 0), rows.length - 1);
  const row = rows[at];
  [...byId("rows").children].forEach((child, number) => {
    child.classList.toggle("chosen", number === at);
    child.setAttribute("aria-selected", String(number === at));
    if (number === at && row) child.scrollIntoView({ block: "nearest" });
  });
  for (const [name, step, number] of [["left", row && data.left[row.left], data.numbers[0]], ["right", row && data.right[row.right], data.numbers[1]]]) {
    byId(`${name}-words`).textContent = `version ${number}: ${step ? words(step) : "does not have this step here"}`;
    byId(`${name}-picture`).hidden = !step || !step.picture;
    if (step && step.picture) byId(`${name}-picture`).src = step.picture;
  }
}

const load = trying(async (a, b) => {
  data = await ask(`/refine-data/${run}/${episode}/diff?a=${encodeURIComponent(a)}&b=${encodeURIComponent(b)}`);
  byId("task").textContent = data.task;
  byId("task").href = `/refine/${run}/${episode}`;
  document.title = `${data.task} · two versions · Proctor`;
  const lines = [{ number: 0, what: "as it was recorded" }, ...data.lines];
  for (const [id, number] of [["a", data.numbers[0]], ["b", data.numbers[1]]]) {
    byId(id).replaceChildren(...lines.map((line) => el("option", { value: String(line.number), selected: line.number === number }, `${line.number} ${line.what}`.slice(0, 60))));
  }
  history.replaceState(null, "", `?a=${data.numbers[0]}&b=${data.numbers[1]}`);
  show();
});

for (const id of ["a", "b"]) byId(id).addEventListener("change", () => load(byId("a").value, byId("b").value));
byId("only").addEventListener("change", show);
addEventListener("keydown", (event) => {
  if (!data || event.target.closest("select, input") || event.ctrlKey || event.altKey || event.metaKey) return;
  const act = { ArrowUp: () => look(at - 1), ArrowDown: () => look(at + 1), Home: () => look(0), End: () => look(rows.length - 1),
    o: () => byId("only").click(), Escape: () => { location.href = `/refine/${run}/${episode}`; } }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

const asked = new URLSearchParams(location.search);
await load(asked.get("a") || "0", asked.get("b") || "");
byId("rows").focus();
