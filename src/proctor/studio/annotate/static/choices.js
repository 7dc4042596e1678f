// Choosing: which action led from one picture to the next, or whether an attempt did what was asked.

import { byId, el } from "/replay-files/dom.js";

export function choiceEditor(app) {
  const { data, history } = app;
  const trip = data.set.kind === "idm";
  const pictures = data.item.pictures.map((name) => `${app.base}/pictures/${name}`);
  let at = 0;
  const image = el("img", { id: "picture", alt: "" });
  const caption = el("div", { id: "caption", ariaLive: "polite" });
  byId("stage").append(image, caption);
  const small = pictures.map((address, place) => el("button", { className: "shot", onclick: () => look(place), title: titleOf(place) },
    el("img", { src: address.replace("/pictures/", "/thumbs/"), loading: "lazy", alt: titleOf(place) })));
  byId("strip").append(...small);

  const options = trip
    ? data.set.options.map((name, place) => ({ name, key: place < 9 ? String(place + 1) : "abcdefghijklmnopq"[place - 9], value: { operation: name } }))
    : [{ name: "it did what was asked", key: "y", value: { success: true } }, { name: "it did not", key: "x", value: { success: false } }];
  const buttons = options.map((option) => el("button", { className: "entry", onclick: () => choose(option) }, el("kbd", {}, option.key), ` ${option.name}`));
  const note = el("textarea", { id: "note", rows: 3, maxLength: 2000, oninput: () => app.change({ ...history.state, note: note.value }, "note") });
  const others = (data.others || []).map(({ by, label }) => el("p", {}, `${by}: ${said(label)}${label.note ? ` (${label.note})` : ""}`));
  byId("panel").replaceChildren(
    el("h2", {}, trip ? "Which action led from the first picture to the second?" : "Was it done?"),
    el("div", { id: "choices" }, buttons),
    ...(others.length ? [el("h2", {}, "Annotators"), ...others] : []),
    el("label", {}, "Note", note));

  function said(label) {
    if (trip) return label.operation || "nothing";
    return label.success === null ? "nothing" : label.success ? "it did what was asked" : "it did not";
  }

  function titleOf(place) {
    if (trip) return place ? "after" : "before";
    return `screen ${place + 1}${data.item.actions[place] ? `, then: ${data.item.actions[place]}` : ""}`;
  }

  function choose(option) {
    app.change({ ...history.state, ...option.value });
  }

  function look(place) {
    at = Math.min(Math.max(place, 0), pictures.length - 1);
    image.src = pictures[at];
    caption.textContent = `${at + 1} / ${pictures.length} · ${titleOf(at)}`;
    small.forEach((button, each) => button.classList.toggle("chosen", each === at));
    small[at].scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  look(0);

  const keys = { ArrowLeft: () => look(at - 1), ArrowRight: () => look(at + 1), Home: () => look(0), End: () => look(pictures.length - 1),
    " ": () => look((at + 1) % pictures.length) };
  return {
    show(state) {
      buttons.forEach((button, place) => button.classList.toggle("chosen", said(state) === said(options[place].value)));
      if (note.value !== state.note) note.value = state.note;
    },
    key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return null;
      const option = options.find((each) => each.key === event.key);
      if (option) return () => choose(option);
      if (event.key === " " && event.target.closest("button, a")) return null;
      return keys[event.key] || null;
    },
    problem: (state) => (said(state) === "nothing" ? "Choose first." : ""),
    keys: [...options.map((option) => [option.key, option.name]), ["←, →", "previous picture, next picture"], ["Space", "switch between the pictures"]],
  };
}
