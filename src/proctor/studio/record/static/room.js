// The room where people record and try tasks: the next task for somebody, and desks that are open.

import { byId, el, table } from "/replay-files/dom.js";
import { ask, tell, trying } from "/studio-files/studio.js";

let waiting = [];

const start = trying(async (task, kind) => {
  const { address } = await tell("/record/desks", { task, kind, video: byId("video").checked });
  location.href = address;
});

// A task that this person has not tried, the least tried first; the order of the suite decides among equals.
function queue(tasks, timed, person) {
  const mine = new Set(timed.filter((one) => one.person === person).map((one) => one.task));
  const count = (task) => timed.filter((one) => one.task === task.id).length;
  return tasks.filter((task) => !mine.has(task.id)).map((task) => [count(task), task]).sort((a, b) => a[0] - b[0]).map((pair) => pair[1]);
}

await trying(async () => {
  const asked = ["/studio/home", "/studio/tasks", "/record/desks", "/studio/tried"].map(ask);
  const [home, { tasks }, { desks }, { tried }] = await Promise.all(asked);
  waiting = queue(tasks, tried, home.person);
  byId("left").textContent = waiting.length ? `${waiting.length} left for ${home.person}` : `${home.person} has tried all of them`;
  byId("next").disabled = waiting.length === 0;
  const none = el("p", { className: "quiet" }, "None.");
  byId("open").replaceChildren(desks.length === 0 ? none : table(["task", "by", "", ""], desks.map((desk) => [
    desk.title, desk.person, desk.state, desk.yours ? el("a", { href: desk.address, className: "button" }, "Go on") : "",
  ])));
})();

byId("next").addEventListener("click", () => start(waiting[0].id, "validate"));
byId("empty").addEventListener("click", () => start("", "record"));
