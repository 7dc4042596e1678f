"""Steps that name elements in words, and the model that turns the words into places."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence

from proctor.actions.action import ACTIONS, Action, from_json
from proctor.actions.dialects import loose_json
from proctor.actions.dialects.dialect import Frame, Reading
from proctor.actions.dialects.plain_json import PlainJson
from proctor.actions.dialects.prompt_words import PLACED, json_form, keys, sentence_for
from proctor.actions.dialects.reply import MAX_REPLY, take_apart
from proctor.actions.dialects.space import open_space
from proctor.actions.dialects.translation import MAX_ACTIONS, check_keys, complaint, find_element, raw_form, too_many
from proctor.errors import AgentError
from proctor.models.model import Message, Model, Picture

STEPS = """\
Write the next actions as a JSON list in a code fence labelled json. Fields marked with ? may be left out.
{listed}"""

ELEMENTS = """\

You give no coordinates. Where an action has `element`, describe that element so that someone who sees
only the screenshot can find it: what it is, what it says, where it is, what is next to it. Use only what is on the
screen."""

BY_ID = "An element that is listed may be named by its id instead, as a number."

EXAMPLES = (
    ("click", '[{"type": "click", "element": "the button labelled Save in the toolbar of the editor"}]'),
    ("press", '[{"type": "press", "keys": "ctrl+s"}]'),
    ("done", '[{"type": "done"}]'),
)

QUESTION = """\
Where in this picture is: {element}

Answer with the point to click, as (x, y), and nothing else. {space} If it is not there, answer: none"""

_PLACE = re.compile(r'"x"(\??): number, "y"\??: number')
_PATH = re.compile(r'"path"(\??): \[\[x, y\], \.\.\.\]')
_NUMBER = r"-?\d{1,9}(?:\.\d{1,9})?"
_NAMED = re.compile(rf"\bx\W{{1,4}}({_NUMBER})\W{{1,6}}y\W{{1,4}}({_NUMBER})", re.IGNORECASE)
_RUN = re.compile(rf"{_NUMBER}(?:(?:\s*,\s*|\s+){_NUMBER})+")
_ANSWER_CHARS = 10_000
MAX_ELEMENTS = 20
"""To be found in one turn: each costs a request."""
MAX_TOKENS = 256
"""A place needs no more words."""


def describe_steps(kinds: Sequence[str], *, listed: bool = False) -> str:
    """Return how to write steps of these kinds, for a prompt; made from the action set's own schema.

    Where elements are `listed` with ids, these name them as well.
    """
    entries = []
    for kind in ACTIONS:
        if kind in kinds:
            form = _PATH.sub(r'"elements"\1: [text, text]', _PLACE.sub(r'"element"\1: text', json_form(kind)))
            entries.append(f"- {form}\n  {sentence_for(kind)}")
    text = STEPS.format(listed="\n".join(entries))
    text += ELEMENTS + (f" {BY_ID}" if listed else "") if PLACED.intersection(kinds) else ""
    text += f"\n{held}" if (held := keys(kinds)) else ""
    shown = next((example for kind, example in EXAMPLES if kind in kinds), "")
    return f"{text}\nFor example:\n```json\n{shown}\n```" if shown else text


def endings(kinds: Sequence[str]) -> dict[str, str]:
    """Return how each allowed signal is written, by kind."""
    return {kind: f"`{form}`" for kind, form in PlainJson.endings.items() if kind in kinds}


class Grounder:
    """Finds elements of one picture by their description, each of them once."""

    def __init__(self, model: Model, picture: Picture | None, frame: Frame, space: str) -> None:
        self._model = model
        self._picture = picture
        self._frame = frame
        self._space = open_space(space, frame)
        self._found: dict[str, tuple[float, float]] = {}

    def find(self, element: object) -> tuple[float, float]:
        """Return the raw coordinates of an element; raises AgentError when it was not found."""
        if self._frame.listed and str(element).strip().isdecimal():
            return self._space.raw(*find_element(self._frame, int(str(element)[:10])))
        if not isinstance(element, str) or not element.strip():
            raise AgentError("an element has no description", remedy="say in words what it is")
        if self._picture is None:
            raise AgentError(
                "the screen could not be seen", remedy="do something that needs no element, such as waiting"
            )
        if element not in self._found:
            if len(self._found) >= MAX_ELEMENTS:
                raise AgentError(f"more than {MAX_ELEMENTS} elements in one turn", remedy="do a few, then look again")
            question = QUESTION.format(element=element, space=self._space.describe())
            reply = self._model.ask([Message("user", (self._picture, question))], max_tokens=MAX_TOKENS)
            place = point(reply.text[-_ANSWER_CHARS:])
            if place is None or not self._space.contains(*place):
                raise AgentError(
                    f"{element[:200]!r} was not found on the screen",
                    remedy="describe it differently, or try another way",
                )
            self._found[element] = place
        return self._found[element]

    def put_places(self, step: Mapping[str, object]) -> Action:
        """Return the action of a step, its elements replaced by places."""
        fields = {name: value for name, value in step.items() if name not in ("element", "elements", "given")}
        if step.get("element") is not None:
            raw = [self.find(step["element"])]
            fields["x"], fields["y"] = self._space.place(*raw[0])
        elif isinstance(elements := step.get("elements"), list):
            raw = [self.find(element) for element in elements]
            fields["path"] = [list(self._space.place(*place)) for place in raw]
        else:
            raw = []
        words = str(step.get("element") or step.get("elements") or "")
        source = raw_form(words, raw, self._space.name) if raw else None
        return check_keys(dataclasses.replace(from_json(fields), given=source))


def read_steps(reply: str, grounder: Grounder) -> Reading:
    """Return the actions of a planner's reply; with a fault anywhere, only the problem."""
    if len(reply) > MAX_REPLY:
        return Reading(problem=f"the reply is {len(reply)} characters long; write at most {MAX_REPLY}")
    parts = take_apart(reply)
    thought = "\n".join(filter(None, [parts.thinking, parts.prose if parts.fences else ""]))
    found = loose_json.find("\n".join(fence.body for fence in parts.fences) or parts.prose)
    steps = [step for value in found.values for step in _flat(value)]
    try:
        if found.broken:
            raise AgentError(found.broken, remedy="write the whole list again")
        if not steps:
            raise AgentError("no action was found", remedy='write a list such as [{"type": "done"}]')
        if len(steps) > MAX_ACTIONS:
            raise too_many()
        return Reading(actions=tuple(grounder.put_places(step) for step in steps), thought=thought)
    except AgentError as error:
        return Reading(problem=complaint(error), thought=thought)


def point(text: str) -> tuple[float, float] | None:
    """Return the place in a grounding model's answer: the last two numbers, or the middle of a box."""
    if named := list(_NAMED.finditer(text)):
        return float(named[-1][1]), float(named[-1][2])
    for run in reversed(list(_RUN.finditer(text))):
        numbers = [float(number) for number in re.findall(_NUMBER, run[0])]
        if len(numbers) == 2:
            return numbers[0], numbers[1]
        if len(numbers) == 4:
            return (numbers[0] + numbers[2]) / 2, (numbers[1] + numbers[3]) / 2
    return None


def _flat(value: object) -> Iterator[Mapping[str, object]]:
    """Yield the steps of a value: itself, its items, or what stands under `actions`."""
    if isinstance(value, list):
        for item in value:
            yield from _flat(item)
    elif isinstance(value, dict):
        if isinstance(value.get("actions"), list):
            yield from _flat(value["actions"])
        else:
            yield value
