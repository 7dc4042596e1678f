// What happens while the agent works: a step, the moment at which it comes, and how often.

import { el } from "/replay-files/dom.js";
import { callRow, editor, toggle } from "/create-files/parts.js";

// What happens, as somebody would say it, and the setup step to begin with.
const STEPS = {
  "a notification shows": { setup: "notification", title: "Reminder", text: "The call begins in ten minutes." },
  "a dialog opens": { setup: "dialog", title: "Update available", text: "It can be installed at any time.", buttons: ["Later"] },
  "a file is written": { setup: "text_file", path: "Documents/notes.txt", text: "" },
  "a file is removed": { setup: "remove_file", path: "Documents/notes.txt" },
  "the window in use is moved": { setup: "disturb_window", how: "move" },
  "an email comes": { setup: "mail_delivered", address: "me@example.org",
    letters: [{ from: "Ann <ann@example.org>", to: "me@example.org", subject: "A correction", text: "" }] },
  "somebody writes in the chat": { setup: "chat_say", messages: [{ who: "ann", to: "#general", text: "" }] },
};

// What is waited for before actions are counted: how it is called, what must be written beside it, and the two ways between them.
const MOMENTS = {
  begin: { label: "from the beginning", write: () => ({}), read: (when) => (when.check || when.after ? null : "") },
  file: { label: "once this file is there", write: (path) => ({ check: { check: "file_exists", of: { probe: "file", path } } }),
    read: ({ check }) => (check && check.check === "file_exists" && check.of ? check.of.path : null) },
  window: { label: "once a window of this title is open",
    write: (title) => ({ check: { check: "window_open", of: { probe: "windows" }, title } }),
    read: ({ check }) => (check && check.check === "window_open" ? check.title : null) },
  event: { label: "after this other event", write: (name) => ({ after: [name] }),
    read: ({ check, after }) => (!check && Array.isArray(after) && after.length === 1 ? after[0] : null) },
};

export const firstEvent = (events) => ({
  name: `event ${events.length + 1}`, do: [STEPS["a notification shows"]], when: { actions: 3 },
});

const choice = (words, options, chosen) => el("select", { ariaLabel: words }, options.map(([value, label]) => el("option", { value, selected: value === chosen }, label)));
const count = (words, value, least) => el("input", { type: "number", min: least, max: 1000, value, ariaLabel: words });

// How its moment is said in words; one that says more is left to be edited as JSON.
function momentOf(when) {
  const found = Object.entries(MOMENTS).find(([, { read }]) => read(when) != null);
  return found ? [found[0], found[1].read(when)] : ["other", ""];
}

export function eventRow(one, changed, complain) {
  const area = editor(one, changed, complain);
  const steps = one.do.map((step, place) => el("li", {}, callRow(step, (now) => {
    changed({ ...one, do: now === null ? one.do.filter((_, at) => at !== place) : one.do.map((each, at) => (at === place ? now : each)) });
  }, complain)));
  const more = choice("What else happens", [["", "Add what happens…"], ...Object.keys(STEPS).map((words) => [words, words])], "");
  more.addEventListener("change", () => more.value && changed({ ...one, do: [...one.do, STEPS[more.value]] }));
  const name = el("input", { value: one.name, title: "Name", ariaLabel: "Name of the event" });
  name.addEventListener("change", () => changed({ ...one, name: name.value.trim() }));
  const needed = el("input", { type: "checkbox", checked: Boolean(one.needed) });
  needed.addEventListener("change", () => changed(needed.checked ? { ...one, needed: true } : without(one, "needed")));
  const head = el("div", { className: "head" }, name, el("label", {}, needed, " the verdict depends on it"),
    el("button", { onclick: toggle(area) }, "Edit"), el("button", { onclick: () => changed(null), title: "Remove" }, "×"));
  return el("div", { className: "check event" }, head, momentRow(one, changed), el("ol", { className: "calls" }, steps), more, area);
}

function without(one, name) {
  const { [name]: _, ...rest } = one;
  return rest;
}

function momentRow(one, changed) {
  const [kind, about] = momentOf(one.when);
  const options = Object.entries(MOMENTS).map(([value, { label }]) => [value, label]);
  const moment = choice("When it happens", kind === "other" ? [...options, ["other", "at another moment (Edit)"]] : options, kind);
  const which = el("input", { value: about, ariaLabel: "Which file, window or event", hidden: kind === "begin" || kind === "other" });
  const later = count("How many actions later", one.when.actions || 0, 0);
  const times = count("How often at most", one.times || 1, 1);
  const keep = () => {
    const first = moment.value === "other" ? without(one.when, "actions") : MOMENTS[moment.value].write(which.value.trim());
    const actions = Number(later.value) || 0;
    const often = Number(times.value) || 1;
    const when = actions ? { ...first, actions } : first;
    changed({ ...without(one, "times"), when, ...(often > 1 ? { times: often } : {}) });
  };
  for (const each of [moment, which, later, times]) each.addEventListener("change", keep);
  return el("div", { className: "row" }, moment, which, el("label", {}, later, " actions later"), el("label", {}, "at most ", times, " times"));
}
