// Saving as it happens. Each save says which version it was made from; the server refuses one that would destroy a
// version this page has not seen. A save whose answer was lost is sent again under its own name, and counts once.

const SOON = 300;
const LONGEST_WAIT = 10000;

const name = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16)).join("");

export class Saving {
  constructor(address, version, { status, conflict }) {
    this.address = address;
    this.version = version;
    this.status = status;
    this.conflict = conflict;
    this.wanted = null;
    this.sending = null;
    this.last = "";
    this.failed = false;
    this.stopped = false;
    this.wait = 1000;
    addEventListener("pagehide", () => this.flush(true));
    addEventListener("beforeunload", (event) => this.unsaved && event.preventDefault());
  }

  get unsaved() {
    return Boolean(this.wanted || this.sending);
  }

  change(label) {
    this.wanted = label;
    if (this.stopped) return;
    this.status("saving…");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), SOON);
  }

  // Resolves when everything is saved, or it turned out that it cannot be.
  async settle() {
    await this.flush();
    return !this.unsaved && !this.stopped && !this.failed;
  }

  flush(leaving = false) {
    clearTimeout(this.timer);
    if (this.stopped || !this.wanted) return this.running || Promise.resolve();
    if (this.running && !leaving) return this.running.then(() => this.flush());
    // While a page is left, a save may overtake the answer to the one before: it says which one it follows.
    this.sending = { version: this.version, follows: this.last, save: name(), label: this.wanted };
    this.last = this.sending.save;
    this.wanted = null;
    this.running = this.send(leaving).finally(() => { this.running = null; });
    return this.running;
  }

  async send(leaving) {
    const options = { method: "POST", headers: { "Content-Type": "application/json" }, keepalive: leaving };
    const sent = this.sending;
    let answer;
    let data;
    try {
      answer = await fetch(this.address, { ...options, body: JSON.stringify(sent) });
      data = await answer.json();
    } catch {
      this.status("not saved: the studio does not answer; trying again", "bad");
      await new Promise((resolve) => setTimeout(resolve, this.wait));
      this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
      return this.sending === sent ? this.send(false) : undefined;
    }
    this.wait = 1000;
    if (answer.ok) {
      this.version = Math.max(this.version, data.version);
      this.failed = false;
      if (this.sending === sent) this.sending = null;
      if (!this.wanted) this.status("saved");
      return undefined;
    }
    if (answer.status === 409) {
      this.stopped = true;
      this.conflict(data);
    } else {
      this.failed = true;
      this.status(`not saved: ${data.problem || answer.status}`, "bad");
    }
    this.sending = null;
    return undefined;
  }

  // After a conflict: go on from what the server has.
  resume(version) {
    this.version = version;
    this.stopped = false;
    this.wanted = null;
    this.status("loaded");
  }
}
