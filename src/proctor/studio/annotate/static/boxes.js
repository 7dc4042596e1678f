// Drawing boxes on a picture: by pointer and by keys, with proposals to take or to snap to.

import { byId, el, svg } from "/replay-files/dom.js";
import { ask } from "/studio-files/studio.js";
import { boxPanel } from "/annotate-files/panel.js";
import { between, centre, fitted, inReadingOrder, moved, nearest, resized, smallestAt, snapped } from "/annotate-files/geometry.js";
import { View } from "/annotate-files/view.js";

const HANDLES = ["nw", "n", "ne", "e", "se", "s", "sw", "w"];
const REACH = 7;
const STILL = 4;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function boxesEditor(app) {
  const { data, history } = app;
  const { size } = data.item;
  const root = svg("svg", { id: "drawing" });
  const layers = Object.fromEntries(["picture", "proposed", "drawn", "held"].map((name) => [name, svg("g", { class: name })]));
  layers.picture.append(svg("image", { href: `${app.base}/pictures/${data.item.pictures[0]}`, width: size[0], height: size[1] }));
  root.append(...Object.values(layers));
  byId("stage").append(root);
  const view = new View(root, size, () => draw());

  let selected = null;
  let draft = null;
  let shown = true;
  let lit = -1;
  let proposals = [];
  let doing = null;
  let space = false;

  const boxes = () => history.state.boxes;
  const find = (id) => boxes().find((box) => box.id === id) || null;
  const freshId = () => {
    let number = boxes().length + 1;
    while (find(`b${number}`)) number += 1;
    return `b${number}`;
  };

  function edit(id, what, tag = "") {
    app.change({ ...history.state, boxes: boxes().map((box) => (box.id === id ? { ...box, ...what } : box)) }, tag);
  }

  function add(box, given = {}) {
    const made = { id: freshId(), box: fitted(box, size), instruction: "", role: "", ambiguous: false, ...given };
    selected = made.id;
    app.change({ ...history.state, boxes: [...boxes(), made] });
    return made;
  }

  function remove(id) {
    const place = boxes().findIndex((box) => box.id === id);
    if (place < 0) return;
    const rest = boxes().filter((box) => box.id !== id);
    selected = rest.length ? rest[Math.min(place, rest.length - 1)].id : null;
    app.change({ ...history.state, boxes: rest });
  }

  // What a proposal says goes with its box; another annotator's box brings its words along.
  const given = (proposal) => ({ role: proposal.role || "", instruction: proposal.instruction || "", ambiguous: Boolean(proposal.ambiguous) });
  const candidates = () => (shown ? proposals : []);
  const reach = () => REACH / view.scale;

  function take(proposal) {
    const there = boxes().find((box) => nearest(box.box, [proposal], 0.95));
    if (there) select(there.id);
    else add(proposal.box, given(proposal));
  }

  function snap(id) {
    const box = find(id);
    const found = box && nearest(box.box, proposals, 0.01);
    if (found) edit(id, { box: fitted(found.box, size), role: box.role || found.role || "" });
  }

  function select(id) {
    selected = id;
    refresh();
  }

  function step(list, way) {
    if (!list.length) return;
    const place = list.findIndex((box) => box.id === selected);
    select(list[(place + way + list.length) % list.length].id);
  }

  function light(way) {
    const list = candidates();
    if (!list.length) return;
    lit = (lit + way + list.length) % list.length;
    view.reveal(list[lit].box);
    draw();
  }

  function nudge(event, [dx, dy]) {
    const box = find(selected);
    const by = event.ctrlKey || event.metaKey ? 10 : 1;
    if (!box || event.altKey) return view.pan(dx * 60, dy * 60);
    const [left, top, right, bottom] = box.box;
    const next = event.shiftKey ? fitted([left, top, right + dx * by, bottom + dy * by], size) : moved(box.box, dx * by, dy * by, size);
    edit(selected, { box: next }, `${event.shiftKey ? "size" : "move"} ${selected}`);
    view.reveal(next);
    return undefined;
  }

  const middle = () => {
    const [x, y] = centre(view.seen);
    const [width, height] = [60 / view.scale, 20 / view.scale];
    return [x - width, y - height, x + width, y + height];
  };
  const keys = {
    n: () => add(middle()), s: () => snap(selected), p: () => { shown = !shown; refresh(); },
    ".": () => step(boxes(), 1), ",": () => step(boxes(), -1), f: () => light(1), F: () => light(-1),
    t: () => candidates()[lit] && take(candidates()[lit]), r: () => readText(), Delete: () => remove(selected), Backspace: () => remove(selected),
    m: () => find(selected) && edit(selected, { ambiguous: !find(selected).ambiguous }),
    Enter: () => panel.focus(), Escape: () => { lit = -1; select(null); },
    "+": () => view.zoom(1.25), "=": () => view.zoom(1.25), "-": () => view.zoom(0.8), 0: () => view.fit(),
    1: () => view.actual(),
  };
  function key(event) {
    if (ARROWS[event.key]) return () => nudge(event, ARROWS[event.key]);
    if (event.key === " " && event.target.closest("#stage")) return () => { space = true; };
    if (event.ctrlKey || event.metaKey || event.altKey) return null;
    // A button that has the focus is pressed by Enter.
    if (event.key === "Enter" && event.target.closest("button, a")) return null;
    return keys[event.key] || null;
  }
  addEventListener("keyup", (event) => { if (event.key === " ") space = false; });

  root.addEventListener("pointerdown", (event) => {
    if (event.button > 1) return;
    event.preventDefault();
    byId("stage").focus();
    root.setPointerCapture(event.pointerId);
    const at = view.point(event);
    const box = find(selected);
    const handle = event.target.dataset ? event.target.dataset.handle : "";
    const common = { at, x: event.clientX, y: event.clientY, moved: false };
    if (event.button === 1 || space) doing = { ...common, what: "pan" };
    else if (handle && box) doing = { ...common, what: "resize", handle, from: box.box };
    else if (box && smallestAt(at, [box])) doing = { ...common, what: "move", from: box.box };
    else doing = { ...common, what: "draw" };
  });
  root.addEventListener("pointermove", (event) => {
    if (!doing) return;
    if (!doing.moved && Math.hypot(event.clientX - doing.x, event.clientY - doing.y) < STILL) return;
    doing.moved = true;
    const at = view.point(event);
    if (doing.what === "pan") {
      view.pan((doing.x - event.clientX), (doing.y - event.clientY));
      [doing.x, doing.y] = [event.clientX, event.clientY];
      return;
    }
    if (doing.what === "resize") draft = resized(doing.from, doing.handle, at, size);
    else if (doing.what === "move") draft = moved(doing.from, at[0] - doing.at[0], at[1] - doing.at[1], size);
    else draft = fitted(between(doing.at, at), size);
    draw();
  });
  function finish(event) {
    if (!doing) return;
    const { what, moved: far } = doing;
    const box = draft;
    doing = draft = null;
    if (what === "pan") return;
    if (!far) return click(view.point(event));
    if (!box) return;
    const near = event.altKey || what === "move" ? { box, proposal: null } : snapped(box, candidates(), reach());
    if (what === "draw") {
      add(near.box, near.proposal ? given(near.proposal) : {});
      panel.focus(); // what is typed next are its words
    }
    else edit(selected, { box: fitted(near.box, size) });
  }
  function click(at) {
    const own = smallestAt(at, boxes());
    const proposal = smallestAt(at, candidates());
    // Of a box and a proposal one inside the other, the inner one is meant.
    if (proposal && (!own || (smallestAt(at, [own, proposal]) === proposal && !nearest(own.box, [proposal], 0.9)))) take(proposal);
    else select(own ? own.id : null);
  }
  root.addEventListener("pointerup", finish);
  root.addEventListener("pointercancel", () => { doing = draft = null; draw(); });
  root.addEventListener("dblclick", () => panel.focus());

  function draw() {
    const unit = 1 / view.scale;
    layers.proposed.replaceChildren(...candidates().map((proposal, place) => rectangle(proposal.box,
      `proposal ${proposal.by} ${place === lit ? "lit" : ""}`, proposal.name)));
    const drawn = boxes().flatMap((box, place) => {
      const held = box.id === selected;
      const corners = held && draft && doing && doing.what !== "draw" ? draft : box.box;
      return [rectangle(corners, `box ${held ? "selected" : ""} ${box.ambiguous ? "ambiguous" : ""}`, box.instruction), ...tag(corners, place + 1, unit)];
    });
    if (draft && doing && doing.what === "draw") drawn.push(rectangle(draft, "box selected"));
    layers.drawn.replaceChildren(...drawn);
    const box = find(selected);
    layers.held.replaceChildren(...(box ? handles(draft && doing && doing.what !== "draw" ? draft : box.box, unit) : []));
  }

  function refresh() {
    if (selected && !find(selected)) selected = null;
    panel.show(history.state, selected, { shown, proposals });
    draw();
  }

  async function load(by) {
    const found = (await ask(`${app.address}/proposals?by=${by}`)).proposals;
    proposals = inReadingOrder([...proposals.filter((each) => each.by !== by), ...found]);
    refresh();
    return found.length;
  }
  let reading = false;
  async function readText() {
    if (reading || !data.ocr) return;
    reading = true;
    panel.reading(true);
    await load("ocr").catch(app.complain);
    reading = false;
    panel.reading(false);
  }

  const panel = boxPanel(app, { edit, remove, select, snap, readText, toggle: keys.p,
    takeAll: (label) => app.change({ ...history.state, boxes: label.boxes.map((box, place) => ({ ...box, id: `b${place + 1}` })), note: label.note || "" }) });
  for (const { by, label } of data.others || []) {
    proposals.push(...(label.boxes || []).map((box) => ({ ...box, by: "person", name: `${by}: ${box.instruction}` })));
  }
  view.fit();
  load("tree").catch(app.complain);

  const undone = (state) => state.boxes.find((box) => !box.instruction.trim());
  return {
    show: refresh,
    key,
    problem: (state) => (undone(state) ? "A box has no instruction yet; give it one, or delete it." : ""),
    keys: [
      ["n", "add a box in the middle"], ["., ,", "next box, previous box"], ["←, →, ↑, ↓", "move the box (Ctrl: by ten)"],
      ["Shift+arrows", "resize it"], ["s", "snap it to the nearest proposal"], ["f, F", "highlight the next proposal, the previous one"],
      ["t", "accept the highlighted proposal"], ["r", "read text in the picture for proposals"], ["p", "hide or show proposals"],
      ["m", "mark as ambiguous"], ["Enter", "write its instruction"], ["Delete", "delete it"], ["+, -, 0, 1", "zoom, fit, actual size"],
      ["Alt+arrows", "pan the picture; or drag with Space or the middle button"], ["Alt", "while drawing: do not snap"],
    ],
  };
}

function rectangle([left, top, right, bottom], style, title = "") {
  const made = svg("rect", { class: style, x: left, y: top, width: right - left, height: bottom - top });
  if (title) made.append(svg("title", {}, title));
  return made;
}

function tag([left, top], number, unit) {
  const width = (7 + 7 * String(number).length) * unit;
  const y = Math.max(top - 15 * unit, 0);
  return [svg("rect", { class: "tag", x: left, y, width, height: 15 * unit }),
    svg("text", { class: "tag-text", x: left + 3.5 * unit, y: y + 11.5 * unit, "font-size": 11 * unit }, String(number))];
}

function handles([left, top, right, bottom], unit) {
  const xs = { w: left, e: right };
  const ys = { n: top, s: bottom };
  return HANDLES.map((name) => {
    const x = xs[name.at(-1)] ?? (left + right) / 2;
    const y = ys[name[0]] ?? (top + bottom) / 2;
    return svg("rect", { class: `handle ${name}`, "data-handle": name, x: x - 4 * unit, y: y - 4 * unit, width: 8 * unit, height: 8 * unit });
  });
}
