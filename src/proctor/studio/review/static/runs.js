// The runs that can be reviewed.

import { byId, el, table } from "/replay-files/dom.js";
import { ask, complain } from "/studio-files/studio.js";

ask("/review-data").then(({ runs, person }) => {
  byId("person").textContent = person;
  const rows = runs.map((run) => [el("a", { href: `/review/${run.id}` }, run.name), String(run.episodes), String(run.reviewed), run.people.join(", ")]);
  byId("runs").replaceChildren(runs.length ? table(["run", "episodes", "reviewed", "by"], rows)
    : el("p", { className: "quiet" }, "There are none: start the studio with --run FOLDER."));
}).catch(complain);

// A page that the browser kept aside shows what was true then.
addEventListener("pageshow", (event) => event.persisted && location.reload());
