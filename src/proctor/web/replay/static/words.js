// Saying in words what a step did.

const place = (action) => (action.x == null ? "" : ` at ${round(action.x)}, ${round(action.y)}`);
const round = (number) => Math.round(number * 10) / 10;
const times = { 2: "double ", 3: "triple " };

export function actionWords(action) {
  if (!action) return "no action";
  switch (action.type) {
    case "click": {
      const held = (action.modifiers || []).map((key) => `${key}+`).join("");
      const button = action.button && action.button !== "left" ? `${action.button} ` : "";
      return `${held}${button}${times[action.count] || ""}click${place(action)}`;
    }
    case "move": return `move${place(action)}`;
    case "tap": return `${times[action.count] || ""}tap${place(action)}`;
    case "long_press": return `long press${place(action)}`;
    case "swipe": return `swipe along ${(action.path || []).length} points`;
    case "pinch": return `pinch by ${action.scale}${place(action)}`;
    case "open_app": return `open ${action.name}`;
    case "drag": return `drag along ${(action.path || []).length} points`;
    case "scroll": return `scroll ${scrollWords(action)}${place(action)}`;
    case "type": return `type ${JSON.stringify(action.text ?? "")}`;
    case "press": return `press ${action.keys}`;
    case "key_down": return `hold ${action.key}`;
    case "key_up": return `release ${action.key}`;
    case "wait_for_change": return `wait for a change, ${action.seconds ?? 30} s at most`;
    case "wait": return `wait ${action.seconds ?? 1} s`;
    case "run_code": return `run ${action.language || "python"}: ${action.code ?? ""}`;
    case "answer": return `answer ${JSON.stringify(action.text ?? "")}`;
    case "ask_user": return `ask the user: ${action.question ?? ""}`;
    case "fail": return `give up${action.reason ? `: ${action.reason}` : ""}`;
    case "done": return "says it is done";
    default: return String(action.type).replaceAll("_", " ");
  }
}

function scrollWords({ dx = 0, dy = 0 }) {
  const parts = [];
  if (dy) parts.push(`${dy > 0 ? "down" : "up"} ${Math.abs(dy)}`);
  if (dx) parts.push(`${dx > 0 ? "right" : "left"} ${Math.abs(dx)}`);
  return parts.join(", ");
}

export function elementWords(element) {
  if (!element) return "";
  const name = element.name ? ` “${element.name}”` : "";
  return `${element.role || "element"}${name}${element.app ? ` in ${element.app}` : ""}`;
}

export const COLOURS = {
  "": "action",
  refused: "refused or not carried out",
  problem: "not understood",
  stale: "on a screen that had changed",
  signal: "a message to the examiner",
  completes: "completes a subtask",
  event: "happened by itself",
  end: "the end",
};

export const MARKS = {
  refused: { word: "refused", style: "bad" },
  problem: { word: "not understood", style: "warn" },
  stale: { word: "on a screen that had changed since", style: "warn" },
  signal: { word: "signal", style: "signal" },
};
