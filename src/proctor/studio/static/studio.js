// What every page of the studio uses: asking the server, and saying what went wrong.

import { byId } from "/replay-files/dom.js";

const SILENT = "The studio does not answer. Is it still running?";
const UNKNOWN = "The studio was restarted and does not know this browser. Open the address that it prints in another tab, then continue here.";

// Returns what the studio answers. An error says whether the studio itself refused, or could not be asked.
async function answered(path, options) {
  const answer = await fetch(path, options).catch(() => null);
  if (!answer) throw new Error(SILENT);
  const data = await answer.json().catch(() => ({}));
  if (answer.ok) return data;
  const words = data.problem || (answer.status === 403 ? UNKNOWN : `The studio answered ${answer.status}.`);
  throw Object.assign(new Error(words), { refused: Boolean(data.problem) });
}

export async function ask(path) {
  return answered(path, { headers: { Accept: "application/json" } });
}

export async function tell(path, data = {}) {
  const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data) };
  return answered(path, options);
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

export const counted = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

export function duration(seconds) {
  if (seconds === null || seconds === undefined) return "";
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
