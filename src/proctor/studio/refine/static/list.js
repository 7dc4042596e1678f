// The demonstrations that can be refined.

import { byId, el, table } from "/replay-files/dom.js";
import { ask, trying } from "/studio-files/studio.js";

const STYLES = { passed: "good", failed: "bad", void: "warn" };
let episodes = [];

function show() {
  const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const own = byId("own").checked;
  const found = episodes.filter((one) => (!own || one.own)
    && words.every((word) => `${one.task} ${one.agent} ${one.run}`.toLowerCase().includes(word)));
  byId("count").textContent = `${found.length} of ${episodes.length}`;
  const rows = found.map((one) => [
    one.task, one.agent, one.run, el("span", { className: `badge ${STYLES[one.outcome]}` }, one.outcome), String(one.steps),
    one.edited ? "yes" : "", el("a", { href: one.address, className: "button" }, "Refine"),
  ]);
  const none = el("p", { className: "quiet" }, "None yet: record one first, or start the studio with --run.");
  byId("list").replaceChildren(found.length ? table(["task", "by", "run", "outcome", "steps", "edited", ""], rows) : none);
}

await trying(async () => {
  ({ episodes } = await ask("/refine-data"));
  if (!episodes.some((one) => one.own)) byId("own").checked = false;
  show();
})();
for (const id of ["search", "own"]) byId(id).addEventListener("input", show);
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement.tagName !== "INPUT") {
    event.preventDefault();
    byId("search").focus();
  }
});
