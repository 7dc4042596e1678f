// One set: how far it is, how far annotators agree, and its items, which are loaded as they are scrolled to.

import { byId, el, table } from "/replay-files/dom.js";
import { ask, complain, tell, trying } from "/studio-files/studio.js";

const name = location.pathname.split("/")[2];
const base = `/annotate-data/${name}`;
const WORDS = { open: "open", some: "some", done: "done", differs: "differs", decided: "decided" };
const STYLES = { done: "good", decided: "good", differs: "bad", some: "warn" };
const percent = (share) => (share === null || share === undefined ? "–" : `${Math.round(share * 100)} %`);
const figure = (value) => (value === null || value === undefined ? "–" : value.toFixed(2));

let loaded = 0;
let total = 0;
let busy = false;

async function more() {
  if (busy || (loaded && loaded >= total)) return;
  busy = true;
  try {
    const state = byId("state").value;
    const data = await ask(`${base}?from=${loaded}&state=${state}`);
    if (!loaded) about(data);
    [loaded, total] = [loaded + data.listed.length, data.total];
    byId("items").append(...data.listed.map(card));
    byId("count").textContent = `${total} ${total === 1 ? "item" : "items"}`;
  } finally {
    busy = false;
  }
  // A tall window shows more than one page of items.
  if (loaded < total && byId("more").getBoundingClientRect().top < innerHeight + 400) await more();
}

function card(item) {
  const suffix = item.state === "differs" ? "?decide" : "";
  const mine = item.mine ? el("span", { className: "quiet" }, ` · by you: ${item.mine}`) : "";
  return el("a", { href: `/annotate/${name}/items/${item.id}${suffix}` },
    el("img", { loading: "lazy", alt: "", src: `${base}/thumbs/${item.thumb}` }),
    el("span", { className: "name", title: item.name }, item.name),
    el("span", { className: `badge ${STYLES[item.state] || ""}` }, WORDS[item.state]), el("span", { className: "quiet" }, ` ${item.done}`), mine);
}

function about(data) {
  byId("name").textContent = data.name;
  byId("person").textContent = data.person;
  document.title = `${data.name} · Proctor`;
  byId("progress").textContent = `${data.labels} of ${data.wanted} labels; ${Object.entries(data.people).map(([who, count]) => `${who} ${count}`).join(", ") || "nobody yet"}`;
  [byId("meter").max, byId("meter").value] = [Math.max(data.wanted, 1), data.labels];
  byId("decide").hidden = !data.states.differs;
  byId("decide").textContent = `Resolve differences (${data.states.differs || 0})`;
  for (const way of ["add", "live"]) byId(way).hidden = data.kind !== "ground";
}

async function agreement() {
  const found = await ask(`${base}/agreement`);
  if (!found.items) return;
  const boxes = "iou" in found;
  const head = boxes ? ["annotators", "items", "boxes", "overlap (IoU)", "matched (F1)", "kappa of roles"] : ["annotators", "items", "same", "kappa"];
  const row = (who, each) => (boxes
    ? [who, String(each.items), String(each.boxes), figure(each.iou), percent(each.f1), figure(each.role_kappa)]
    : [who, String(each.items), each.same === undefined ? "" : String(each.same), figure(each.kappa ?? each.fleiss)]);
  const rows = found.pairs.map((pair) => row(`${pair.first} and ${pair.second}`, pair));
  rows.push(row(boxes ? "all" : "all (Fleiss)", found));
  byId("agreement").replaceChildren(el("h2", {}, "Agreement"), table(head, rows));
}

async function go(query) {
  const { item } = await ask(`${base}/next${query}`);
  if (item) location.href = `/annotate/${name}/items/${item}${query}`;
  else complain(query ? "There is nothing left to resolve." : "There is nothing left for you in this set.");
}

async function send(files) {
  let added = 0;
  for (const file of files) {
    const answer = await fetch(`${base}/pictures?name=${encodeURIComponent(file.name)}`, { method: "POST", headers: { "Content-Type": file.type || "image/png" }, body: file });
    const data = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Error(`${file.name}: ${data.problem || answer.status}`);
    added += data.new ? 1 : 0;
    byId("count").textContent = `${added} added`;
  }
  again();
}

function again() {
  [loaded, total] = [0, 0];
  byId("items").replaceChildren();
  more().catch(complain);
}

byId("go").onclick = trying(() => go(""));
byId("decide").onclick = trying(() => go("?decide"));
byId("live").onclick = trying(async () => {
  const { address } = await tell("/record/desks", { task: "", kind: "record" });
  location.href = `${address}?set=${name}`;
});
byId("state").onchange = again;
byId("files").onchange = trying(() => send([...byId("files").files]));
const drop = byId("drop");
drop.ondragover = (event) => { event.preventDefault(); drop.classList.add("over"); };
drop.ondragleave = () => drop.classList.remove("over");
drop.ondrop = (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  trying(() => send([...event.dataTransfer.files]))();
};
new IntersectionObserver((seen) => seen.some((each) => each.isIntersecting) && loaded && more().catch(complain)).observe(byId("more"));
more().catch(complain);
agreement().catch(complain);

// A page that the browser kept aside shows what was true then.
addEventListener("pageshow", (event) => event.persisted && location.reload());
