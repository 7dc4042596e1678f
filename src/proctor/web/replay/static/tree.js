// The accessibility tree as a table to search; a row shows where its element is on the picture.

import { el } from "/replay-files/dom.js";

const MOST_ROWS = 400;

export function treePanel(tree, show) {
  const nodes = Array.isArray(tree.nodes) ? tree.nodes : [];
  const words = nodes.map((node) => [node.role, node.name, node.text, node.app, node.window, node.description]
    .filter(Boolean).join(" ").toLowerCase());
  const body = el("tbody");
  const note = el("p", { className: "quiet" });
  const hint = "role, name, text, application";
  const field = el("input", { type: "search", placeholder: hint, ariaLabel: "Search the tree" });

  function fill() {
    const wanted = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = nodes.filter((_, number) => wanted.every((word) => words[number].includes(word)));
    body.replaceChildren(...found.slice(0, MOST_ROWS).map(row));
    const more = found.length > MOST_ROWS ? `, the first ${MOST_ROWS} are shown` : "";
    note.textContent = `${found.length} of ${nodes.length} elements${more}`;
  }

  function row(node) {
    const indent = "\u2003".repeat(Math.min(node.depth || 0, 12));
    const cells = [indent + (node.role || ""), node.name || "", (node.text || "").slice(0, 200)];
    const states = (node.states || []).join(" ");
    const made = el("tr", { className: "pick", title: states }, cells.map((cell) => el("td", {}, cell)));
    made.addEventListener("click", () => {
      body.querySelectorAll(".chosen").forEach((other) => other.classList.remove("chosen"));
      made.classList.add("chosen");
      show(node.box || null);
    });
    return made;
  }

  field.addEventListener("input", fill);
  fill();
  const degraded = (tree.degraded || []).map((reason) => el("p", { className: "warn" }, reason));
  const head = el("thead", {}, el("tr", {}, ["role", "name", "text"].map((word) => el("th", {}, word))));
  return [field, ...degraded, note, el("table", {}, head, body)];
}
