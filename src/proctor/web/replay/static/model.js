// What a model was sent in one turn and what it answered: standing instructions, messages, pictures, and the raw request.

import { el } from "/replay-files/dom.js";
import { json, money, text } from "/replay-files/panels.js";

const note = (words) => el("p", { className: "quiet" }, words);
const heading = (title, more = "") => el("h2", {}, title, more && el("span", { className: "count" }, ` ${more}`));

export function modelPanel(exchanges, usage, picture, raw) {
  if (!exchanges.length) return [note("No model was called in this turn, or the record does not say what was sent.")];
  return exchanges.flatMap((exchange, place) => exchangeParts(exchange, usage[place] || {}, picture, raw));
}

function exchangeParts(exchange, call, picture, raw) {
  const spent = [
    call.input_tokens && `${call.input_tokens} tokens in`, call.cached_tokens && `${call.cached_tokens} of them cached`,
    call.output_tokens && `${call.output_tokens} out`, call.model && money(call.cost_usd), call.seconds && `${call.seconds.toFixed(1)} s`,
    call.retries && `${call.retries} retries`,
  ];
  const sent = exchange.messages || [];
  const parts = [heading(`Call ${exchange.number}`, exchange.model)];
  const line = spent.filter(Boolean).join(" · ");
  if (line) parts.push(note(line));
  parts.push(...sent.map((message, number) => messageParts(message, number === sent.length - 1, picture)));
  parts.push(heading("Answer"));
  if (exchange.error) parts.push(text(exchange.error, "bad"));
  if (exchange.answer) parts.push(...contents(exchange.answer, picture));
  parts.push(folded("The request as it was sent", async () => [json(await raw(exchange.number))]));
  return parts;
}

// Older messages are made when somebody opens them: a history may hold dozens of pictures.
function messageParts(message, open, picture) {
  const pictures = message.parts.filter((part) => part.type === "picture").length;
  const letters = message.parts.reduce((sum, part) => sum + (part.text || "").length, 0);
  const held = [pictures && `${pictures} picture${pictures > 1 ? "s" : ""}`, letters && `${letters} characters`];
  const summary = [message.role, ...held.filter(Boolean)].join(" · ");
  return folded(summary, async () => contents(message, picture), open);
}

function folded(summary, make, open = false) {
  const made = el("details", { className: "message" }, el("summary", {}, summary));
  const fill = async () => {
    if (made.children.length > 1) return;
    try {
      made.append(...await make());
    } catch (error) {
      made.append(note(`This cannot be shown: ${error.message}`));
    }
  };
  made.addEventListener("toggle", fill);
  if (open) {
    made.open = true;
    fill();
  }
  return made;
}

function contents(message, picture) {
  return message.parts.map((part) => {
    switch (part.type) {
      case "text": return text(part.text);
      case "thought": return text(part.text, "quiet");
      case "picture": return shown(part.picture, picture);
      case "call": return json({ type: "call", name: part.name, ...wrapped(part.data) });
      case "result": return text(part.text || "(an empty result)", part.error ? "bad" : "");
      default: return json(part.data ?? part);
    }
  });
}

const wrapped = (data) => (data && typeof data === "object" ? data : { data });

function shown(name, picture) {
  if (typeof name !== "string" || !/^(sent-)?[0-9a-f.]+(marks\.)?(png|jpg|webp)$/.test(name)) return note("[a picture]");
  const image = el("img", { className: "sent", src: picture(name), alt: `Picture ${name}`, loading: "lazy", title: name });
  return el("figure", {}, image, el("figcaption", { className: "quiet" }, name));
}
