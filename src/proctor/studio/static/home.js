// The first page: the rooms, the tasks to choose from, desktops that are open, and what was made.

import { byId, el, table } from "/replay-files/dom.js";
import { ask, duration, tell, trying } from "/studio-files/studio.js";

const MOST_SHOWN = 200;
let tasks = [];
let records = false;

const start = trying(async (task, kind) => {
  const { address } = await tell("/record/desks", { task, kind });
  location.href = address;
});

function choices(task) {
  if (!records) return "";
  const record = el("button", { onclick: () => start(task.id, "record") }, "Record");
  const validate = el("button", { onclick: () => start(task.id, "validate") }, "Try, timed");
  return el("span", {}, record, " ", validate);
}

function wanted(task) {
  const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const text = `${task.id} ${task.summary} ${task.demand} ${task.apps.join(" ")}`.toLowerCase();
  return words.every((word) => text.includes(word))
    && ["", task.suite].includes(byId("suite").value)
    && ["", String(task.level)].includes(byId("level").value)
    && (byId("app").value === "" || task.apps.includes(byId("app").value));
}

function showTasks() {
  const found = tasks.filter(wanted);
  byId("count").textContent = `${found.length} of ${tasks.length}`;
  const rows = found.slice(0, MOST_SHOWN).map((task) => [
    el("span", {}, task.name), task.summary, `L${task.level}`, task.apps.join(", "), choices(task),
  ]);
  const more = found.length > MOST_SHOWN ? [el("p", { className: "quiet" }, `${found.length - MOST_SHOWN} more; search.`)] : [];
  byId("tasks").replaceChildren(table(["task", "what is asked", "level", "applications", ""], rows), ...more);
}

function fill(id, values) {
  for (const value of [...new Set(values)].sort()) byId(id).append(el("option", { value }, value));
}

let made = [];
const STYLES = { passed: "good", failed: "bad", void: "warn", interrupted: "warn", running: "" };

async function moreMade() {
  const found = await ask(`/studio/home?from=${made.length}`);
  made.push(...found.made);
  showMade(found.count);
}

function showMade(count) {
  byId("more").hidden = made.length >= count;
  byId("made-count").textContent = count ? `${made.length} of ${count}` : "";
  const rows = made.map((one) => [
    one.task, one.person || "", one.kind === "validate" ? "timed" : "recorded",
    el("span", { className: `badge ${STYLES[one.outcome] || ""}` }, one.outcome),
    String(one.steps ?? ""), duration(one.working_seconds ?? one.seconds),
    one.clarity ? `clear ${one.clarity}/5, hard ${one.difficulty || "?"}/5` : "",
    one.url ? el("a", { href: one.url }, "replay") : "",
  ]);
  const none = el("p", { className: "quiet" }, "None yet: choose a task above and do it.");
  byId("made").replaceChildren(rows.length ? table(["task", "by", "", "outcome", "steps", "time", "rated", ""], rows) : none);
}

function showDesks(desks) {
  byId("desks").hidden = desks.length === 0;
  byId("open").replaceChildren(table(["task", "by", "", ""], desks.map((desk) => [
    desk.title, desk.person, desk.state,
    desk.yours ? el("a", { href: desk.address, className: "button" }, "Go on") : "",
  ])));
}

const refresh = trying(async () => {
  const home = await ask("/studio/home");
  if (document.activeElement !== byId("person")) byId("person").value = home.person;
  byId("rooms").replaceChildren(...home.rooms.map((room) =>
    el("a", { className: "card", href: room.address }, el("b", {}, room.title), el("span", { className: "quiet" }, room.sentence))));
  records = home.rooms.some((room) => room.address === "/record");
  byId("empty").hidden = !records;
  // Those that were asked for stay, the newest are put before them.
  const first = new Set(home.made.map((one) => `${one.run} ${one.id}`));
  made = [...home.made, ...made.filter((one) => !first.has(`${one.run} ${one.id}`))];
  showMade(home.count);
  if (records) showDesks((await ask("/record/desks")).desks);
});

byId("person").addEventListener("change", trying(() => tell("/studio/person", { name: byId("person").value })));
byId("invite").addEventListener("click", trying(async () => {
  const { path } = await tell("/studio/invitation");
  byId("invitation").hidden = false;
  byId("address").value = location.origin + path;
  byId("address").select();
}));
byId("more").addEventListener("click", trying(moreMade));
byId("empty").addEventListener("click", () => start("", "record"));
for (const id of ["search", "suite", "level", "app"]) byId(id).addEventListener("input", showTasks);
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !["INPUT", "TEXTAREA"].includes(document.activeElement.tagName)) {
    event.preventDefault();
    byId("search").focus();
  }
});

await refresh();
await trying(async () => {
  tasks = (await ask("/studio/tasks")).tasks;
  fill("suite", tasks.map((task) => task.suite));
  fill("level", tasks.map((task) => String(task.level)));
  fill("app", tasks.flatMap((task) => task.apps));
  showTasks();
})();
window.addEventListener("focus", refresh);
