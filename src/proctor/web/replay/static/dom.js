// Making elements. Texts only ever become text nodes: what an agent wrote is never read as markup.

const SVG = "http://www.w3.org/2000/svg";

export const byId = (id) => document.getElementById(id);

export function el(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

export function svg(tag, attributes = {}, text = "") {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text) made.textContent = text;
  return made;
}

export function table(headings, rows) {
  const head = el("tr", {}, headings.map((word) => el(word ? "th" : "td", {}, word)));
  // Long words may break, so that a path does not push the rest away; short ones stay whole.
  const style = (cell) => (typeof cell === "string" && cell.length <= 12 ? "short" : "");
  const body = rows.map((cells) => el("tr", {}, cells.map((cell) => el("td", { className: style(cell) }, cell ?? ""))));
  return el("table", {}, headings.length ? el("thead", {}, head) : null, el("tbody", {}, body));
}
