// Undo and redo over whole states. States are never changed, only replaced, so going back is exact.

const MOST = 1000;

export class History {
  constructor(state) {
    this.state = state;
    this.past = [];
    this.future = [];
    this.tag = "";
  }

  // Changes with the same tag that follow each other, such as letters typed into one field, are one step.
  push(state, tag = "") {
    if (JSON.stringify(state) === JSON.stringify(this.state)) return false;
    if (!tag || tag !== this.tag) this.past.push(this.state);
    if (this.past.length > MOST) this.past.shift();
    this.tag = tag;
    this.state = state;
    this.future = [];
    return true;
  }

  undo() {
    if (!this.past.length) return false;
    this.future.push(this.state);
    this.state = this.past.pop();
    this.tag = "";
    return true;
  }

  redo() {
    if (!this.future.length) return false;
    this.past.push(this.state);
    this.state = this.future.pop();
    this.tag = "";
    return true;
  }
}
