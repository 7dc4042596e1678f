// One task in the making: what was prepared, asked, shown, what is judged, and its proof.

import { byId, el, table } from "/replay-files/dom.js";
import { ask, complain, counted, tell, trying } from "/studio-files/studio.js";
import { eventRow, firstEvent } from "/create-files/events.js";
import { callRow, checkCard, markRow, missCard } from "/create-files/parts.js";

const POLL_MS = 700;
const SOON_MS = 500;
const LONGEST_WAIT_MS = 10000;
const path = `/create/makings/${location.pathname.split("/").pop()}`;
const LINES = ["paraphrases", "expected"];
const NEW = {
  setup: () => ({ setup: "text_file", path: "Documents/notes.txt", text: "" }),
  events: firstEvent,
  solution: () => ({ move: "press", keys: "ctrl+s" }),
  checks: () => ({ about: "a check of your own", kind: "file", why: "written by hand", before: "", after: "", accepted: true,
    check: { check: "file_exists", of: { probe: "file", path: "Documents/notes.txt" } } }),
};

let draft = null;
let unsent = {};
let sending = false;
let saving = Promise.resolve();
let shownProof = "";

// -- keeping what is written ----------------------------------------------------------------------------------------

// One change after the other: each is made from the version that the one before left.
function keep(fields) {
  Object.assign(draft, fields);
  Object.assign(unsent, fields);
  saved("saving");
  saving = saving.then(send);
  return saving;
}

function saved(words, style = "quiet") {
  byId("saved").textContent = words;
  byId("saved").className = style;
}

// Sends what was written, again and again while the studio cannot be asked; what it refuses is said.
async function send() {
  for (let wait = 1000; Object.keys(unsent).length; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    const fields = unsent;
    unsent = {};
    sending = true;
    try {
      const found = await tell(`${path}/change`, { version: draft.version, fields });
      draft.version = found.version;
      byId("missing").textContent = found.missing;
      // What is proposed from the solution follows it.
      if ("solution" in fields && !("near_misses" in unsent)) {
        draft.near_misses = found.near_misses;
        showList("near_misses");
      }
      complain("");
      saved("saved");
    } catch (error) {
      complain(error);
      saved(error.refused ? "not saved" : "not saved; trying again", "bad");
      if (error.refused) continue;
      unsent = { ...fields, ...unsent };
      await new Promise((resolve) => setTimeout(resolve, wait));
    } finally {
      sending = false;
    }
  }
}

// A text is kept while it is written, not only when its field is left.
function keepWriting(id, read) {
  let timer = null;
  const now = () => {
    clearTimeout(timer);
    const [[name, value]] = Object.entries(read());
    if (JSON.stringify(value) !== JSON.stringify(draft[name])) keep({ [name]: value });
  };
  byId(id).addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(now, SOON_MS); });
  byId(id).addEventListener("change", now);
}

// What is edited in a mark stands in its fields already; shown anew, the next field would lose the focus.
function keepList(name, list) {
  const count = draft[name].length;
  keep({ [name]: list });
  if (name !== "marks" || list.length !== count) showList(name);
}

function replaced(name, place, one) {
  const list = [...draft[name]];
  if (one === null) list.splice(place, 1);
  else list[place] = one;
  keepList(name, list);
}

// -- showing it -----------------------------------------------------------------------------------------------------

const MAKERS = {
  setup: (...given) => el("li", {}, callRow(...given)),
  events: eventRow,
  solution: (...given) => el("li", {}, callRow(...given)),
  checks: checkCard,
  near_misses: missCard,
  marks: markRow,
};
const FIELDS = "input, textarea, select, button";

// Shows a list anew; whoever was in a field of it stays in the same one.
function showList(name) {
  const list = byId(name);
  const place = [...list.querySelectorAll(FIELDS)].indexOf(document.activeElement);
  list.replaceChildren(...draft[name].map((one, at) => MAKERS[name](one, (changed) => replaced(name, at, changed), complain)));
  if (name === "checks" && !draft.checks.length) list.replaceChildren(el("p", { className: "quiet" }, "Nothing yet: show the solution first."));
  if (place >= 0) (list.querySelectorAll(FIELDS)[place] || list).focus();
}

function showLists() {
  for (const name of Object.keys(MAKERS)) showList(name);
}

function show(found) {
  draft = found;
  document.title = `${draft.name} · Proctor studio`;
  byId("title").textContent = draft.name;
  byId("notes").replaceChildren(...draft.notes.map((line) => el("li", {}, line)));
  byId("prepared").textContent = draft.prepared ? "prepared" : "as it is";
  byId("demonstrated").textContent = draft.demonstrated ? "demonstrated" : "not yet";
  byId("demonstrated").className = `badge ${draft.demonstrated ? "good" : "warn"}`;
  byId("instruction").value = draft.instruction;
  for (const name of LINES) byId(name).value = draft[name].join("\n");
  byId("apps").value = draft.apps.join(", ");
  byId("level").replaceChildren(...[1, 2, 3, 4, 5].map((level) => el("option", { value: level, selected: level === draft.level }, `L${level}`)));
  byId("demand").replaceChildren(...draft.demands.map((demand) => el("option", { value: demand, selected: demand === draft.demand }, demand)));
  byId("missing").textContent = draft.missing;
  byId("file").textContent = draft.file;
  byId("lost-desk").hidden = !draft.lost;
  byId("go-on").hidden = !draft.lost || !draft.lost.actions;
  if (draft.lost) {
    const what = draft.lost.stage === "prepare" ? "prepared" : "demonstrated";
    byId("lost-words").textContent = `The desktop on which this was ${what} ended before anyone pressed Done. `
      + (draft.lost.actions ? `What was done there is recorded (${counted(draft.lost.actions, "action")}) and can be repeated on a fresh one.` : "Nothing had been done there.");
  }
  byId("open-desk").hidden = !draft.desk;
  byId("open-desk").querySelector("a").href = draft.desk || "#";
  showLists();
  showProof(draft.proof);
}

function showProof(proof) {
  const text = JSON.stringify(proof);
  if (!proof || text === shownProof) return;
  shownProof = text;
  const bar = byId("bar");
  bar.hidden = !proof.going_on;
  bar.max = proof.total;
  bar.value = proof.outcomes.length;
  byId("prove").disabled = byId("quick").disabled = proof.going_on;
  const words = proof.going_on ? `${proof.outcomes.length} of ${proof.total} trials` : proof.trouble || proof.state;
  byId("verdict").textContent = words;
  byId("verdict").className = proof.going_on ? "" : `badge ${["proven", "holds"].includes(proof.state) ? "good" : "bad"}`;
  const rows = proof.outcomes.map((one) => [
    one.label, one.name, el("span", { className: `badge ${one.proven ? "good" : "bad"}` }, one.score === null ? "void" : String(one.score)),
    one.problems.join(" "), `${one.seconds} s`,
  ]);
  byId("outcomes").replaceChildren(rows.length ? table(["trial", "", "score", "", "took"], rows) : "");
  showSurvivors(proof);
}

function showSurvivors(proof) {
  const parts = [];
  if (!proof.going_on && proof.mutants) {
    parts.push(el("p", {}, `${proof.mutants - proof.survived.length} of ${proof.mutants} mutants were caught; ${proof.variants - proof.rejected.length} of ${proof.variants} variants still count.`));
  }
  const found = [...proof.survived.map((one) => ["not caught", one]), ...proof.rejected.map((one) => ["rejected", one])];
  if (found.length) {
    parts.push(admitting(found, proof));
  }
  byId("survivors").replaceChildren(...parts);
}

// Changes to the end state that the verdict overlooks: those that are ticked are admitted together, for one reason.
function admitting(found, proof) {
  const known = new Map(draft.may_differ.map((one) => [one.which, one.why]));
  const open = found.filter(([, one]) => !known.has(one.label));
  const boxes = new Map(open.map(([, one]) => [one.label, el("input", { type: "checkbox", ariaLabel: `Allow ${one.label}` })]));
  const rows = found.map(([kind, one]) => [boxes.get(one.label) || el("span", { className: "badge good" }, "admitted"), kind, one.label,
    known.has(one.label) ? `you: ${known.get(one.label)}` : one.why]);
  const shown = [table(["", "", "change to the end state", "why"], rows)];
  if (open.length) {
    const why = el("input", { id: "why", size: 50, placeholder: "Why may these differ?", ariaLabel: "Why the selected ones may differ" });
    const told = el("span", { className: "bad", role: "alert" });
    const admit = () => {
      const labels = [...boxes].filter(([, box]) => box.checked).map(([label]) => label);
      told.textContent = !labels.length ? "Select what may differ." : why.value.trim() ? "" : "Say why.";
      if (told.textContent) return;
      keep({ may_differ: [...draft.may_differ, ...labels.map((which) => ({ which, why: why.value.trim() }))] });
      showSurvivors(proof);
    };
    const all = el("button", { onclick: () => { for (const box of boxes.values()) box.checked = true; } }, "Tick all");
    why.addEventListener("keydown", (event) => event.key === "Enter" && admit());
    shown.push(el("div", { className: "row" }, all, why, el("button", { id: "admit", onclick: admit }, "Allow the selected"), told));
  }
  if (known.size) shown.push(el("p", { className: "quiet" }, "What you allow takes effect in the next proof: press Prove again."));
  return el("div", {}, shown);
}

// -- what the person does -------------------------------------------------------------------------------------------

const sitDown = trying(async (stage, goOn = false) => {
  await saving;
  const { address } = await tell(`${path}/desk`, { stage, go_on: goOn });
  location.href = address;
});

const prove = trying(async (quick) => {
  await saving;
  await tell(`${path}/prove`, { quick });
  shownProof = "";
  poll();
});

const write = trying(async () => {
  await saving;
  const { file } = await tell(`${path}/write`);
  byId("saved").textContent = `written: ${file}`;
});

async function poll() {
  const found = await trying(() => ask(path))();
  if (!found) return;
  showProof(found.proof);
  if (found.proof && found.proof.going_on) setTimeout(poll, POLL_MS);
}

addEventListener("beforeunload", (event) => (sending || Object.keys(unsent).length) && event.preventDefault());
keepWriting("instruction", () => ({ instruction: byId("instruction").value }));
for (const name of LINES) {
  keepWriting(name, () => ({ [name]: byId(name).value.split("\n").map((line) => line.trim()).filter(Boolean) }));
}
byId("apps").addEventListener("change", () => keep({ apps: byId("apps").value.split(",").map((app) => app.trim()).filter(Boolean) }));
byId("level").addEventListener("change", () => keep({ level: Number(byId("level").value) }));
byId("demand").addEventListener("change", () => keep({ demand: byId("demand").value }));
byId("prepare").addEventListener("click", () => sitDown("prepare"));
byId("demonstrate").addEventListener("click", () => sitDown("demonstrate"));
byId("go-on").addEventListener("click", () => sitDown(draft.lost.stage, true));
byId("prove").addEventListener("click", () => prove(false));
byId("quick").addEventListener("click", () => prove(true));
byId("write").addEventListener("click", write);
byId("mark").addEventListener("click", () => {
  const value = String(getSelection()).trim();
  keepList("marks", [...draft.marks, { name: `value_${draft.marks.length + 1}`, value, others: [] }]);
});
for (const add of document.querySelectorAll(".add")) {
  add.addEventListener("click", () => keepList(add.dataset.list, [...draft[add.dataset.list], NEW[add.dataset.list](draft[add.dataset.list])]));
}
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey && event.key === "s") {
    event.preventDefault();
    document.activeElement.blur();
    write();
  }
});

await trying(async () => {
  show(await ask(path));
  if (draft.proof && draft.proof.going_on) poll();
})();
