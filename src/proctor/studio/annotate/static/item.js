// One item: loads it, keeps its history, saves, and leaves drawing and choosing to the editor of its kind.

import { byId, el } from "/replay-files/dom.js";
import { ask, complain } from "/studio-files/studio.js";
import { boxesEditor } from "/annotate-files/boxes.js";
import { choiceEditor } from "/annotate-files/choices.js";
import { History } from "/annotate-files/history.js";
import { Saving } from "/annotate-files/saving.js";

const [, , setName, , itemId] = location.pathname.split("/");
const deciding = new URLSearchParams(location.search).has("decide");
const suffix = deciding ? "?decide" : "";
const base = `/annotate-data/${setName}`;
const address = `${base}/items/${encodeURIComponent(itemId)}`;
const pageOf = (id) => `/annotate/${setName}/items/${id}${suffix}`;

const EMPTY = { ground: { boxes: [] }, idm: { operation: "" }, critic: { success: null } };

async function start() {
  const data = await ask(address + suffix);
  const kind = data.set.kind;
  const first = { ...EMPTY[kind], note: "", done: false };
  const history = new History(data.label ? { ...first, ...data.label } : first);
  const saving = new Saving(address + suffix, data.version, { status, conflict });
  const app = { data, history, base, address, deciding, change, commit, complain };
  const editor = (kind === "ground" ? boxesEditor : choiceEditor)(app);

  function status(words, style = "quiet") {
    byId("status").textContent = words;
    byId("status").className = style;
  }

  function refresh() {
    byId("undo").disabled = !history.past.length;
    byId("redo").disabled = !history.future.length;
    byId("done").textContent = history.state.done ? "Done ✓, next" : "Done, next";
    editor.show(history.state);
  }

  // A change by hand. What was called done and is changed stays done until somebody says otherwise.
  function change(state, tag) {
    if (history.push(state, tag)) saving.change(history.state);
    refresh();
  }

  function commit() {
    saving.change(history.state);
    refresh();
  }

  let theirs = null;
  function conflict(found) {
    theirs = found;
    status("not saved", "bad");
    byId("conflict-words").textContent = found.problem;
    byId("conflict").hidden = false;
    byId("theirs").focus();
  }
  byId("theirs").onclick = () => {
    byId("conflict").hidden = true;
    history.push({ ...first, ...theirs.label });
    saving.resume(theirs.version);
    refresh();
    byId("stage").focus();
  };

  const undo = () => history.undo() && commit();
  const redo = () => history.redo() && commit();
  byId("undo").onclick = undo;
  byId("redo").onclick = redo;

  async function done() {
    const problem = editor.problem ? editor.problem(history.state) : "";
    if (problem) return complain(problem);
    complain("");
    change({ ...history.state, done: true });
    if (!(await saving.settle())) return undefined;
    const { item } = await ask(`${base}/next?after=${itemId}${deciding ? "&decide" : ""}`);
    location.href = item ? pageOf(item) : `/annotate/${setName}`;
    return undefined;
  }
  byId("done").onclick = () => done().catch(complain);

  async function go(id) {
    if (id && (await saving.settle())) location.href = pageOf(id);
  }
  byId("back").disabled = !data.before;
  byId("on").disabled = !data.after;
  byId("back").onclick = () => go(data.before);
  byId("on").onclick = () => go(data.after);
  byId("ask-help").onclick = () => byId("help").showModal();

  const keys = { PageUp: () => go(data.before), PageDown: () => go(data.after), "?": () => byId("help").showModal(),
    u: undo, U: redo };
  addEventListener("keydown", (event) => {
    if (byId("help").open) return;
    const writing = event.target.closest("input, textarea, select");
    const held = event.ctrlKey || event.metaKey;
    let act = null;
    if (held && event.key === "Enter") act = () => done().catch(complain);
    else if (event.key === "Escape" && writing) act = () => byId("stage").focus();
    else if (held && !writing && event.key.toLowerCase() === "z") act = event.shiftKey ? redo : undo;
    else if (held && !writing && event.key.toLowerCase() === "y") act = redo;
    else if (!writing && !held && keys[event.key]) act = keys[event.key];
    else if (!writing) act = editor.key(event);
    if (!act) return;
    event.preventDefault();
    act();
  });

  byId("set").textContent = data.set.name;
  byId("set").href = `/annotate/${setName}`;
  byId("name").textContent = data.item.name;
  byId("count").textContent = `${data.place + 1} / ${data.count}`;
  byId("deciding").hidden = !deciding;
  byId("told").hidden = !data.item.instruction;
  byId("told").textContent = data.item.instruction;
  document.title = `${data.item.name || "Item"} · ${data.set.name} · Proctor`;
  const common = [["Ctrl+Z, u", "undo"], ["Ctrl+Shift+Z, U", "redo"], ["Ctrl+Enter", "done, and go to the next"],
    ["Page up, Page down", "previous item, next item"], ["Escape", "from a field back to the picture"], ["?", "these keys"]];
  byId("keys").replaceChildren(...[...editor.keys, ...common].map(([key, what]) =>
    el("tr", {}, el("td", {}, key.split(", ").flatMap((each) => [el("kbd", {}, each), " "])), el("td", {}, what))));
  status(data.version ? `version ${data.version}` : "not begun");
  refresh();
  byId("stage").focus();
}

start().catch(complain);

// A page that the browser kept aside shows what was true then.
addEventListener("pageshow", (event) => event.persisted && location.reload());
