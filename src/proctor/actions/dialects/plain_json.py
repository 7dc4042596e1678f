"""Plain JSON: the action set's own form, with coordinates in the picture that the model saw."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from proctor.actions import action as act
from proctor.actions.action import ACTIONS, Action, from_json
from proctor.actions.dialects import prompt_words
from proctor.actions.dialects.dialect import Frame
from proctor.actions.dialects.json_dialect import IDS, THOUGHTS, JsonDialect, element_place
from proctor.actions.dialects.loose_json import FoundObject
from proctor.actions.dialects.space import SPACES, open_space
from proctor.actions.dialects.translation import element_space, find_element, number, point, raw_form
from proctor.errors import UnknownName

PLACED = ("move", "click", "scroll", "tap", "long_press", "pinch")
ALONG_A_PATH = ("drag", "swipe")


class PlainJson(JsonDialect):
    """Actions as `{"type": ..., ...}`."""

    name = "plain_json"
    kinds = tuple(ACTIONS)
    hint = 'write actions as JSON, such as {"type": "click", "x": 10, "y": 20}'
    endings = {
        "done": '{"type": "done"}',
        "fail": '{"type": "fail", "reason": "..."}',
        "answer": '{"type": "answer", "text": "..."}',
        "ask_user": '{"type": "ask_user", "question": "..."}',
    }
    by_id = '{"type": "click", "id": 3}'

    def __init__(self, space: str = "image") -> None:
        if space not in SPACES:
            raise UnknownName("space of coordinates", space, SPACES)
        self.space = space

    def describe(self, kinds: Sequence[str], frame: Frame) -> str:
        """Return the forms of these kinds, from the schema."""
        forms = {kind: prompt_words.json_form(kind) for kind in self.kinds}
        by_id = '`"id": 3` in place of x and y'
        return prompt_words.join_lines(
            "Write your actions as JSON in a code fence labelled json: one object, or a list of objects that are "
            "carried out in order. Fields marked with ? may be left out.",
            prompt_words.list_forms(kinds, forms),
            prompt_words.keys(kinds),
            prompt_words.places(open_space(self.space, frame), frame, kinds, by_id),
            self.example(kinds, frame),
        )

    def _translate(self, entry: FoundObject, source: str, frame: Frame) -> Sequence[Action]:
        space = open_space(self.space, frame)
        kind = entry.get("type", entry.get("action"))
        kind = kind.strip().lower() if isinstance(kind, str) else kind
        left_out = {"type", "action", "given", *IDS, *(name for name in entry if name.lower() in THOUGHTS)}
        data: dict[str, object] = {
            name: held for name, held in entry.items() if name not in left_out and held is not None
        }
        points: list[tuple[float, float]] = []
        name = space.name
        if kind in PLACED and (found := element_place(entry, IDS, frame)):
            data["x"], data["y"] = found[1]
            points, name = [found[1]], element_space(found[0])
        elif kind in PLACED and {"x", "y"} <= data.keys():
            points = [(number(data["x"], "x"), number(data["y"], "y"))]
            data["x"], data["y"] = space.place(*points[0])
        elif kind in ALONG_A_PATH and isinstance(path := data.get("path"), list):
            # A place on the way may be an element, named by its id.
            points = [
                space.raw(*find_element(frame, item)) if isinstance(item, int) else point(item, "path") for item in path
            ]
            data["path"] = [list(space.place(*item)) for item in points]
        action = from_json({"type": kind, **data})
        return [dataclasses.replace(action, given=raw_form(source, points, name))]

    def data(self, action: Action, frame: Frame) -> dict[str, object]:
        """Return an action as an object; raises AgentError where there is no word for it."""
        space = open_space(self.space, frame)
        data = action.to_json()
        data.pop("given", None)
        match action:
            case act.Move(x=x, y=y) | act.Click(x=x, y=y) | act.Scroll(x=x, y=y) if x is not None and y is not None:
                data["x"], data["y"] = space.raw(x, y)
            case act.Tap(x=x, y=y) | act.LongPress(x=x, y=y) | act.Pinch(x=x, y=y):
                data["x"], data["y"] = space.raw(x, y)
            case act.Drag(path=path) | act.Swipe(path=path):
                data["path"] = [list(space.raw(*place)) for place in path]
        return data
