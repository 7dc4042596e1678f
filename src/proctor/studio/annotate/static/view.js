// Zooming and moving a picture: the drawing's units stay pixels of the picture, only what is seen of it changes.

const MOST = 16;

export class View {
  constructor(root, size, changed) {
    this.root = root;
    this.size = size;
    this.changed = changed;
    this.fitting = true;
    new ResizeObserver(() => (this.fitting ? this.fit() : this.apply())).observe(root);
    root.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, this.point(event));
    }, { passive: false });
    this.scale = 1;
    [this.x, this.y] = [0, 0];
  }

  get shape() {
    return [this.root.clientWidth || 800, this.root.clientHeight || 600];
  }

  // What is seen, in pixels of the picture.
  get seen() {
    const [width, height] = this.shape;
    return [this.x, this.y, this.x + width / this.scale, this.y + height / this.scale];
  }

  get least() {
    const [width, height] = this.shape;
    return Math.min(width / this.size[0], height / this.size[1]);
  }

  point(event) {
    const frame = this.root.getBoundingClientRect();
    return [this.x + (event.clientX - frame.left) / this.scale, this.y + (event.clientY - frame.top) / this.scale];
  }

  fit() {
    this.fitting = true;
    this.scale = this.least;
    this.apply();
  }

  actual() {
    this.zoom(1 / this.scale);
  }

  zoom(factor, at = null) {
    const [x, y] = at || [(this.seen[0] + this.seen[2]) / 2, (this.seen[1] + this.seen[3]) / 2];
    const next = Math.min(Math.max(this.scale * factor, Math.min(this.least, 1)), Math.max(MOST, this.least));
    this.fitting = next <= this.least;
    this.x = x - (x - this.x) * (this.scale / next);
    this.y = y - (y - this.y) * (this.scale / next);
    this.scale = next;
    this.apply();
  }

  pan(dx, dy) {
    this.x += dx / this.scale;
    this.y += dy / this.scale;
    this.apply();
  }

  // Moves so that a box is seen.
  reveal([left, top, right, bottom]) {
    const [x, y, x2, y2] = this.seen;
    if (left >= x && top >= y && right <= x2 && bottom <= y2) return;
    this.x = (left + right) / 2 - (x2 - x) / 2;
    this.y = (top + bottom) / 2 - (y2 - y) / 2;
    this.apply();
  }

  apply() {
    const [width, height] = this.shape.map((side) => side / this.scale);
    // A picture that is smaller than the stage stands in its middle; a larger one never leaves it.
    const held = (from, seen, whole) => (seen >= whole ? (whole - seen) / 2 : Math.min(Math.max(from, 0), whole - seen));
    this.x = held(this.x, width, this.size[0]);
    this.y = held(this.y, height, this.size[1]);
    this.root.setAttribute("viewBox", `${this.x} ${this.y} ${width} ${height}`);
    this.changed();
  }
}
