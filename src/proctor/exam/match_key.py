"""How closely an agent followed the answer key: a trajectory-based score, for comparison with what came of it.

An answer key shows one way of several, so a low figure is not a fault; it is shown beside the score and never instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from proctor.actions.action import Click, Drag, Press, Scroll, Type
from proctor.computers.computer import Performed
from proctor.tasks.call import Call

MOST_NAME = 1_000
"""Characters of an element's name that a pattern is held against: a program may give itself any name."""


@dataclass(frozen=True, slots=True)
class _Operation:
    """Something done with hands: a kind of action and what it was about."""

    kind: str
    about: str = ""

    def meets(self, done: _Operation) -> bool:
        """Tell whether something done is this operation of the key; elements may be named by a part or a pattern."""
        if self.kind != done.kind:
            return False
        if self.kind != "click" or not self.about:
            return self.about == done.about
        if len(self.about) > 2 and self.about.startswith("/") and self.about.endswith("/"):
            return re.search(self.about[1:-1], done.about[:MOST_NAME]) is not None
        return self.about.casefold() in done.about.casefold()


def action_match(key: Sequence[Call], history: Sequence[Performed]) -> float:
    """Return the share of the answer key's operations that an agent made too, in the same order."""
    wanted, done = list(_of_key(key)), list(_of_agent(history))
    if not wanted:
        return 1.0
    # The longest common subsequence, row by row.
    row = [0] * (len(done) + 1)
    for operation in wanted:
        above, row = row, [0]
        for place, other in enumerate(done):
            row.append(above[place] + 1 if operation.meets(other) else max(above[place + 1], row[place]))
    return row[-1] / len(wanted)


def _of_key(moves: Iterable[Call]) -> Iterator[_Operation]:
    for move in moves:
        given = move.arguments
        match move.name:
            case "type":
                yield _Operation("type", given["text"].strip())
            case "type_into":
                yield _Operation("click", str(given.get("name") or ""))
                yield _Operation("type", given["text"].strip())
            case "press":
                yield from [_Operation("press", given["keys"].casefold())] * int(given.get("times", 1))
            case "click" | "double_click" | "right_click":
                yield _Operation("click", str(given.get("name") or ""))
            case "menu":
                yield from (_Operation("click", str(name).removesuffix("...")) for name in given["path"])
            case "drag" | "draw" | "scroll":
                yield _Operation("scroll" if move.name == "scroll" else "drag")


def _of_agent(history: Iterable[Performed]) -> Iterator[_Operation]:
    for performed in history:
        match performed.action:
            case Type(text=text):
                yield _Operation("type", text.strip())
            case Press(keys=keys):
                yield _Operation("press", keys.casefold())
            case Click():
                yield _Operation("click", performed.element.name if performed.element else "")
            case Drag():
                yield _Operation("drag")
            case Scroll():
                yield _Operation("scroll")
