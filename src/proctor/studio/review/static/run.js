// The episodes of one run, what was said of them, and how far reviewers agree.

import { byId, el, table } from "/replay-files/dom.js";
import { ask, complain, trying } from "/studio-files/studio.js";

const run = location.pathname.split("/")[2];
const figure = (value) => (value === null || value === undefined ? "–" : value.toFixed(2));
const STYLES = { passed: "good", failed: "bad", void: "warn" };
let rows = [];

async function more() {
  const data = await ask(`/review-data/${run}?from=${rows.length}&which=${byId("which").value}`);
  byId("name").textContent = data.name;
  byId("person").textContent = data.person;
  byId("count").textContent = `${data.total} ${data.total === 1 ? "episode" : "episodes"}`;
  rows.push(...data.episodes.map((episode) => [
    el("a", { href: `/review/${run}/${episode.id}` }, episode.task), episode.agent, String(episode.seed),
    episode.mine ? el("span", { className: `badge ${STYLES[episode.outcome] || ""}` }, episode.outcome) : el("span", { className: "quiet" }, "once you have reviewed it"),
    episode.mine ? episode.modes.join(", ").replaceAll("_", " ") : "", `${episode.reviews}${episode.mine ? ", yours among them" : ""}`]));
  byId("episodes").replaceChildren(table(["task", "agent", "seed", "verdict", "automatic labels", "reviews"], rows));
  byId("more").hidden = rows.length >= data.total;
  const { pairs, fleiss, shared } = data.agreement;
  if (!shared) return;
  byId("agreement").replaceChildren(el("h2", {}, "Agreement"),
    table(["reviewers", "episodes", "kappa of success", "same first wrong step", "at most one step apart", "common failure types"],
      [...pairs.map((pair) => [`${pair.first} and ${pair.second}`, String(pair.episodes), figure(pair.success_kappa),
        `${pair.same_step} of ${pair.named_steps}`, `${pair.near_step} of ${pair.named_steps}`, figure(pair.failures)]),
      ["all (Fleiss)", String(shared), figure(fleiss), "", "", ""]]));
}

byId("which").onchange = trying(() => { rows = []; return more(); });
byId("more").onclick = trying(more);
more().catch(complain);

// A page that the browser kept aside shows what was true then.
addEventListener("pageshow", (event) => event.persisted && location.reload());
