// What every page of the studio uses: asking the server, and saying what went wrong.

import { byId } from "/replay-files/dom.js";

async function answered(answer) {
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(data.problem || `The studio answered ${answer.status}. Is it still running?`);
  return data;
}

export async function ask(path) {
  return answered(await fetch(path, { headers: { Accept: "application/json" } }));
}

export async function tell(path, data = {}) {
  const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data) };
  return answered(await fetch(path, options));
}

export function complain(error) {
  const place = byId("problem");
  if (place) place.textContent = error ? String(error.message || error) : "";
}

// Runs what a person asked for; what goes wrong is shown in the page.
export function trying(work) {
  return async (...given) => {
    complain("");
    try {
      return await work(...given);
    } catch (error) {
      complain(error);
      return undefined;
    }
  };
}

export function duration(seconds) {
  if (seconds === null || seconds === undefined) return "";
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
