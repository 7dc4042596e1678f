// One demonstration: its steps with their pictures, and everything that can be done to them. Each edit is saved at once.

import { byId, el } from "/replay-files/dom.js";
import { draw } from "/replay-files/drawing.js";
import { actionWords, elementWords } from "/replay-files/words.js";
import { ask, complain, tell, trying } from "/studio-files/studio.js";
import { askAction, askElement, askSplit } from "/refine-files/asking.js";

const [, , run, episode] = location.pathname.split("/");
const address = `/refine-data/${run}/${episode}`;
const STYLES = { passed: "good", failed: "bad", void: "warn" };

let data = null;
let at = 0;
let anchor = 0;
let busy = false;
let saving = null;
let found = null;

const name = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16)).join("");
const steps = () => data.steps;
const newest = () => data.shown === data.version;
const chosen = () => steps().slice(Math.min(at, anchor), Math.max(at, anchor) + 1);
const ids = () => chosen().map((step) => step.id);

// -- asking the server ----------------------------------------------------------------------------------------------

async function load(version = null) {
  take(await ask(version === null ? address : `${address}?version=${version}`));
}

function take(found, keep = null) {
  data = found;
  const place = typeof keep === "number" ? keep : keep === null ? at : steps().findIndex((step) => step.id === keep);
  at = anchor = Math.min(Math.max(place < 0 ? at : place, 0), Math.max(steps().length - 1, 0));
  show();
  others();
}

// Saves what a person did. Keys that come while something is saved are passed over, since they were meant for what was
// there before; a text that was written waits. Where a version is newer, that is loaded instead.
const save = trying(async (what, sent = {}, keep = null, waits = false) => {
  while (waits && busy) await saving;
  if (busy || !data) return;
  if (!newest()) throw new Error("This is an earlier version. Go back to it first, or show the newest.");
  let saved;
  busy = true;
  saving = new Promise((resolve) => { saved = resolve; });
  status("saving…");
  try {
    take(await tell(`${address}/${what}`, { version: data.version, save: name(), ...sent }), keep);
    status("saved");
  } catch (error) {
    status("not saved", "bad");
    if (String(error.message).includes("meantime")) await load();
    throw error;
  } finally {
    busy = false;
    saved();
  }
});
const edit = (what, keep = null, waits = false) => save("edit", { edit: what }, keep, waits);

function status(words, style = "quiet") {
  byId("status").textContent = words;
  byId("status").className = style;
}

// -- what is shown --------------------------------------------------------------------------------------------------

function words(step) {
  return `${actionWords(step.action)} ${elementWords(step.element)}`.trim();
}

function showSteps() {
  const [first, last] = [Math.min(at, anchor), Math.max(at, anchor)];
  const rows = steps().map((step, place) => {
    const marks = [...step.changed.filter((what) => what !== "instruction"), ...(step.of ? ["done again"] : [])];
    const row = el("button", { className: "entry", tabIndex: -1, title: words(step), onclick: (event) => look(place, event.shiftKey) },
      el("b", {}, String(place + 1)), el("span", { className: "words" }, step.instruction ? el("span", { className: "for" }, `${step.instruction}: `) : "", words(step)),
      marks.length ? el("span", { className: "mark" }, marks.join(", ")) : "");
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", String(place >= first && place <= last));
    row.classList.toggle("chosen", place >= first && place <= last);
    row.classList.toggle("at", place === at);
    return row;
  });
  byId("steps").replaceChildren(...(rows.length ? rows : [el("p", { className: "quiet" }, "No steps are left. Undo brings them back.")]));
  if (rows[at]) rows[at].scrollIntoView({ block: "nearest" });
  const several = last > first ? `, ${last - first + 1} chosen` : "";
  byId("count").textContent = `${steps().length}${several}`;
}

const written = (step, field) => (step.unsaved && field in step.unsaved ? step.unsaved[field] : step[field] || "");

function showStep() {
  const step = steps()[at];
  const picture = step ? step.picture : data.after;
  if (byId("picture").getAttribute("src") !== picture) byId("picture").src = picture;
  byId("canvas").hidden = !picture;
  byId("nothing").hidden = Boolean(picture);
  byId("about").hidden = !step;
  if (step) {
    for (const field of ["instruction", "thought"]) if (document.activeElement !== byId(field)) byId(field).value = written(step, field);
    const window = step.element && step.element.window ? `, window “${step.element.window}”` : "";
    byId("hit").textContent = step.element ? `hits ${elementWords(step.element)}${window}` : "no element is known";
    byId("hit").title = byId("hit").textContent;
  }
  paint();
}

function paint() {
  const stage = byId("stage").getBoundingClientRect();
  const [width, height] = data.size;
  const scale = Math.min((stage.width - 20) / width, (stage.height - 20) / height);
  byId("canvas").style.width = `${width * scale}px`;
  byId("canvas").style.height = `${height * scale}px`;
  draw(byId("drawing"), steps()[at] || {}, data.size, true, found);
}

function showVersions() {
  const lines = [...data.lines].reverse().concat([{ number: 0, what: "as it was recorded", by: "", at: 0 }]);
  byId("versions-count").textContent = data.lines.length ? String(data.lines.length) : "only the recording";
  byId("lines").replaceChildren(...lines.map((line) => {
    const when = line.at ? new Date(line.at * 1000).toLocaleString() : "";
    const row = el("button", { title: [line.by, when].filter(Boolean).join(", "), onclick: trying(() => load(line.number)) },
      el("b", {}, String(line.number)), ` ${line.what}`, line.by ? el("span", { className: "quiet" }, ` · ${line.by}`) : "");
    row.classList.toggle("chosen", line.number === data.shown);
    return row;
  }));
}

function show() {
  const editable = newest() && steps().length > 0;
  for (const id of ["delete", "cut", "split", "join", "up", "down", "element", "action"]) byId(id).disabled = !editable;
  for (const id of ["instruction", "thought"]) byId(id).disabled = !newest();
  byId("join").disabled = !editable || at === anchor;
  byId("undo").disabled = !newest() || !data.undo;
  byId("redo").disabled = !newest() || !data.redo;
  for (const id of ["again", "perform"]) {
    byId(id).disabled = !data.own || !newest() || (id === "perform" && !steps().length);
    if (!data.own) byId(id).title = "Only recordings of this studio can be performed here.";
  }
  byId("write").disabled = !steps().length;
  byId("old").hidden = newest();
  byId("old-number").textContent = String(data.shown);
  byId("task").textContent = data.task;
  byId("told").textContent = data.instruction;
  document.title = `${data.task} · refine · Proctor`;
  byId("diff").href = `/refine/${run}/${episode}/diff?a=0&b=${data.shown}`;
  byId("key").href = `/refine/${run}/${episode}/key?version=${data.shown}`;
  showSteps();
  showStep();
  showVersions();
}

function look(place, extend = false) {
  if (!steps().length) return;
  say();
  at = Math.min(Math.max(place, 0), steps().length - 1);
  if (!extend) anchor = at;
  found = null;
  byId("join").disabled = !newest() || at === anchor;
  showSteps();
  showStep();
}

// What was done again from it, and whose verdict this version has: looked for once the steps are shown.
const others = trying(async () => {
  const asked = data.shown;
  const { again, verdict } = await ask(`${address}/again?version=${asked}`);
  if (asked !== data.shown) return;
  const badge = verdict ? (verdict.passed ? "passed" : "failed") : "not performed like this";
  byId("verdict").textContent = badge;
  byId("verdict").className = `badge ${verdict ? (verdict.passed ? "good" : "bad") : "warn"}`;
  byId("verdict").title = verdict ? `The same actions were performed in ${verdict.of}` : "Perform it, and it is judged";
  byId("done-again").hidden = !again.length;
  byId("redos").replaceChildren(...again.map((one) => el("p", {},
    `${one.only_judged ? "version" : "from version"} ${one.version}${one.only_judged ? " performed" : `, after ${one.kept} steps`}: `,
    el("span", { className: `badge ${STYLES[one.outcome]}` }, one.outcome),
    one.apart ? el("span", { className: "warn" }, ` ${one.apart} screens differed`) : "", " ",
    el("a", { href: one.replay }, "replay"), " ",
    one.only_judged ? "" : one.spliced ? `spliced in as ${one.spliced}` : el("button", { onclick: () => save("splice", { of: one.of }) }, "Splice in"))));
});

// -- what can be done -----------------------------------------------------------------------------------------------

function move(down) {
  const [first, last] = [Math.min(at, anchor), Math.max(at, anchor)];
  if (down ? last >= steps().length - 1 : first <= 0) return;
  const before = down ? steps()[last + 2] : steps()[first - 1];
  const [here, there] = [steps()[at].id, steps()[anchor].id];
  edit({ do: "move", steps: ids(), before: before ? before.id : "" }, here).then(() => {
    const place = steps().findIndex((step) => step.id === there);
    if (place >= 0) anchor = place;
    showSteps();
  });
}

// A text that was written is kept when the field is left, or another step is chosen.
function say() {
  const step = data && steps()[at];
  if (!step || !newest()) return;
  const said = {};
  for (const field of ["instruction", "thought"]) {
    const known = step.sent && field in step.sent ? step.sent[field] : step[field] || "";
    if (byId(field).value !== known) said[field] = byId(field).value;
  }
  if (!Object.keys(said).length) return;
  // What could not be saved stays, and is tried again when the field is left the next time.
  step.sent = { ...step.sent, ...said };
  step.unsaved = { ...step.unsaved, ...said };
  edit({ do: "say", step: step.id, ...said }, null, true).then(() => { step.sent = null; });
}

const one = () => steps()[at];
const doing = {
  undo: () => save("undo"),
  redo: () => save("redo"),
  delete: () => steps().length && edit({ do: "delete", steps: ids() }, Math.min(at, anchor)),
  cut: () => steps().length && edit({ do: "cut", steps: ids() }, 0),
  join: () => at !== anchor && edit({ do: "join", steps: ids() }, Math.min(at, anchor)),
  up: () => move(false),
  down: () => move(true),
  split: () => one() && askSplit(one(), (cut) => edit({ do: "split", step: one().id, at: cut }, one().id)),
  action: () => one() && askAction(one(), (action) => edit({ do: "action", step: one().id, action }, one().id)),
  element: trying(async () => {
    if (!one()) return;
    const { elements } = await ask(`${address}/elements?step=${encodeURIComponent(one().id)}&version=${data.shown}`);
    const lit = (element) => { found = element && element.box && element.box.length === 4 ? element.box : null; paint(); };
    askElement(one(), elements, data.size, lit, (element, aim) => edit({ do: "element", step: one().id, element, aim }, one().id));
  }),
  restore: trying(async () => {
    const shown = data.shown;
    const current = await ask(address);
    data = current;
    await save("restore", { number: shown });
  }),
  newest: trying(() => load()),
  again: trying(async () => {
    say();
    const { address: desk } = await tell(`${address}/again`, { version: data.version, keep: at });
    location.href = desk;
  }),
  perform: trying(async () => {
    const last = steps().at(-1);
    const ends = last && last.action && ["done", "answer", "fail"].includes(last.action.type);
    const { address: desk } = await tell(`${address}/again`, { version: data.version, keep: steps().length - (ends ? 1 : 0), only_judge: true });
    location.href = desk;
  }),
  write: trying(async () => {
    const made = await tell(`${address}/write`, { number: data.shown });
    const why = made.outcome === "void" ? ` It has no verdict: ${made.why}. Perform it to have it judged.` : "";
    byId("notice").replaceChildren(`Version ${data.shown} is ${made.there ? "already " : ""}written to ${made.path}. `, el("a", { href: made.replay }, "Replay"), why);
  }),
};
for (const id of Object.keys(doing)) byId(id).addEventListener("click", () => doing[id]());
for (const id of ["instruction", "thought"]) byId(id).addEventListener("change", say);
byId("ask-help").addEventListener("click", () => byId("help").showModal());

const keys = {
  ArrowUp: (event) => look(at - 1, event.shiftKey), ArrowDown: (event) => look(at + 1, event.shiftKey),
  ArrowLeft: (event) => look(at - 1, event.shiftKey), ArrowRight: (event) => look(at + 1, event.shiftKey),
  Home: (event) => look(0, event.shiftKey), End: (event) => look(steps().length - 1, event.shiftKey),
  Delete: doing.delete, x: doing.cut, s: doing.split, j: doing.join, e: doing.element, a: doing.action, r: doing.again, p: doing.perform,
  w: doing.write, d: () => byId("diff").click(), k: () => byId("key").click(), i: () => byId("instruction").focus(),
  t: () => byId("thought").focus(), "?": () => byId("help").showModal(),
};
addEventListener("keydown", (event) => {
  if (!data || byId("help").open || byId("asking").open) return;
  const writing = event.target.closest("textarea, input, select");
  const held = event.ctrlKey || event.metaKey;
  let act = null;
  if (writing) act = event.key === "Escape" ? () => byId("steps").focus() : null;
  else if (held && event.key.toLowerCase() === "z") act = event.shiftKey ? doing.redo : doing.undo;
  else if (held && event.key.toLowerCase() === "y") act = doing.redo;
  else if (event.altKey && event.key === "ArrowUp") act = doing.up;
  else if (event.altKey && event.key === "ArrowDown") act = doing.down;
  else if (!held && !event.altKey && !(event.target.closest("button, a, summary") && ["Enter", " "].includes(event.key))) act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  act(event);
});

try {
  await load();
  status(data.version ? `version ${data.version}` : "as it was recorded");
  new ResizeObserver(paint).observe(byId("stage"));
  byId("steps").focus();
} catch (error) {
  complain(error);
}
addEventListener("pageshow", (event) => event.persisted && location.reload());
addEventListener("beforeunload", (event) => {
  const step = data && newest() && steps()[at];
  const writing = step && ["instruction", "thought"].some((field) => byId(field).value !== (step[field] || ""));
  if (busy || writing || (data && steps().some((each) => each.unsaved))) event.preventDefault();
});
