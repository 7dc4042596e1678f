// The room where tasks are made: those in the making, and a new one.

import { byId, el, table } from "/replay-files/dom.js";
import { ask, tell, trying } from "/studio-files/studio.js";

const STYLES = { proven: "good", holds: "good", "not proven": "bad", "being proven": "warn" };

await trying(async () => {
  const { makings, apps, made } = await ask("/create/makings");
  byId("known").replaceChildren(...apps.map((app) => el("option", { value: app })));
  byId("made").textContent = made;
  const rows = makings.map((one) => [
    el("a", { href: `/create/making/${one.id}` }, one.name), one.instruction, one.person,
    el("span", { className: `badge ${STYLES[one.state] || ""}` }, one.state),
  ]);
  const none = el("p", { className: "quiet" }, "None yet.");
  byId("makings").replaceChildren(rows.length ? table(["task", "what is asked", "by", ""], rows) : none);
})();

byId("new").addEventListener("submit", (event) => {
  event.preventDefault();
  trying(async () => {
    const apps = byId("apps").value.split(",").map((app) => app.trim()).filter(Boolean);
    const { address } = await tell("/create/makings", { name: byId("name").value.trim(), apps });
    location.href = address;
  })();
});
