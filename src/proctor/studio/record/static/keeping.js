// Screens of this desktop that are kept in an annotation set, as they are when the button is pressed.

import { byId, el } from "/replay-files/dom.js";
import { ask, complain, tell, trying } from "/studio-files/studio.js";

const wanted = new URLSearchParams(location.search).get("set");
const LAST = "proctor-keep-set";
let listed = false;

// Lists the sets once somebody wants them.
const list = trying(async () => {
  if (listed) return;
  listed = true;
  const { sets } = await ask("/annotate-data");
  const names = sets.filter((set) => set.kind === "ground").map((set) => set.name);
  // Where there are several, nobody's screens go into one that they did not choose.
  const last = names.length === 1 ? names[0] : [wanted, localStorage.getItem(LAST)].find((name) => names.includes(name));
  const none = el("option", { value: "", selected: !last }, "choose a set");
  byId("keep-set").replaceChildren(none, ...names.map((name) => el("option", { value: name, selected: name === last }, name)));
  byId("kept-none").hidden = names.length > 0;
  choose();
});

function choose() {
  byId("keep").disabled = !byId("keep-set").value;
  if (byId("keep-set").value) localStorage.setItem(LAST, byId("keep-set").value);
}

export const keep = trying(async (desk) => {
  byId("keeping").open = true;
  await list();
  if (byId("keep").disabled) {
    byId("keep-set").focus();
    if (byId("kept-none").hidden) complain("Choose a set for the screens of this desktop first.");
    return;
  }
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
  byId("keep-set").onchange = choose;
  byId("keeping").ontoggle = list;
  if (wanted) byId("keeping").open = true;
}
