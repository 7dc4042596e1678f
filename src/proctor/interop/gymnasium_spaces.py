"""Actions and observations as numbers, in Gymnasium's spaces."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from proctor.actions import action as act
from proctor.errors import MissingExtra
from proctor.interop.elements import TREE_CHARS, TreeForm, elements_text, place_of
from proctor.observations.observation import Observation

try:
    from gymnasium import spaces
except ModuleNotFoundError as error:
    raise MissingExtra("the Gymnasium environment", "gym") from error

KINDS = (
    "move", "click", "mouse_down", "mouse_up", "drag", "scroll", "type", "press", "key_down", "key_up", "wait",
    "done", "fail", "wait_for_change",
)  # fmt: skip
"""The actions an agent may take unless told otherwise; `run_code`, `answer` and `ask_user` can be added."""
LONGEST_SEC = 10.0
"""How long `wait_for_change` waits at most: no number in the space says it."""
MODIFIERS = ("", "ctrl", "shift", "alt")
KEYS = (
    "enter", "tab", "escape", "backspace", "delete", "space", "up", "down", "left", "right", "home", "end", "pageup",
    "pagedown", "insert", *(f"f{number}" for number in range(1, 13)), "shift+tab", "alt+tab", "alt+f4", "super",
    *(f"ctrl+{letter}" for letter in string.ascii_lowercase), "ctrl+home", "ctrl+end", "ctrl+shift+z",
)  # fmt: skip
"""What `press` can press; characters are for `type`."""
PLACED = ("move", "click", "drag", "scroll", "tap", "long_press", "swipe", "pinch")
"""The actions that begin at a place, which an element may stand for."""
MAX_TEXT = 128
CHARSET = string.ascii_letters + string.digits + string.punctuation + " \n\t"
MAX_NOTCHES = 10
MAX_ELEMENT = 9_999
"""The largest id of an element that an action can name."""

Encoded = dict[str, Any]
Seen = dict[str, Any]


def decode(
    encoded: Encoded, kinds: Sequence[str], size: tuple[int, int], seen: Observation | None = None
) -> act.Action:
    """Return the action that an encoded one stands for; AgentError where it stands for none.

    An `element` other than 0 stands for the place of that element in what was seen last.
    """
    kind = kinds[int(encoded["kind"])]
    (x, y), (to_x, to_y) = _pixel(encoded["position"], size), _pixel(encoded["target"], size)
    if (element := int(encoded.get("element", 0))) and kind in PLACED:
        x, y = place_of(element, seen)
    dx, dy = (int(value) for value in encoded["scroll"])
    button, modifier = act.BUTTONS[int(encoded["button"])], MODIFIERS[int(encoded["modifier"])]
    held = (modifier,) if modifier else ()
    text = str(encoded["text"])
    fields: dict[str, dict[str, Any]] = {
        "move": {"x": x, "y": y},
        "click": {"x": x, "y": y, "button": button, "count": int(encoded["count"]), "modifiers": held},
        "mouse_down": {"button": button},
        "mouse_up": {"button": button},
        "drag": {"path": ((x, y), (to_x, to_y)), "button": button, "modifiers": held},
        "scroll": {"x": x, "y": y, "dx": dx, "dy": dy, "modifiers": held},
        "tap": {"x": x, "y": y, "count": int(encoded["count"])},
        "long_press": {"x": x, "y": y},
        "swipe": {"path": ((x, y), (to_x, to_y))},
        "pinch": {"x": x, "y": y, "scale": 2.0 if dy > 0 else 0.5},
        "open_app": {"name": text},
        "type": {"text": text},
        "press": {"keys": KEYS[int(encoded["key"])]},
        "key_down": {"key": modifier},
        "key_up": {"key": modifier},
        "wait_for_change": {"seconds": LONGEST_SEC},
        "run_code": {"code": text},
        "answer": {"text": text},
        "ask_user": {"question": text},
    }
    return act.ACTIONS[kind](**fields.get(kind, {}))


def encode(seen: Observation, into: npt.NDArray[np.uint8] | None = None, form: TreeForm = "outline") -> Seen:
    """Return what was seen as arrays and texts, the screen in its own place or a given one."""
    if into is None:
        into = np.array(seen.screenshot, dtype=np.uint8)
    else:
        into[...] = np.asarray(seen.screenshot, dtype=np.uint8)
    found: Seen = {"screenshot": into}
    if seen.tree is not None:
        found["tree"] = elements_text(seen, form).encode("ascii", "backslashreplace").decode()[:TREE_CHARS]
    return found


def _pixel(place: Sequence[float], size: tuple[int, int]) -> tuple[float, float]:
    """Return the pixel of a place given in parts of the desktop's width and height."""
    width, height = size
    return min(int(place[0] * width), width - 1), min(int(place[1] * height), height - 1)


def observation_space(size: tuple[int, int], tree: bool) -> spaces.Dict:
    """Return what is seen: the screen, and the tree as text where it is wanted."""
    width, height = size
    parts: dict[str, spaces.Space[Any]] = {"screenshot": spaces.Box(0, 255, (height, width, 3), np.uint8)}
    if tree:
        parts["tree"] = spaces.Text(TREE_CHARS, min_length=0, charset=string.printable)
    return spaces.Dict(parts)


def action_space(kinds: int, elements: bool = False) -> spaces.Dict:
    """Return what may be done: a kind of action and its parts; `element` where ids are seen."""
    notches = 2 * MAX_NOTCHES + 1
    return spaces.Dict(
        {
            **({"element": spaces.Discrete(MAX_ELEMENT + 1)} if elements else {}),
            "kind": spaces.Discrete(kinds),
            "position": spaces.Box(0, 1, (2,), np.float32),
            "target": spaces.Box(0, 1, (2,), np.float32),
            "button": spaces.Discrete(len(act.BUTTONS)),
            "count": spaces.Discrete(3, start=1),
            "modifier": spaces.Discrete(len(MODIFIERS)),
            "scroll": spaces.MultiDiscrete([notches, notches], start=[-MAX_NOTCHES, -MAX_NOTCHES]),
            "key": spaces.Discrete(len(KEYS)),
            "text": spaces.Text(MAX_TEXT, min_length=0, charset=CHARSET),
        }
    )
