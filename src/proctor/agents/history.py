"""What an agent did so far and what came of it: a line for each action, however old."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from proctor.actions.action import Action, CallTool, RunCode, SignalAction
from proctor.models.model import Picture
from proctor.observations.observation import Observation
from proctor.records import Told

MOST_WORDS = 200
"""Characters of an action, of an output or of a reason in a line."""


@dataclass
class PastTurn:
    """One turn that is over, or about to be."""

    step: int
    """Actions carried out before it."""
    values: dict[str, str]
    """What was told and seen, as placeholders stand for it."""
    picture: Picture | None
    reply: str = ""
    actions: tuple[Action, ...] = ()
    problem: str = ""
    lines: list[str] = field(default_factory=list)
    """What came of each action, once that is known."""


class Log:
    """Every turn of an episode, oldest first."""

    def __init__(self, words: Callable[[Action], str] | None = None) -> None:
        """Begin with nothing; `words` name an action in a line, as its model wrote it when None."""
        self._words = words or own_words
        self.turns: list[PastTurn] = []
        self._waiting: PastTurn | None = None

    def clear(self) -> None:
        """Forget everything."""
        self.turns, self._waiting = [], None

    def step(self, observation: Observation) -> int:
        """Return how many actions came before an observation, counted here where nobody else does."""
        if observation.steps is not None:
            return observation.steps
        last = self._waiting
        return 0 if last is None else last.step + _carried_out(last, observation)

    def learn(self, observation: Observation, picture: Picture | None) -> None:
        """Take note of what came of the last turn."""
        last = self._waiting
        if last is None:
            return
        same = picture is not None and last.picture == picture
        last.lines = list(_lines(last, observation, self._words, self.step(observation), same=same))
        self.turns.append(last)
        self._waiting = None

    def add(self, turn: PastTurn) -> None:
        """Take note of a turn, before it is known what comes of it."""
        self._waiting = turn


def when(step: int) -> str:
    """Return which moment a number of steps is."""
    return f"after step {step}" if step else "at the start"


def own_words(action: Action) -> str:
    """Return an action as its model wrote it, on one line."""
    given = action.given.text if action.given else ""
    text = " ".join(given.split()) or action_line(action)
    if isinstance(action, RunCode) and len(action.code) > MOST_WORDS:
        return f"{action.language} code of {len(action.code.splitlines())} lines, beginning {_short(text)}"
    return _short(text)


def _lines(
    turn: PastTurn, observation: Observation, words: Callable[[Action], str], now: int, *, same: bool
) -> Iterator[str]:
    told = [each for each in observation.told if each.text != turn.problem]
    done, step = now - turn.step, turn.step
    refused = _take(told, "refused")
    for action in turn.actions:
        name = words(action)
        if isinstance(action, SignalAction):
            yield f"- {name}: {_what_came(told, refused)}"
        elif done > 0:
            done, step = done - 1, step + 1
            output = _take(told, "output") if isinstance(action, RunCode | CallTool) else None
            verb = "answered" if isinstance(action, CallTool) else "printed"
            came = "carried out" if output is None else f"{verb} {_short(output.text) or 'nothing'}"
            nothing = ", and nothing changed on the screen" if same and not done else ""
            yield f"{step}. {name}: {came}{nothing}"
        else:
            yield f"- {name}: not carried out{f', {_short(refused.text)}' if refused else ''}"
            refused = None
    if turn.problem:
        yield f"- (not understood: {_short(turn.problem)})"


def _carried_out(turn: PastTurn, observation: Observation) -> int:
    inputs = sum(not isinstance(action, SignalAction) for action in turn.actions)
    return max(inputs - any(told.kind == "refused" for told in observation.told), 0)


def _what_came(told: list[Told], refused: Told | None) -> str:
    if refused is not None:
        return f"not accepted, {_short(refused.text)}"
    if reply := _take(told, "reply"):
        return f"your user answered {_short(reply.text)}"
    missing = [_short(each.text) for each in told if each.kind == "feedback"]
    return f"not finished yet, {'; '.join(missing)}" if missing else "heard"


def _take(told: list[Told], kind: str) -> Told | None:
    found = next((each for each in told if each.kind == kind), None)
    if found is not None:
        told.remove(found)
    return found


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= MOST_WORDS else f"{line[:MOST_WORDS]}..."


def action_line(action: Action) -> str:
    """Return an action for a person to judge, on one line whatever it holds."""
    fields = {name: value for name, value in action.to_json().items() if name not in ("type", "given")}
    return " ".join([action.kind, *(f"{name}={json.dumps(value)}" for name, value in fields.items())])
