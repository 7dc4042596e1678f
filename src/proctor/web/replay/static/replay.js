// The replay of one episode: keeps the current step, and has the picture, the strip and the panels show it.

import { byId, el } from "/replay-files/dom.js";
import { draw } from "/replay-files/drawing.js";
import { eventsOf, eventsPanel, missedWords } from "/replay-files/events.js";
import { graphPanel } from "/replay-files/graph.js";
import * as live from "/replay-files/live.js";
import { modelPanel } from "/replay-files/model.js";
import { callsPanel, changesPanel, checksPanel, factsPanel, saidPanel, stepPanel } from "/replay-files/panels.js";
import * as record from "/replay-files/record.js";
import * as timeline from "/replay-files/timeline.js";
import { treePanel } from "/replay-files/tree.js";
import { actionWords, COLOURS, elementWords, MARKS } from "/replay-files/words.js";

const PLAY_MS = 900;
const LOOK_MS = 1000;
// Drawn, because not every font has signs for them.
const PLAY_ICON = "M4 2v12l9-6z";
const PAUSE_ICON = "M4 3h3v10H4zM9 3h3v10H9z";

const state = { about: null, steps: [], now: 0, tab: "step", marks: false, drawn: true, found: null, playing: 0 };

const events = () => eventsOf(state.about.header);

const TABS = {
  step: { label: "Step", show: async () => stepPanel(await record.step(state.now), pictureOf, state.about.graph, events()) },
  checks: { label: "Checks", show: async () => checksPanel(await record.verdict()) },
  changes: { label: "Changes", show: async () => changesPanel(await record.changes()) },
  tree: { label: "Tree", show: showTree },
  calls: { label: "Calls", show: async () => callsPanel(state.steps) },
  facts: { label: "Facts", show: async () => factsPanel(state.about) },
  video: { label: "Video", show: async () => [el("video", { src: pictureOf(state.about.video), controls: true })] },
  said: { label: "Agent", show: async () => saidPanel(await record.said()) },
  model: { label: "Model", show: showModel },
  events: { label: "Events", show: async () => eventsPanel(events(), state.now, go) },
  graph: { label: "Graph", show: async () => graphPanel(state.about.graph, state.steps, state.now, go) },
};
// What only some episodes have.
const RARE = ["video", "said", "model", "events", "graph"];
const FOLLOWS = ["step", "tree", "model", "events", "graph"];
const NONE = {
  checks: "No verdict: the episode is still running, was void, or its verdict is damaged.",
  changes: "No changes are recorded.",
};

const pictureOf = (name) => record.file(name, state.about.version);
const size = () => {
  const given = (state.about.header.brief || {}).size || (state.about.header.computer || {}).size;
  return Array.isArray(given) && given.every((side) => side > 0) ? given : [1280, 720];
};

// -- what was seen ----------------------------------------------------------------------------------------------------

// A line that shows nothing new stands on what was last seen; a tree or marks belong to their own turn only.
function seen(number, kind) {
  for (let at = number; at >= 0; at -= 1) {
    const { saw, turn } = state.steps[at];
    if (saw && saw[kind]) return saw[kind];
    if (kind !== "screenshot" && turn !== state.steps[number].turn) return null;
  }
  return null;
}

function pictureName(number) {
  return (state.marks && seen(number, "marks")) || seen(number, "screenshot");
}

async function showTree() {
  const name = seen(state.now, "tree");
  if (!name) return [el("p", { className: "quiet" }, "The agent saw no tree at this step.")];
  return treePanel(await record.tree(name), (box) => {
    state.found = box;
    redraw();
  });
}

// The calls of a turn stand on its first line.
async function showModel() {
  const { turn } = state.steps[state.now] || {};
  const calls = state.steps.filter((step) => turn != null && step.turn === turn).flatMap((step) => step.calls || []);
  const sent = calls.filter((call) => Number.isInteger(call.sent));
  const exchanges = await Promise.all(sent.map((call) => record.call(call.sent)));
  return modelPanel(exchanges, sent, pictureOf, record.rawCall);
}

// -- showing ----------------------------------------------------------------------------------------------------------

function fit() {
  const [width, height] = size();
  const stage = byId("stage");
  const scale = Math.min(stage.clientWidth / width, stage.clientHeight / height);
  byId("canvas").style.width = `${Math.floor(width * scale)}px`;
  byId("canvas").style.height = `${Math.floor(height * scale)}px`;
  redraw();
}

function redraw() {
  if (state.steps.length) draw(byId("drawing"), state.steps[state.now], size(), state.drawn, state.found);
}

function show() {
  const step = state.steps[state.now];
  const name = pictureName(state.now);
  const picture = byId("picture");
  byId("absent").hidden = Boolean(name);
  picture.hidden = !name;
  if (name && picture.dataset.name !== name) {
    picture.dataset.name = name;
    picture.src = pictureOf(name);
  }
  describe(step);
  redraw();
  if (FOLLOWS.includes(state.tab)) showPanel();
  history.replaceState(null, "", `#${state.now + 1}`);
  // What is looked at comes first; a picture that was left meanwhile, or is none, ends the wait all the same.
  picture.decode().catch(() => {}).then(() => fetchNeighbours(step));
}

function describe(step) {
  const words = step.mark === "end" ? "the end" : actionWords(step.action);
  const hit = elementWords(step.element);
  const mark = MARKS[step.mark];
  byId("what").replaceChildren(
    el("b", {}, words),
    el("span", { className: "quiet" }, hit && `  →  ${hit}`),
    el("span", { className: mark ? mark.style : "" }, mark && ` ${mark.word}`),
  );
  const turn = step.turn ? ` · turn ${step.turn}` : "";
  const time = step.at == null ? "" : ` · ${step.at.toFixed(1)} s`;
  byId("count").textContent = `${state.now + 1} / ${state.steps.length}${turn}${time}`;
  timeline.point(state.now, words);
}

function fetchNeighbours(of) {
  if (of !== state.steps[state.now]) return;
  for (const number of [state.now + 1, state.now + 2, state.now - 1]) {
    if (number < 0 || number >= state.steps.length) continue;
    const name = pictureName(number);
    if (name) new Image().src = pictureOf(name);
    record.step(number).catch(() => {});  // it is asked for again when it is shown
  }
}

async function showPanel() {
  const tab = state.tab;
  const asked = `${tab} ${state.now}`;
  showPanel.asked = asked;
  let parts;
  try {
    parts = await TABS[tab].show();
  } catch (error) {
    parts = [el("p", { className: "quiet" }, NONE[tab] || `This cannot be shown: ${error.message}`)];
  }
  if (showPanel.asked === asked) byId("panel").replaceChildren(...parts);
}

function choose(tab) {
  state.tab = tab;
  state.found = null;
  for (const button of byId("tabs").children) button.setAttribute("aria-selected", button.dataset.tab === tab);
  redraw();
  showPanel();
}

// -- moving -----------------------------------------------------------------------------------------------------------

function go(number) {
  if (!state.steps.length) return;
  state.now = Math.min(Math.max(number, 0), state.steps.length - 1);
  state.found = null;
  show();
}

function nextMark() {
  const next = state.steps.findIndex((step, number) => number > state.now && step.mark);
  if (next >= 0) go(next);
}

function play() {
  const stop = state.playing;
  clearInterval(state.playing);
  state.playing = 0;
  byId("play-word").textContent = stop ? "play" : "pause";
  byId("play-icon").setAttribute("d", stop ? PLAY_ICON : PAUSE_ICON);
  if (stop) return;
  if (state.now === state.steps.length - 1) go(0);
  state.playing = setInterval(() => {
    go(state.now + 1);
    if (state.now === state.steps.length - 1) play();
  }, PLAY_MS);
}

async function watch() {
  if (live.watching()) {
    live.leave();
    return;
  }
  if (state.about.screen !== "yes") return;
  byId("watch").textContent = "Leave live screen";
  await live.watch(() => {
    byId("watch").textContent = "Live screen";
  });
}

const KEYS = {
  ArrowLeft: () => go(state.now - 1),
  ArrowRight: () => go(state.now + 1),
  Home: () => go(0),
  End: () => go(state.steps.length - 1),
  " ": play,
  n: nextMark,
  j: () => byId("following").hidden || byId("following").click(),
  k: () => byId("previous").hidden || byId("previous").click(),
  t: () => choose(state.tab === "tree" ? "step" : "tree"),
  c: () => state.about.model && choose(state.tab === "model" ? "step" : "model"),
  g: () => state.about.graph && choose(state.tab === "graph" ? "step" : "graph"),
  m: () => {
    state.marks = !state.marks;
    show();
  },
  o: () => {
    state.drawn = !state.drawn;
    redraw();
  },
  l: watch,
  "?": () => byId("help").showModal(),
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input, textarea, video")) return;
  const tab = byId("tabs").children[Number(event.key) - 1];
  const act = KEYS[event.key] || (tab && (() => choose(tab.dataset.tab)));
  // Space on a button presses it already.
  if (!act || (event.key === " " && event.target.matches?.("button, summary"))) return;
  event.preventDefault();
  act();
}

// -- the record -------------------------------------------------------------------------------------------------------

function badges() {
  const { result, live: going, over } = state.about;
  const badge = (word, style = "") => el("span", { className: `badge ${style}` }, word);
  const made = [];
  if (going) made.push(badge("live", "live"));
  else if (!over) made.push(badge("interrupted", "warn"));
  if (result) {
    if (state.about.outcome === "unjudged") made.push(badge("not judged"));
    else if (result.score == null) made.push(badge(`void: ${result.cause || ""}`, "warn"));
    else if (result.score >= 1) made.push(badge("passed · 1", "good"));
    else made.push(badge(`failed · ${result.score}`, "bad"));
    if (state.about.assisted) made.push(el("span", { className: "badge warn", title: state.about.assisted }, "assisted"));
    const effects = Object.values(result.collateral || {}).reduce((sum, each) => sum + each, 0);
    if (result.score >= 1) {
      if (effects) made.push(badge("with side effects", "warn"));
      else if (result.collateral_unknown) made.push(badge(`side effects unknown: ${result.collateral_unknown}`));
      else made.push(badge("clean", "good"));
    }
    if (result.goal === "game") made.push(badge(`tries to cheat: ${result.strategy || "any way"}`, "warn"));
    made.push(...Object.keys(result.flags || {}).map((rule) => badge(`flag: ${rule.replaceAll("_", " ")}`, "warn")));
    made.push(...[result.stop || "done", ...(result.modes || [])].map((word) => badge(word.replaceAll("_", " "))));
  }
  byId("badges").replaceChildren(...made);
}

// The whole of an error stands below its first line, which says why already.
function whatHappened(result, troubles, why) {
  const who = (trouble) => (trouble.whose === "host" ? "Cause: the host" : "Cause: the agent");
  const known = Array.isArray(troubles) ? troubles.filter((trouble) => trouble && trouble.broken) : [];
  const defect = result.defect && `A bug in Proctor; please report it:\n${result.defect}`;
  const error = (result.error || "").trim();
  return [why.endsWith(error) ? "" : error, ...known.map((trouble) => `${who(trouble)}: ${trouble.why}`), defect].filter(Boolean);
}

function introduce() {
  const { key, header, run, retry, problems, result } = state.about;
  const people = state.about.people || {};
  const words = people.goal || (header.brief || {}).instruction || (header.task || {}).instruction || "";
  document.title = `${key.task} · Proctor`;
  byId("run").textContent = run.name;
  byId("run").href = record.address.run;
  byId("task").textContent = key.task;
  byId("agent").title = key.agent;
  byId("agent").textContent = `${key.agent}${people.person ? ` (${people.person})` : ""} · seed ${key.seed}${retry ? ` · retry ${retry}` : ""}`;
  const unproven = (header.task || {}).unproven === true ? " (unproven: this task has no answer key)" : "";
  byId("instruction").textContent = words + unproven + (people.description ? `\n${people.description}` : "") + originWords(header.origin);
  const said = [...problems.map((each) => `Damaged record: ${each}`), ...whatHappened(result || {}, header.trouble, state.about.why || ""),
    ...missedWords(events())];
  byId("problems").textContent = said.join("\n");
  showWhy();
  byId("told-task").hidden = !words && !byId("problems").textContent && byId("why").hidden;
  showNeighbours(run);
  showLegend();
  byId("watch").hidden = state.about.screen !== "yes";
  const offered = Object.keys(TABS).filter((name) => !RARE.includes(name) || (name === "events" ? events().length : state.about[name]));
  byId("tabs").replaceChildren(...offered.map(tabButton));
  badges();
}

// What a person who opens a failure wants to know first.
function showWhy() {
  const { result, why } = state.about;
  const line = byId("why");
  line.hidden = !why;
  if (!why) return;
  const isVoid = result.score == null;
  line.className = isVoid ? "warn" : "bad";
  line.replaceChildren(el("b", {}, isVoid ? "Void: " : "Failed: "), why);
}

function showNeighbours(run) {
  const { place, episodes } = state.about;
  byId("report").href = `/report/${run.id}`;
  byId("place").textContent = episodes > 1 ? `${place} of ${episodes}` : "";
  for (const name of ["previous", "following"]) {
    const other = state.about[name];
    const link = byId(name);
    link.hidden = !other;
    if (!other) continue;
    link.href = `/replay/${run.id}/${other.id}`;
    link.title = `${other.task} by ${other.agent}: ${other.outcome}`;
  }
}

// Only the colours that this episode has.
function showLegend() {
  const has = (style) => state.steps.some((step) => (style === "completes" ? (step.nodes || []).length : step.mark === style));
  const happened = events().some(({ step }) => step != null);
  const shown = Object.entries(COLOURS).filter(([style]) => (style === "event" ? happened : style === "" || has(style)));
  byId("legend").replaceChildren(...shown.map(([style, words]) => el("li", {}, el("i", { className: `mark ${style}` }), words)));
}

// A fork names the episode it goes on from, and where its screens were not the recorded ones.
function originWords(origin) {
  if (!origin) return "";
  const apart = (origin.apart || []).map((one) => one.action).join(", ");
  const where = apart ? `; the screen differed before action ${apart}` : "";
  return `\nContinues ${origin.episode} (${origin.agent}) after ${origin.repeated || 0} actions${where}.`;
}

function tabButton(name) {
  const button = el("button", { role: "tab" }, TABS[name].label);
  button.dataset.tab = name;
  button.addEventListener("click", () => choose(name));
  return button;
}

async function follow() {
  const last = state.now === state.steps.length - 1;
  try {
    const more = await record.stepsAfter(state.steps.length);
    if (more.steps.length) {
      const empty = !state.steps.length;
      state.steps.push(...more.steps);
      timeline.lay(state.steps, events().filter(({ step }) => step != null));
      showLegend();
      go(last || empty ? state.steps.length - 1 : state.now);
    }
    if (!more.live) {
      record.forget();
      const { steps, ...about } = await record.index();
      state.about = about;
      introduce();
      choose(state.tab);
      return;
    }
    setTimeout(follow, LOOK_MS);
  } catch {
    setTimeout(follow, 5 * LOOK_MS);  // the server is away; it may come back
  }
}

async function begin() {
  const { steps, ...about } = await record.index();
  Object.assign(state, { about, steps });
  introduce();
  timeline.lay(steps, events().filter(({ step }) => step != null));
  timeline.onPick(go);
  new ResizeObserver(fit).observe(byId("stage"));
  fit();
  const [wanted] = (location.hash.match(/\d+/) || [about.live ? steps.length : 1]).map(Number);
  choose("step");
  if (steps.length) go(wanted - 1);
  else byId("what").textContent = "No step is recorded yet.";
  if (about.live) setTimeout(follow, LOOK_MS);
}

for (const [id, act] of Object.entries({
  first: KEYS.Home, back: KEYS.ArrowLeft, play, next: KEYS.ArrowRight, last: KEYS.End, watch, "ask-help": KEYS["?"],
})) byId(id).addEventListener("click", act);
document.addEventListener("keydown", onKey);
byId("picture").addEventListener("error", () => {
  byId("picture").hidden = true;
  byId("absent").hidden = false;
});
byId("picture").addEventListener("load", () => performance.mark("first-picture"));
begin().catch((error) => {
  byId("problems").textContent = `This record cannot be shown: ${error.message}`;
});
