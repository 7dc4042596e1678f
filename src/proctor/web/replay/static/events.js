// What happened by itself: events of the task and disturbances of the run, step by step and all in one list.

import { el, table } from "/replay-files/dom.js";

export const eventsOf = (header) => (Array.isArray((header || {}).events) ? header.events : []);
export const missedWords = (events) => events.filter(({ missed }) => missed).map(({ name, missed }) => `Did not happen: ${name} (${missed})`);

const times = (count) => `${count} action${count === 1 ? "" : "s"}`;

function recoveryWords(recovery) {
  return recovery === 0 ? "the application in use keeps the focus" : `the application in use has the focus again after ${times(recovery)}`;
}

// What became of an event at one step.
function wordsAt(number, { at, step, seen, answered, recovery, undone_step: undone, failed }) {
  return [
    step === number && (at == null ? `failed: ${failed}` : "happened here"),
    seen === number && "first seen in this picture",
    answered === number && "this is the first action after it",
    recovery != null && seen === number && recoveryWords(recovery),
    undone === number && (failed ? `could not be undone: ${failed}` : "undone here"),
  ].filter(Boolean);
}

function entry(name, words) {
  return el("div", { className: "happened" }, el("b", {}, name), el("div", { className: "quiet" }, words.join("; ")));
}

export function eventsAt(number, events) {
  const rows = events.map((each) => [each.name, wordsAt(number, each)]).filter(([, words]) => words.length);
  return rows.length ? rows.map(([name, words]) => entry(name, words)) : null;
}

export function eventsPanel(events, now, go) {
  const rows = events.map((each) => [each.step == null ? "–" : jump(each.step, go), entry(each.name, whole(each))]);
  const list = table([], rows);
  [...list.querySelectorAll("tr")].forEach((row, place) => row.classList.toggle("chosen", events[place].step === now));
  const count = events.filter(({ at }) => at != null).length;
  return [el("p", { className: "quiet" }, `${count} of ${events.length} happened.`), list];
}

// All that became of an event, in the order in which it came.
function whole({ at, step, answered, recovery, undone_step: undone, failed, missed, needed }) {
  return [
    needed && "the verdict depends on it",
    missed && `did not happen: ${missed}`,
    step != null && at == null && `failed: ${failed}`,
    answered > step && `first action after it: step ${answered + 1}`,
    recovery != null && recoveryWords(recovery),
    undone != null && (failed ? `could not be undone: ${failed}` : `undone before step ${undone + 1}`),
  ].filter(Boolean);
}

function jump(number, go) {
  const made = el("button", { className: "jump" }, `step ${number + 1}`);
  made.addEventListener("click", () => go(number));
  return made;
}
