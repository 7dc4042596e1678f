// An answer key made of a demonstration: its moves, and its proof while it goes on.

import { byId, el, table } from "/replay-files/dom.js";
import { ask, tell, trying } from "/studio-files/studio.js";

const POLL_MS = 700;
const [, , run, episode] = location.pathname.split("/");
const address = `/refine-data/${run}/${episode}/key`;
const MARKS = { going: "…", good: "✓", bad: "✗" };
const version = new URLSearchParams(location.search).get("version") || "";
let shown = 0;

function callWords(call) {
  const given = Object.entries(call).filter(([name]) => name !== "move").map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return el("code", {}, `${call.move}(${given.join(", ")})`);
}

function showProof(proof, number) {
  const ours = proof && proof.number === number;
  const going = Boolean(proof && !proof.over);
  byId("stop").hidden = !going;
  byId("prove").disabled = going;
  const state = !ours ? "not proven" : going ? "being proven" : proof.holds ? "proven" : "not proven";
  byId("state").textContent = state;
  byId("state").className = `badge ${ours && !going ? (proof.holds ? "good" : "bad") : ""}`;
  if (!ours) {
    byId("proof").replaceChildren(...(going ? [el("p", {}, `Version ${proof.number} is being proven.`)] : []));
    return going;
  }
  byId("proof").replaceChildren(...proof.events.map((one) => el("div", { className: "event" },
    el("b", { className: { good: "good", bad: "bad" }[one.state] || "quiet" }, MARKS[one.state]), el("span", {}, one.what),
    el("span", { className: "quiet" }, one.seed === null ? "" : `seed ${one.seed}`), el("span", {}, one.text))));
  if (proof.trouble) byId("proof").append(el("p", { className: "bad" }, proof.trouble));
  byId("file").textContent = proof.file ? `kept as ${proof.file}` : "";
  return going;
}

function show(data) {
  shown = data.shown;
  byId("task").textContent = data.task;
  byId("task").href = `/refine/${run}/${episode}`;
  byId("version").textContent = String(data.shown);
  document.title = `${data.task} · answer key · Proctor`;
  byId("seeds").disabled = !data.seeds;
  if (!data.seeds) byId("seeds").value = "1";
  const going = showProof(data.proof, data.shown);
  const fitted = data.proof && data.proof.number === data.shown && data.proof.moves && !data.proof.problems.length ? data.proof : null;
  const problems = [...data.problems, ...(data.proof && data.proof.number === data.shown ? data.proof.problems : [])];
  byId("problems").replaceChildren(...[...new Set(problems)].map((words) => el("li", {}, words)));
  byId("moves-title").textContent = fitted ? "Moves, as they were fitted" : "Moves";
  const rows = fitted ? fitted.moves.map((call, place) => [String(place + 1), callWords(call)])
    : data.moves.map((move, place) => [String(place + 1), callWords(move.call), `step ${move.step}`]);
  byId("moves").replaceChildren(table(fitted ? ["", "move"] : ["", "move", "of"], rows));
  byId("notes").replaceChildren(...(fitted ? fitted.notes : data.notes).map((words) => el("li", {}, words)));
  byId("python").textContent = fitted ? fitted.python : data.python;
  byId("prove").disabled = going || !data.own || data.problems.length > 0 || !data.moves.length;
  byId("prove").title = data.own ? "Perform it and prove it (p)" : "Only recordings of this studio can be performed here.";
  if (going) setTimeout(load, POLL_MS);
}

const load = trying(async () => show(await ask(`${address}?version=${encodeURIComponent(version)}`)));
byId("prove").addEventListener("click", trying(async () => {
  show(await tell(address, { number: shown, seeds: Number(byId("seeds").value), repeats: Number(byId("repeats").value) }));
}));
byId("stop").addEventListener("click", trying(() => tell(`${address}/stop`)));
addEventListener("keydown", (event) => {
  if (event.target.closest("input, textarea") || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "p" && !byId("prove").disabled) byId("prove").click();
  else if (event.key === "Escape") location.href = `/refine/${run}/${episode}`;
});
load();
