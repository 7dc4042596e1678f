// The demonstrations that can be refined, a page at a time.

import { byId, el, table } from "/replay-files/dom.js";
import { ask, trying } from "/studio-files/studio.js";

const STYLES = { passed: "good", failed: "bad", void: "warn" };
const SOON_MS = 200;
let rows = [];
let asked = 0;
let soon = null;

async function more() {
  asked += 1;
  const mine = asked;
  const query = new URLSearchParams({ search: byId("search").value, own: byId("own").checked ? "1" : "", from: rows.length });
  const data = await ask(`/refine-data?${query}`);
  if (mine !== asked) return data;
  rows.push(...data.episodes.map((one) => [
    one.task, one.agent, one.run,
    el("span", {}, el("span", { className: `badge ${STYLES[one.outcome] || ""}` }, one.outcome), one.assisted ? el("span", { className: "badge warn" }, "assisted") : ""),
    String(one.steps), one.edited ? "yes" : "", el("a", { href: one.address, className: "button", ariaLabel: `Refine ${one.task} of ${one.run}` }, "Refine"),
  ]));
  byId("count").textContent = `${rows.length} of ${data.found}`;
  const none = el("p", { className: "quiet" }, data.total ? "No match." : "None yet: record one first, or start the studio with --run.");
  byId("list").replaceChildren(rows.length ? table(["task", "by", "run", "outcome", "steps", "edited", ""], rows) : none);
  byId("more").hidden = rows.length >= data.found;
  return data;
}

const anew = trying(() => { rows = []; return more(); });

await trying(async () => {
  const data = await more();
  if (data.any_own || !data.total) return;
  byId("own").checked = false;
  await anew();
})();
byId("search").addEventListener("input", () => { clearTimeout(soon); soon = setTimeout(anew, SOON_MS); });
byId("own").addEventListener("input", anew);
byId("more").addEventListener("click", trying(more));
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement.tagName !== "INPUT") {
    event.preventDefault();
    byId("search").focus();
  }
});
