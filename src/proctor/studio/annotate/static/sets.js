// All annotation sets, how far each is, and a form for a new one.

import { byId, el, table } from "/replay-files/dom.js";
import { ask, complain, tell, trying } from "/studio-files/studio.js";

const KINDS = { ground: "boxes", idm: "actions", critic: "outcomes" };

async function show() {
  const { sets, runs, person } = await ask("/annotate-data");
  byId("person").textContent = person;
  byId("run").append(...runs.map((run) => el("option", { value: run.id }, `run ${run.name}`)));
  if (!sets.length) {
    byId("sets").replaceChildren(el("p", { className: "quiet" }, "There is none yet."));
    return;
  }
  byId("sets").replaceChildren(table(["set", "what", "items", "labels", "differ", "from"], sets.map((set) => [
    el("a", { href: `/annotate/${encodeURIComponent(set.name)}` }, set.name), KINDS[set.kind], String(set.items),
    el("span", {}, el("progress", { className: "meter", max: Math.max(set.wanted, 1), value: set.labels }), ` ${set.labels} of ${set.wanted}`),
    String(set.states.differs || 0), set.source])));
}

byId("new").onsubmit = (event) => {
  event.preventDefault();
  trying(async () => {
    const made = await tell("/annotate-data", { name: byId("name").value.trim(), run: byId("run").value, kind: byId("kind").value,
      annotators: Number(byId("annotators").value) });
    location.href = `/annotate/${encodeURIComponent(made.name)}`;
  })();
};

show().catch(complain);

// A page that the browser kept aside shows what was true then.
addEventListener("pageshow", (event) => event.persisted && location.reload());
