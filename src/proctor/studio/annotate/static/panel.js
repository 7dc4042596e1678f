// Beside the picture: the list of boxes, and the words of the one that is chosen.

import { byId, el } from "/replay-files/dom.js";

const ROLES = ["button", "link", "text field", "check box", "radio button", "menu", "menu item", "tab", "list item", "cell",
  "icon", "image", "slider", "combo box", "toggle", "scroll bar", "window", "text"];

export function boxPanel(app, { edit, remove, select, snap, readText, toggle, takeAll }) {
  let chosen = null;
  const list = el("div", { id: "boxes", role: "listbox", ariaLabel: "Boxes" });
  const instruction = el("textarea", { id: "instruction", rows: 3, maxLength: 2000, placeholder: "How would you tell someone to click here?" });
  const role = el("input", { id: "role", maxLength: 80 });
  role.setAttribute("list", "roles");
  const roles = el("datalist", { id: "roles" }, ROLES.map((name) => el("option", { value: name })));
  const ambiguous = el("input", { id: "ambiguous", type: "checkbox" });
  const form = el("div", { id: "form" },
    el("label", {}, "Instruction", instruction), el("label", {}, "Role", role, roles),
    el("label", { className: "row" }, ambiguous, "ambiguous: other places fit too"),
    el("div", { className: "row" },
      el("button", { id: "snap", onclick: () => snap(chosen), title: "Snap to nearest proposal (s)" }, "Snap"),
      el("button", { id: "delete", onclick: () => remove(chosen), title: "Delete" }, "Delete box")));
  const note = el("textarea", { id: "note", rows: 2, maxLength: 2000 });
  const show = el("button", { onclick: () => toggle(), title: "p" }, "Hide");
  const read = el("button", { id: "read", onclick: () => readText(), title: "Text on the picture (r)" }, "Read text");
  const about = el("span", { id: "about-proposals", className: "quiet" });
  const others = (app.data.others || []).map(({ by, label }) =>
    el("button", { onclick: () => takeAll(label) }, `Take all ${(label.boxes || []).length} of ${by}`));
  byId("panel").replaceChildren(
    el("h2", {}, "Boxes"), list, form,
    ...(others.length ? [el("h2", {}, "Annotators"), el("div", { className: "row" }, others)] : []),
    el("h2", {}, "Proposals"), el("div", { className: "row" }, show, read, about),
    el("label", {}, "Note on this picture", note));

  instruction.oninput = () => edit(chosen, { instruction: instruction.value }, `instruction ${chosen}`);
  // Enter goes to an empty field from the picture; in it already, it is no part of the words.
  instruction.onkeydown = (event) => { if (event.key === "Enter" && !instruction.value) event.preventDefault(); };
  role.oninput = () => edit(chosen, { role: role.value }, `role ${chosen}`);
  ambiguous.onchange = () => edit(chosen, { ambiguous: ambiguous.checked });
  note.oninput = () => app.change({ ...app.history.state, note: note.value }, "note");
  read.hidden = !app.data.ocr;

  // A field that is being written in keeps its cursor.
  const put = (field, value) => { if (field.value !== value) field.value = value; };

  return {
    focus() { if (chosen) instruction.focus(); },
    reading(now) { read.disabled = now; read.textContent = now ? "Reading…" : "Read text"; },
    show(state, selected, { shown, proposals }) {
      chosen = selected;
      list.role = state.boxes.length ? "listbox" : "group";
      list.replaceChildren(...state.boxes.map((box, place) => {
        const words = box.instruction || "no instruction yet";
        const row = el("button", { className: `entry ${box.id === selected ? "chosen" : ""} ${box.instruction ? "" : "lacking"}`, onclick: () => select(box.id) },
          el("b", {}, String(place + 1)), el("span", { className: "words" }, words), box.ambiguous ? el("span", { className: "badge warn" }, "ambiguous") : "");
        row.setAttribute("role", "option");
        row.setAttribute("aria-selected", String(box.id === selected));
        return row;
      }));
      if (!state.boxes.length) list.replaceChildren(el("p", { className: "quiet" }, "Drag on the picture to draw a box, click a proposal to accept it, or press n."));
      const box = state.boxes.find((each) => each.id === selected);
      form.hidden = !box;
      if (box) {
        put(instruction, box.instruction);
        put(role, box.role);
        ambiguous.checked = box.ambiguous;
      }
      put(note, state.note);
      show.textContent = shown ? "Hide" : "Show";
      const counts = ["tree", "ocr", "person"].map((by) => [by, proposals.filter((each) => each.by === by).length]).filter(([, count]) => count);
      const words = { tree: "from the tree", ocr: "read from the picture", person: "by annotators" };
      about.textContent = counts.map(([by, count]) => `${count} ${words[by]}`).join(", ") || "none";
    },
  };
}
