// One episode under review: its steps with their pictures, and what the reviewer says. Saved as it is said.

import { byId, el } from "/replay-files/dom.js";
import { draw } from "/replay-files/drawing.js";
import { actionWords, elementWords } from "/replay-files/words.js";
import { ask, complain } from "/studio-files/studio.js";
import { History } from "/annotate-files/history.js";
import { Saving } from "/annotate-files/saving.js";

const [, , run, episode] = location.pathname.split("/");
const address = `/review-data/${run}/${episode}`;
const record = `/data/${run}/${episode}`;
const KEYS = "123456789abdefhijklmnopqrstuv";
const EMPTY = { success: null, first_wrong: null, failures: [], comment: "" };

async function start() {
  const [data, index] = await Promise.all([ask(address), ask(record)]);
  const steps = index.steps;
  const size = (index.header.computer && index.header.computer.size) || (index.header.brief && index.header.brief.size) || [1280, 720];
  const said = (label) => (label ? { success: label.success, first_wrong: label.first_wrong, failures: label.failures, comment: label.comment } : EMPTY);
  const history = new History(said(data.label));
  const saving = new Saving(address, data.version, { status, conflict });
  let at = 0;

  function status(words, style = "quiet") {
    byId("status").textContent = words;
    byId("status").className = style;
  }
  function change(what, tag = "") {
    if (history.push({ ...history.state, ...what }, tag)) saving.change(history.state);
    show();
  }
  const turn = (way) => () => { if (history[way]()) { saving.change(history.state); show(); } };
  let theirs = null;
  function conflict(found) {
    theirs = found;
    status("not saved", "bad");
    byId("conflict-words").textContent = found.problem;
    byId("conflict").hidden = false;
  }
  byId("theirs").onclick = () => {
    byId("conflict").hidden = true;
    history.push(said(theirs.label));
    saving.resume(theirs.version);
    show();
  };

  const number = (step) => step.step ?? step.n;
  const rows = steps.map((step, place) => {
    const words = step.mark === "end" ? "the end" : `${actionWords(step.action)} ${elementWords(step.element)}`;
    const row = el("button", { className: "entry", onclick: () => look(place) }, el("b", {}, String(place + 1)), el("span", { className: "words", title: words }, words));
    row.setAttribute("role", "option");
    return row;
  });
  byId("steps").append(...rows);

  let shown = "";
  function look(place) {
    at = Math.min(Math.max(place, 0), steps.length - 1);
    const step = steps[at];
    if (!step) return;
    // A picture that did not change is not recorded twice.
    const seen = steps.slice(0, at + 1).findLast((each) => each.saw && each.saw.screenshot);
    const next = seen ? `${record}/${encodeURIComponent(seen.saw.screenshot)}?v=${index.version}` : "";
    if (next !== shown) byId("picture").src = shown = next;
    byId("canvas").hidden = !next;
    byId("caption").textContent = `${at + 1} / ${steps.length} · ${rows[at].textContent.slice(String(at + 1).length)}`;
    rows[at].scrollIntoView({ block: "nearest" });
    paint();
    show();
  }
  function paint() {
    const stage = byId("stage").getBoundingClientRect();
    const scale = Math.min((stage.width - 24) / size[0], (stage.height - 24) / size[1]);
    byId("canvas").style.width = `${size[0] * scale}px`;
    byId("canvas").style.height = `${size[1] * scale}px`;
    if (steps[at]) draw(byId("drawing"), steps[at], size, true, null);
  }
  new ResizeObserver(paint).observe(byId("stage"));

  const wrong = () => steps.length && change({ first_wrong: history.state.first_wrong === number(steps[at]) ? null : number(steps[at]) });
  byId("wrong").onclick = wrong;
  const outcomes = [["y", "yes", true], ["x", "no", false]].map(([key, words, value]) =>
    [value, el("button", { onclick: () => change({ success: history.state.success === value ? null : value }) }, el("kbd", {}, key), ` ${words}`)]);
  byId("success").append(...outcomes.map(([, button]) => button));
  const failures = data.failures.map(({ name, words }, place) => {
    const box = el("input", { type: "checkbox", onchange: () => flip(name) });
    return { name, box, row: el("label", { className: "row" }, box, el("kbd", {}, KEYS[place] || ""), words) };
  });
  byId("failures").append(...failures.map(({ row }) => row));
  function flip(name) {
    const chosen = history.state.failures.includes(name) ? history.state.failures.filter((each) => each !== name) : [...history.state.failures, name];
    change({ failures: data.failures.map((each) => each.name).filter((each) => chosen.includes(each)) });
  }
  byId("comment").oninput = () => change({ comment: byId("comment").value }, "comment");

  function show() {
    const state = history.state;
    rows.forEach((row, place) => {
      row.classList.toggle("chosen", place === at);
      row.classList.toggle("wrong", number(steps[place]) === state.first_wrong);
      row.setAttribute("aria-selected", String(place === at));
    });
    const here = steps[at] && number(steps[at]) === state.first_wrong;
    byId("wrong").textContent = here ? "✗ the first wrong step; unmark it" : "This step is the first wrong one";
    byId("wrong").classList.toggle("chosen", Boolean(here));
    outcomes.forEach(([value, button]) => button.classList.toggle("chosen", state.success === value));
    failures.forEach(({ name, box }) => { box.checked = state.failures.includes(name); });
    if (byId("comment").value !== state.comment) byId("comment").value = state.comment;
  }

  async function go(id) {
    if (id && (await saving.settle())) location.href = `/review/${run}/${id}`;
  }
  byId("back").disabled = !data.before;
  byId("on").disabled = !data.after;
  byId("back").onclick = () => go(data.before);
  byId("on").onclick = () => go(data.after);
  byId("ask-help").onclick = () => byId("help").showModal();

  const marked = () => steps.findIndex((step) => number(step) === history.state.first_wrong);
  const keys = { ArrowLeft: () => look(at - 1), ArrowRight: () => look(at + 1), Home: () => look(0), End: () => look(steps.length - 1), w: wrong,
    g: () => marked() >= 0 && look(marked()), c: () => byId("comment").focus(), y: () => outcomes[0][1].click(), x: () => outcomes[1][1].click(),
    PageUp: () => go(data.before), PageDown: () => go(data.after), "?": () => byId("help").showModal(), u: turn("undo"), U: turn("redo") };
  failures.forEach(({ name }, place) => { if (KEYS[place] && !keys[KEYS[place]]) keys[KEYS[place]] = () => flip(name); });
  addEventListener("keydown", (event) => {
    if (byId("help").open) return;
    const writing = event.target.closest("textarea, input:not([type=checkbox]), select");
    const held = event.ctrlKey || event.metaKey;
    let act = null;
    if (writing) act = event.key === "Escape" ? () => byId("stage").focus() : null;
    else if (held && event.key.toLowerCase() === "z") act = turn(event.shiftKey ? "redo" : "undo");
    else if (held && event.key.toLowerCase() === "y") act = turn("redo");
    else if (!held && !event.altKey) act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  // Whoever reviews says first what they see: the verdict would lead them.
  function showVerdict() {
    const { outcome, modes } = data.verdict;
    byId("show-verdict").hidden = true;
    byId("verdict").hidden = false;
    byId("verdict").textContent = `${outcome}${modes.length ? `: ${modes.join(", ").replaceAll("_", " ")}` : ""}`;
    byId("verdict").classList.add({ passed: "good", failed: "bad" }[outcome] || "warn");
  }
  byId("show-verdict").onclick = showVerdict;
  if (data.version) showVerdict();
  byId("assisted").hidden = !data.verdict.assisted;
  byId("run").textContent = data.run.name;
  byId("run").href = `/review/${run}`;
  byId("task").textContent = index.key.task;
  byId("agent").textContent = index.key.agent;
  byId("replay").href = `/replay/${run}/${episode}`;
  byId("count").textContent = `${data.place + 1} / ${data.count}`;
  byId("told").textContent = index.people.goal || (index.header.task && index.header.task.instruction) || (index.header.brief && index.header.brief.instruction) || "";
  document.title = `${index.key.task} · review · Proctor`;
  const words = (each) => `${each.by}: ${each.success === null ? "does not say whether it was done" : each.success ? "done" : "not done"}${
    each.first_wrong === null ? "" : `, wrong from step ${each.first_wrong + 1}`}${each.failures.length ? `, ${each.failures.join(", ").replaceAll("_", " ")}` : ""}${each.comment ? `. ${each.comment}` : ""}`;
  byId("others").replaceChildren(...(data.others.length ? [el("h2", {}, "Others"), ...data.others.map((each) => el("p", {}, words(each)))]
    : data.hidden ? [el("p", { className: "quiet" }, `${data.hidden} others have reviewed this; you see what they say once you have.`)] : []));
  status(data.version ? `version ${data.version}` : "not reviewed by you");
  const asked = Number(location.hash.slice(1));
  look(asked > 0 ? asked - 1 : marked() >= 0 ? marked() : 0);
  byId("stage").focus();
}

start().catch(complain);

// A page that the browser kept aside shows what was true then.
addEventListener("pageshow", (event) => event.persisted && location.reload());
