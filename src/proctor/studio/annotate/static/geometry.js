// Boxes as [left, top, right, bottom] in pixels of the picture.

export const SMALLEST = 3;
const ALIKE = 0.6;

const round = (value) => Math.round(value * 10) / 10;

export const area = ([left, top, right, bottom]) => Math.max(0, right - left) * Math.max(0, bottom - top);
export const centre = ([left, top, right, bottom]) => [(left + right) / 2, (top + bottom) / 2];
export const holds = ([left, top, right, bottom], [x, y]) => x >= left && x <= right && y >= top && y <= bottom;

export function between([ax, ay], [bx, by]) {
  return [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)];
}

export function overlap(a, b) {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  if (width <= 0 || height <= 0) return 0;
  return (width * height) / (area(a) + area(b) - width * height);
}

// A box that is large enough and lies on the picture.
export function fitted(box, [width, height]) {
  let [left, top, right, bottom] = between(box.slice(0, 2), box.slice(2)).map(round);
  left = Math.min(Math.max(left, 0), width - SMALLEST);
  top = Math.min(Math.max(top, 0), height - SMALLEST);
  right = Math.min(Math.max(right, left + SMALLEST), width);
  bottom = Math.min(Math.max(bottom, top + SMALLEST), height);
  return [left, top, right, bottom].map(round);
}

// A moved box keeps its size at the border of the picture.
export function moved([left, top, right, bottom], dx, dy, [width, height]) {
  const x = Math.min(Math.max(dx, -left), width - right);
  const y = Math.min(Math.max(dy, -top), height - bottom);
  return [left + x, top + y, right + x, bottom + y].map(round);
}

// `handle` names the edges that are held, such as "nw" or "e".
export function resized(box, handle, [x, y], size) {
  const next = [...box];
  if (handle.includes("w")) next[0] = x;
  if (handle.includes("n")) next[1] = y;
  if (handle.includes("e")) next[2] = x;
  if (handle.includes("s")) next[3] = y;
  return fitted(next, size);
}

export function nearest(box, proposals, least = ALIKE) {
  let best = null;
  let most = least;
  for (const proposal of proposals) {
    const found = overlap(box, proposal.box);
    if (found >= most) [best, most] = [proposal, found];
  }
  return best;
}

// The proposal that a box means, or the box with edges drawn to edges of proposals that are near.
export function snapped(box, proposals, reach) {
  const meant = nearest(box, proposals);
  if (meant) return { box: [...meant.box], proposal: meant };
  const next = [...box];
  for (const edge of [0, 1, 2, 3]) {
    let best = reach;
    for (const { box: other } of proposals) {
      const across = edge % 2 === 0 ? [1, 3] : [0, 2];
      if (other[across[1]] < box[across[0]] || other[across[0]] > box[across[1]]) continue;
      const away = Math.abs(other[edge] - box[edge]);
      if (away <= best) [best, next[edge]] = [away, other[edge]];
    }
  }
  return { box: next[2] - next[0] >= SMALLEST && next[3] - next[1] >= SMALLEST ? next : box, proposal: null };
}

export function smallestAt(point, list) {
  return list.filter((each) => holds(each.box, point)).sort((a, b) => area(a.box) - area(b.box))[0] || null;
}

export function inReadingOrder(list) {
  return [...list].sort((a, b) => Math.round(a.box[1] / 12) - Math.round(b.box[1] / 12) || a.box[0] - b.box[0]);
}
