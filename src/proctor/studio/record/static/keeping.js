// Screens of this desktop that are kept in an annotation set, as they are when the button is pressed.

import { byId, el } from "/replay-files/dom.js";
import { ask, tell, trying } from "/studio-files/studio.js";

const wanted = new URLSearchParams(location.search).get("set");
let listed = false;

// Lists the sets once somebody wants them.
const list = trying(async () => {
  if (listed) return;
  listed = true;
  const { sets } = await ask("/annotate-data");
  const names = sets.filter((set) => set.kind === "ground").map((set) => set.name);
  byId("keep-set").replaceChildren(...names.map((name) => el("option", { value: name, selected: name === wanted }, name)));
  byId("keep").disabled = names.length === 0;
  byId("kept-none").hidden = names.length > 0;
});

export const keep = trying(async (desk) => {
  byId("keeping").open = true;
  await list();
  if (byId("keep").disabled) return;
  byId("keep").disabled = true;
  try {
    const { address } = await tell(`/annotate-data/${encodeURIComponent(byId("keep-set").value)}/screens`, { desk });
    const name = `Screen ${byId("kept").children.length + 1}`;
    byId("kept").append(el("li", {}, el("a", { href: address, target: "_blank" }, name)));
  } finally {
    byId("keep").disabled = false;
  }
});

// Offers it where nothing is timed and no task is in the making.
export function offer(status, desk) {
  byId("keeping").hidden = status.kind !== "record" || Boolean(status.making) || !["working", "paused"].includes(status.state);
  if (byId("keep").onclick) return;
  byId("keep").onclick = () => keep(desk);
  byId("keeping").ontoggle = list;
  if (wanted) byId("keeping").open = true;
}
