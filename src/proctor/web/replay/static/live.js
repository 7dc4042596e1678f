// The screen of an episode under way, through noVNC; only for looking, which the server sees to.

import { byId } from "/replay-files/dom.js";
import { address } from "/replay-files/record.js";

let client = null;

export function watching() {
  return client !== null;
}

export async function watch(ended) {
  const { default: RFB } = await import("/novnc/core/rfb.js");
  const target = byId("screen");
  target.hidden = false;
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  client = new RFB(target, `${scheme}//${location.host}${address.screen}`, { shared: true });
  client.viewOnly = true;
  client.scaleViewport = true;
  client.addEventListener("disconnect", () => {
    client = null;
    target.replaceChildren();
    target.hidden = true;
    ended();
  });
}

export function leave() {
  if (client) client.disconnect();
}
