// A desk: the live screen through noVNC, what is asked, what was recorded, and how it ends.

import { byId, el } from "/replay-files/dom.js";
import { ask, complain, counted, duration, tell, trying } from "/studio-files/studio.js";
import { keep, offer } from "/record-files/keeping.js";

const POLL_MS = 700;
const ELSEWHERE = 4001;
const id = location.pathname.split("/").pop();
const desk = `/record/desks/${id}`;

let client = null;
let connecting = false;
let connected = false;
let elsewhere = false;
let state = "";
let shown = 0;
let told = 0;
let seconds = 0;
let since = 0;
let word = "";
let wasWorking = false;
let free = false;
let timed = false;
let stage = "";
let actual = false;

const WORDS = { preparing: "preparing", working: "recording", paused: "paused", judging: "being judged", over: "over", failed: "failed" };
const ENDINGS = {
  done: ["Done?", "The desktop is judged as it is now.", ""],
  answer: ["Your answer", "It is judged together with the desktop.", "answer"],
  leave: ["Leave?", "It ends without a verdict from you. The recording is kept.", ""],
  fail: ["Give up?", "Say why: it cannot be done, you do not know how, or something is broken.", "reason"],
};
// What Done says where nothing is judged.
const UNJUDGED = {
  "": "Nothing is judged. Say what this shows, so that others find it and can use it.",
  prepare: "What you changed becomes setup steps of the task. Nothing is judged.",
  demonstrate: "What you did becomes the answer key of the task. Nothing is judged yet.",
};

// -- the screen ---------------------------------------------------------------------------------------------------

async function connect() {
  if (client || connecting || elsewhere) return;
  connecting = true;
  try {
    const { default: RFB } = await import("/novnc/core/rfb.js");
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${desk}/screen`);
    socket.binaryType = "arraybuffer";
    socket.addEventListener("close", (event) => { elsewhere = event.code === ELSEWHERE; });
    byId("screen").hidden = false;
    client = new RFB(byId("screen"), socket, { shared: true });
    client.scaleViewport = !actual;
    client.focusOnClick = true;
    client.background = "var(--stage)";
    client.addEventListener("connect", () => {
      connected = true;
      cover();
      client.focus();
    });
    client.addEventListener("disconnect", () => {
      client = null;
      connected = false;
      byId("screen").replaceChildren();
      cover();
    });
  } finally {
    connecting = false;
  }
}

// -- what stands over it --------------------------------------------------------------------------------------------

function cover(...content) {
  if (elsewhere && !["over", "failed"].includes(state)) {
    content = [el("p", {}, "This desk is open in another tab."), el("button", { onclick: takeBack }, "Take it back")];
  }
  byId("cover").hidden = content.length === 0 && state === "working" && connected;
  byId("cover").classList.toggle("solid", ["over", "failed"].includes(state));
  const plain = state === "working" ? "The screen is being connected." : `The desktop is ${WORDS[state] || state}.`;
  byId("word").replaceChildren(...(content.length ? content : [el("p", {}, plain)]));
}

function takeBack() {
  elsewhere = false;
  connect();
  cover();
}

function over(status) {
  const found = status.verdict;
  const rows = [];
  if (status.state === "failed" || !found) {
    rows.push(el("h2", { className: "bad" }, "It could not go on"), el("p", {}, status.trouble || "The desktop ended."));
  } else if (found.void) {
    rows.push(el("h2", { className: "warn" }, "It ended early"), el("p", {}, found.error || status.trouble),
      el("p", {}, "Everything recorded until then is kept, but it does not count."));
  } else if (status.free) {
    rows.push(el("h2", {}, "Recorded"), el("p", {}, `${counted(found.steps, "action")} in ${duration(status.seconds)}.`));
  } else {
    const words = found.passed ? "Solved" : found.score > 0 ? `Partly solved: ${Math.round(found.score * 100)} %` : "Not solved";
    rows.push(el("h2", { className: found.passed ? "good" : "bad" }, words),
      el("p", {}, `${counted(found.steps, "action")} in ${duration(status.seconds)}.`));
    if (found.stop === "broke_the_computer") rows.push(el("p", {}, "The computer broke: ", found.error));
    if (found.feedback.length) rows.push(el("ul", {}, found.feedback.map((line) => el("li", {}, line))));
    if (found.collateral) rows.push(el("p", { className: "warn" }, `${found.collateral} other things were changed too.`));
  }
  // What most people want next is the one button that stands out.
  const served = status.back || status.making;
  const links = [el("a", { href: "/", className: `button ${served ? "" : "main"}` }, "First page"), el("a", { href: "/record", className: "button" }, "Next task")];
  if (status.replay) links.unshift(el("a", { href: status.replay, className: "button" }, "Look at it step by step"));
  if (status.making) links.unshift(el("a", { href: status.making, className: "button main", id: "go-on" }, "Continue with the task"));
  if (status.back) {
    links.unshift(el("a", { href: status.back, className: "button main" }, "Back to the demonstration"));
    if (found && !found.void && status.trouble) rows.push(el("p", { className: "warn" }, status.trouble));
  }
  cover(...rows, el("div", { className: "row" }, links));
}

// -- how it stands --------------------------------------------------------------------------------------------------

function showState(status) {
  const changed = status.state !== state;
  state = status.state;
  free = status.free;
  stage = status.stage;
  byId("state").textContent = state === "judging" && free ? "being saved" : WORDS[state] || state;
  byId("state").className = `badge ${{ working: "bad", paused: "warn", over: "good" }[state] || ""}`;
  const active = ["working", "paused"].includes(state);
  for (const name of ["pause", "done", "leave", "zoom"]) byId(name).disabled = !active;
  for (const name of ["fail", "answer"]) {
    byId(name).disabled = !active;
    byId(name).hidden = status.free && !status.making;
  }
  byId("asking").hidden = status.free;
  timed = status.kind === "validate";
  byId("pause").textContent = state === "paused" ? "Go on" : "Pause";
  seconds = status.seconds;
  since = performance.now();
  if (["over", "failed"].includes(state)) {
    if (client) client.disconnect();
    if (changed) over(status);
  } else if (state === "paused") {
    cover(el("p", {}, "Paused. The clock is stopped, and nothing reaches the desktop."), el("button", { onclick: pause }, "Go on"));
  } else {
    if (state === "working") connect();
    cover();
  }
}

function showSteps(status) {
  const list = byId("steps");
  for (const step of status.steps) {
    const thought = step.thought ? [el("div", { className: "thought" }, step.thought)] : [];
    list.append(el("li", {}, step.words, thought));
  }
  shown += status.steps.length;
  byId("count").textContent = status.count ? String(status.count) : "nothing yet";
  if (status.steps.length) list.scrollTop = list.scrollHeight;
  for (const one of status.told.slice(told)) byId("told").append(el("p", {}, one.text));
  told = status.told.length;
}

async function poll() {
  try {
    const status = await ask(`${desk}?after=${shown}`);
    complain("");
    byId("title").textContent = status.title;
    document.title = `${status.title} · Proctor studio`;
    byId("instruction").textContent = status.instruction;
    byId("intent").textContent = status.intent;
    showSteps(status);
    showState(status);
    offer(status, id);
    if (["over", "failed"].includes(state)) return;
  } catch (error) {
    complain(error);
  }
  setTimeout(poll, POLL_MS);
}

function tick() {
  const running = state === "working" ? (performance.now() - since) / 1000 : 0;
  byId("clock").textContent = duration(Math.floor(seconds + running));
}

// -- what the person says -------------------------------------------------------------------------------------------

const setPaused = trying(async (paused) => {
  const answer = await tell(`${desk}/pause`, { paused });
  showState({ ...(await ask(`${desk}?after=${shown}`)), state: answer.state });
});

function pause() {
  const paused = state === "working";
  if (client) client.blur();
  byId("pause").focus();
  setPaused(paused).then(() => { if (!paused && client) client.focus(); });
}

function rating(name) {
  const marks = ["1", "2", "3", "4", "5"].map((mark) =>
    el("label", { className: "mark" }, el("input", { type: "radio", name, value: mark }), mark));
  byId(name).append(...marks);
}

const rated = (name) => {
  const chosen = document.querySelector(`input[name=${name}]:checked`);
  return chosen ? Number(chosen.value) : null;
};

function openEnding(which) {
  word = which;
  wasWorking = state === "working";
  if (client) client.blur();
  if (wasWorking) setPaused(true);
  const [title, sentence, text] = ENDINGS[which];
  byId("ending-title").textContent = title;
  byId("ending-told").textContent = free && which === "done" ? UNJUDGED[stage] : sentence;
  byId("ending-send").textContent = which === "leave" ? "Leave" : free ? "End" : "End and judge";
  byId("shown").hidden = !free || Boolean(stage);
  byId("rating").hidden = which === "leave" || !timed;
  byId("ending-text").hidden = !text;
  byId("ending-text").setAttribute("aria-label", text);
  byId("ending").showModal();
  (text ? byId("ending-text") : byId("ending-send")).focus();
}

function closeEnding() {
  byId("ending").close();
  if (wasWorking) setPaused(false).then(() => client && client.focus());
}

const send = trying(async () => {
  const data = { word, text: byId("ending-text").value, fault: byId("fault").value };
  for (const name of ["clarity", "difficulty"]) if (rated(name)) data[name] = rated(name);
  for (const name of ["goal", "description"]) if (!byId("shown").hidden) data[name] = byId(name).value;
  byId("ending").close();
  await tell(`${desk}/end`, data);
  byId("ending-text").value = "";
});

for (const name of Object.keys(ENDINGS)) byId(name).addEventListener("click", () => openEnding(name));
byId("ending-send").addEventListener("click", send);
byId("ending-back").addEventListener("click", closeEnding);
byId("ending").addEventListener("cancel", (event) => { event.preventDefault(); closeEnding(); });
byId("pause").addEventListener("click", pause);
byId("ask").addEventListener("click", trying(async () => {
  await tell(`${desk}/ask`, { question: byId("question").value });
  byId("question").value = "";
}));
byId("thought").addEventListener("change", trying(() => tell(`${desk}/thought`, { text: byId("thought").value }).then(() => {
  byId("thought").value = "";
})));
// A desktop that is larger than its place in the page is shown whole, or pixel by pixel to be scrolled.
function zoom() {
  actual = !actual;
  byId("zoom").setAttribute("aria-pressed", String(actual));
  if (client) client.scaleViewport = !actual;
  if (client) client.focus();
}
byId("zoom").addEventListener("click", zoom);
// Before noVNC sees them: the shortcuts that are the page's own.
const OWN = {
  KeyP: () => { if (!byId("pause").disabled) pause(); },
  KeyZ: () => { if (!byId("zoom").disabled) zoom(); },
  KeyS: () => { if (!byId("keeping").hidden) keep(id); },
};
document.addEventListener("keydown", (event) => {
  if (!event.ctrlKey || !event.altKey || !OWN[event.code]) return;
  event.preventDefault();
  event.stopPropagation();
  OWN[event.code]();
}, true);

rating("clarity");
rating("difficulty");
cover();
setInterval(tick, 250);
poll();
