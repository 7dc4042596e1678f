// Live control: the screen, what the agent is about to do, and the person's answer.

import { byId, el } from "/replay-files/dom.js";
import { shapesOf } from "/control-files/drawing.js";
import { ask, complain, tell, trying } from "/studio-files/studio.js";

const POLL_MS = 250;
const ELSEWHERE = 4001;
const NO_SCREEN = 4002;
const MODES = { waiting: "between episodes", asking: "asking you", watching: "the agent is thinking", person: "you are in control", over: "over" };
const COLOURS = { asking: "warn", person: "bad", over: "good" };
const LONG = ["text", "code", "reason", "question"];

let status = { mode: "waiting", log: [], count: 0 };
let question = null;
let editing = false;
let edited = null;
let episode = -1;
let shown = 0;
let client = null;
let connecting = false;
let away = false;
let without = -1; // the episode whose computer has no screen to watch
let lastMode = "";

// -- the screen ---------------------------------------------------------------------------------------------------

async function connect() {
  if (client || connecting || away || without === status.episode || !["asking", "watching", "person"].includes(status.mode)) return;
  connecting = true;
  try {
    const { default: RFB } = await import("/novnc/core/rfb.js");
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/control/screen`);
    socket.binaryType = "arraybuffer";
    socket.addEventListener("close", (event) => {
      away = event.code === ELSEWHERE;
      if (event.code === NO_SCREEN && status.mode === "asking") without = status.episode;
    });
    client = new RFB(byId("screen"), socket, { shared: true });
    client.scaleViewport = true;
    client.focusOnClick = true;
    client.background = "var(--stage)";
    client.addEventListener("connect", () => { byId("screen").hidden = false; byId("picture").hidden = true; focusWhereItBelongs(); draw(); });
    client.addEventListener("disconnect", () => {
      client = null;
      byId("screen").replaceChildren();
      byId("screen").hidden = true;
      draw();
    });
  } catch {
    client = null; // no viewer: the picture that the agent saw is shown instead
  } finally {
    connecting = false;
  }
}

// Where the desktop is in the page: it is scaled to fit, and stands in the middle.
function frame() {
  const [width, height] = desktop();
  const stage = byId("stage").getBoundingClientRect();
  const scale = Math.min(stage.width / width, stage.height / height);
  return { left: (stage.width - width * scale) / 2, top: (stage.height - height * scale) / 2, scale, width, height };
}

function desktop() {
  const [width, height] = (question && question.desktop) || status.size || [0, 0];
  return width && height ? [width, height] : [1280, 720];
}

function draw() {
  const place = byId("drawn");
  const { left, top, scale, width, height } = frame();
  Object.assign(place.style, { left: `${left}px`, top: `${top}px`, width: `${width * scale}px`, height: `${height * scale}px` });
  place.setAttribute("viewBox", `0 0 ${width} ${height}`);
  place.classList.toggle("choosing", editing);
  const shapes = question ? (edited ? [{ shape: "point", x: edited[0], y: edited[1], label: question.action.type }] : question.shapes) : [];
  place.replaceChildren(...shapesOf(shapes, [width, height], 1 / scale));
  const live = client && !byId("screen").hidden;
  byId("picture").hidden = Boolean(live) || !question;
  byId("cover").hidden = Boolean(live) || Boolean(question) || away;
  if (away) byId("cover").hidden = false;
  const plain = { over: "The run has ended.", waiting: "The next episode is being prepared." };
  byId("word").textContent = away ? "This is open in another tab. Reload the page to use it here." : plain[status.mode] || "The agent is working.";
}

function focusWhereItBelongs() {
  if (status.mode === "person" && client) client.focus();
  else if (client) client.blur();
}

// -- what is asked ------------------------------------------------------------------------------------------------

function showQuestion(found) {
  const before = question && question.number;
  question = found;
  byId("asked").hidden = !found;
  if (!found) closeForms();
  if (!found || before === found.number) return;
  closeForms();
  byId("words").textContent = found.words;
  const target = found.element;
  byId("target").textContent = target ? `on ${target.role} ${target.name ? `“${target.name}”` : "without a name"}${target.app ? ` of ${target.app}` : ""}` : "";
  byId("text").textContent = found.text;
  byId("text").hidden = !found.text;
  byId("thought").textContent = found.thought;
  byId("picture").src = `/control/picture/${found.number}`;
}

function closeForms() {
  editing = false;
  edited = null;
  for (const id of ["denying", "editing"]) byId(id).hidden = true;
}

const say = trying(async (word, more = {}) => {
  if (!question) return;
  const { number } = question;
  await tell("/control/answer", { number, word, ...more });
  closeForms();
  await refresh();
});

function openDenying() {
  closeForms();
  byId("denying").hidden = false;
  byId("reason").value = "";
  byId("reason").focus();
  draw();
}

function field(name, value) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const input = LONG.includes(name) ? el("textarea", { rows: 3, value: text }) : el("input", { value: text });
  input.dataset.name = name;
  input.dataset.kind = typeof value;
  return el("label", {}, name, input);
}

function openEditing() {
  closeForms();
  editing = true;
  byId("editing").hidden = false;
  byId("fields").replaceChildren(...Object.entries(question.action).map(([name, value]) => field(name, value)));
  byId("placing").hidden = !("x" in question.action);
  const first = byId("fields").querySelector("textarea, input:not([data-name=type])") || byId("fields").querySelector("input");
  first.focus();
  first.select();
  draw();
}

function readEdited() {
  const action = {};
  for (const input of byId("fields").querySelectorAll("[data-name]")) {
    const { name, kind } = input.dataset;
    if (kind === "string") action[name] = input.value;
    else {
      try {
        action[name] = JSON.parse(input.value);
      } catch {
        throw new Error(`${name} is not valid JSON: ${input.value}`);
      }
    }
  }
  return action;
}

const submitEdited = trying(async () => say("edit", { action: readEdited() }));

byId("drawn").addEventListener("click", (event) => {
  if (!editing) return;
  const { scale } = frame();
  const box = byId("drawn").getBoundingClientRect();
  const chosen = [Math.round((event.clientX - box.left) / scale), Math.round((event.clientY - box.top) / scale)];
  for (const [axis, value] of [["x", chosen[0]], ["y", chosen[1]]]) {
    const input = byId("fields").querySelector(`[data-name=${axis}]`);
    if (!input) return;
    input.value = String(value);
  }
  edited = chosen;
  draw();
});

// -- how it stands ------------------------------------------------------------------------------------------------

// Two answers may cross: each says which steps it holds, and only those that are new are added.
function showLog() {
  if (status.episode !== episode) {
    episode = status.episode;
    shown = 0;
    byId("log").replaceChildren();
  }
  const first = status.count - status.log.length;
  if (first > shown) return false;
  for (const one of status.log.slice(shown - first)) {
    const marks = [one.by ? el("span", { className: "badge bad" }, "you") : "", one.edited ? el("span", { className: "badge warn" }, "edited") : ""];
    const words = el("span", { className: one.refused ? "refused" : "", title: one.refused }, one.words);
    byId("log").append(el("li", {}, words, " ", marks));
    shown += 1;
    byId("log").scrollTop = byId("log").scrollHeight;
  }
  byId("count").textContent = shown ? String(shown) : "nothing yet";
  return true;
}

async function refresh() {
  const fresh = await ask(`/control/status?after=${shown}`);
  status = fresh;
  if (!showLog()) {
    status = await ask("/control/status?after=0");
    showLog();
  }
  byId("title").textContent = status.task ? `${status.task} · ${status.agent}` : "";
  byId("instruction").textContent = status.instruction;
  byId("state").textContent = status.wanted ? "you take over at its next action" : MODES[status.mode] || status.mode;
  byId("state").className = `badge ${COLOURS[status.mode] || ""}`;
  byId("again").hidden = !status.trusting;
  byId("over").hidden = status.mode === "person" || status.mode === "over";
  byId("over").disabled = status.wanted;
  byId("back").hidden = status.mode !== "person";
  document.body.classList.toggle("taken", status.mode === "person");
  showQuestion(status.question);
  if (status.mode === "over" && client) client.disconnect();
  connect();
  if (status.mode !== lastMode) {
    lastMode = status.mode;
    focusWhereItBelongs();
    if (status.mode === "asking") byId("allow").focus({ preventScroll: true });
  }
  draw();
}

async function poll() {
  try {
    await refresh();
  } catch (error) {
    if (status.mode !== "over") complain(new Error("The run has ended, or was stopped."));
    status = { ...status, mode: "over", question: null };
    showQuestion(null);
    if (client) client.disconnect();
    draw();
    return;
  }
  setTimeout(poll, POLL_MS);
}

// -- what the person says -----------------------------------------------------------------------------------------

const takeOver = trying(async () => {
  if (question) await say("take_over");
  else await tell("/control/take-over");
});
const handBack = trying(() => tell("/control/hand-back"));
const askAgain = trying(() => tell("/control/ask-again"));

const KEYS = {
  a: () => say("allow"), A: () => say("allow_all"), d: openDenying, e: openEditing, s: () => say("stop"),
};

byId("allow").addEventListener("click", KEYS.a);
byId("all").addEventListener("click", KEYS.A);
byId("deny").addEventListener("click", openDenying);
byId("edit").addEventListener("click", openEditing);
byId("stop").addEventListener("click", KEYS.s);
byId("over").addEventListener("click", takeOver);
byId("back").addEventListener("click", handBack);
byId("again").addEventListener("click", askAgain);
byId("denying").addEventListener("submit", (event) => { event.preventDefault(); say("deny", { reason: byId("reason").value }); });
byId("editing").addEventListener("submit", (event) => { event.preventDefault(); submitEdited(); });
for (const cancel of document.querySelectorAll(".cancel")) cancel.addEventListener("click", () => { closeForms(); draw(); });

// Before noVNC sees it: while the person has the desktop, one shortcut is the page's own.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey && event.altKey && event.code === "KeyB" && status.mode === "person") {
    event.preventDefault();
    event.stopPropagation();
    handBack();
    return;
  }
  if (status.mode === "person" || event.ctrlKey || event.altKey || event.metaKey) return;
  const form = !byId("denying").hidden || !byId("editing").hidden;
  if (form) {
    if (event.key === "Escape") { closeForms(); draw(); }
    if (event.key === "Enter" && !event.shiftKey && document.activeElement.tagName === "TEXTAREA") {
      event.preventDefault();
      document.activeElement.form.requestSubmit();
    }
    return;
  }
  if (event.key === "t") takeOver();
  else if (event.key === "q" && status.trusting) askAgain();
  else if (question && KEYS[event.key]) KEYS[event.key]();
  else return;
  event.preventDefault();
}, true);

window.addEventListener("resize", draw);
poll();
