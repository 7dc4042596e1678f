// Asking the server for the record of one episode. Everything is asked for once; pictures stay in the browser's cache.

const [, , run, episode] = location.pathname.split("/");
const base = `/data/${run}/${episode}`;
const asked = new Map();

export const address = { run: `/run/${run}`, screen: `/screen/${run}/${episode}` };

async function ask(path) {
  const answer = await fetch(base + path);
  if (!answer.ok) {
    const why = await answer.json().catch(() => ({}));
    throw new Error(why.detail || `the server answered ${answer.status}`);
  }
  return answer.json();
}

function once(path) {
  if (!asked.has(path)) {
    const answer = ask(path);
    answer.catch(() => asked.delete(path));
    asked.set(path, answer);
  }
  return asked.get(path);
}

export const index = () => ask("");
export const stepsAfter = (number) => ask(`/steps?after=${number}`);
export const step = (number) => once(`/steps/${number}`);
export const call = (number) => once(`/calls/${number}`);
export const rawCall = (number) => once(`/calls/${number}?raw=yes`);
export const verdict = () => once("/verdict");
export const changes = () => once("/changes");
export const said = () => once("/said");
export const tree = (name) => once(`/${encodeURIComponent(name)}`);
export const file = (name, version) => `${base}/${encodeURIComponent(name)}?v=${version}`;
export const forget = () => asked.clear();
