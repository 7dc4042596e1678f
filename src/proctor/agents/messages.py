"""An observation as words and a picture for a model, and a model's reply as a turn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image

from proctor.actions.dialects.dialect import Frame, Reading
from proctor.actions.dialects.space import Space
from proctor.agents.agent import Turn
from proctor.agents.settings import TreeForm
from proctor.models.model import ModelAnswer
from proctor.observations.observation import Observation, Want
from proctor.observations.outline import Outline
from proctor.observations.outline import outline as make_outline
from proctor.observations.outline_text import change_text, to_text
from proctor.observations.table import CUT, Place, to_table
from proctor.observations.tree import Tree
from proctor.observations.window import SeenWindow
from proctor.records import ModelCall, Told

TOLD_CHARS = 10_000
"""How much of one thing that was said to it an agent is shown."""
NOTES_CHARS = 4_000
"""How long notes may be that an agent keeps."""

_TOLD = {
    "reply": "The user answered",
    "output": "Output",
    "refused": "Not carried out",
    "feedback": "A check of your work found",
}
_NOTES = re.compile(r"<notes>(.*?)</notes>", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Telling:
    """How an agent is told what was seen."""

    want: Want
    marked: bool = False
    """Whether it gets numbered marks."""
    tree: TreeForm = "outline"
    """How elements are listed."""
    tree_chars: int = 40_000
    """Longest list of elements; the message says when it was cut."""
    feedback: bool = True
    """Whether remarks of the judge are passed on."""

    @property
    def lists(self) -> bool:
        """Whether it gets an outline."""
        return self.want.marks or (self.want.tree and self.tree == "outline")

    def outline(self, observation: Observation) -> Outline | None:
        """Return the outline of what was seen, for one who gets it."""
        if not self.lists or (observation.outline is None and observation.tree is None):
            return None
        return observation.outline or make_outline(observation.tree or Tree(), size=observation.desktop)

    def frame(self, observation: Observation) -> Frame:
        """Return what coordinates in a reply to an observation refer to, whether or not it could be seen."""
        image = picture_in(observation)
        outline = self.outline(observation)
        shown = self.want.screenshot or self.want.marks
        usual = self.want.image_size(observation.desktop) if shown else observation.desktop
        return Frame(
            desktop=observation.desktop,
            image=image.size if image is not None and shown else usual,
            shown=shown,
            marked=self.marked,
            listed=self.lists,
            marks=outline.points() if outline else {},
            names=outline.names() if outline else {},
            absent=outline.reasons() if outline else {},
        )

    def values(self, observation: Observation, space: Space, before: Outline | None = None) -> dict[str, str]:
        """Return what was said and seen, by placeholder, with places as the model writes them.

        `elements_then` is what stands for `elements` once the turn is past: what had changed since `before`.
        """
        budget = self.tree_chars
        place = None if space.size == observation.desktop else _scale_to(space)
        said = [told for told in observation.told if self.feedback or told.kind != "feedback"]
        elements = elements_then = ""
        if (outline := self.outline(observation)) is not None:
            elements = f"Elements on the screen now:\n{to_text(outline, max_chars=budget, place=place)}"
            elements_then = _changes(before, outline, place)
        elif observation.tree is not None:
            rows = to_table(observation.tree, max_chars=budget, place=place)
            elements = elements_then = _list_of("Elements on the screen, one per line", rows, budget)
        windows = [_window(window, place) for window in reversed(observation.windows or ())]
        listed = "Windows, frontmost first:\n" + ("\n".join(windows) or "(none)")
        degraded = "; ".join(observation.degraded)
        return {
            "told": "\n\n".join(map(said_text, said)),
            "elements": elements,
            "elements_then": elements_then,
            "windows": "" if observation.windows is None else listed,
            "terminal": f"Text of the terminal:\n{observation.terminal[-budget:]}" if observation.terminal else "",
            "incomplete": f"What you are shown may be incomplete: {degraded}" if degraded else "",
        }


def picture_in(observation: Observation) -> Image.Image | None:
    """Return the picture of an observation that a model is shown: the marked one where there is one."""
    return observation.marks.image if observation.marks else observation.screenshot


def turn(reply: ModelAnswer, reading: Reading, calls: Sequence[ModelCall]) -> Turn:
    """Return what a reply comes to; one without any action says why."""
    problem = reading.problem
    if not reading.actions:
        if reply.finish == "length":
            problem = f"your reply was cut off because it was too long. {problem}".strip()
        elif reply.finish == "refusal":
            problem = "you declined to continue"
        problem = problem or "your reply has no action"
    return Turn(
        actions=reading.actions,
        reply=reply.text,
        thought=reply.thought or reading.thought,
        problem=problem,
        finish="stop" if reading.actions else reply.finish if reply.finish != "stop" or reply.text.strip() else "empty",
        calls=tuple(calls),
    )


def said_text(told: Told) -> str:
    """Return something that was said to an agent, cut in its middle where it is endless."""
    text = told.text
    if len(text) > TOLD_CHARS:
        half = TOLD_CHARS // 2
        text = f"{text[:half]}\n{CUT} ({len(text) - TOLD_CHARS} characters left out)\n{text[-half:]}"
    return f"{_TOLD[told.kind]}: {text}"


def take_notes(text: str) -> tuple[str, str | None]:
    """Return a reply without its notes, and the notes; None where it has none."""
    found = [match[1].strip() for match in _NOTES.finditer(text)]
    if not found:
        return text, None
    notes = found[-1]
    kept = notes if len(notes) <= NOTES_CHARS else f"{notes[:NOTES_CHARS]} {CUT}"
    return _NOTES.sub("", text), kept


def _scale_to(space: Space) -> Place:
    digits = None if min(space.size) > 1 else 4

    def place(x: float, y: float) -> tuple[float, float]:
        across, down = (
            side * reach / whole for side, reach, whole in zip((x, y), space.size, space.desktop, strict=True)
        )
        return round(across, digits), round(down, digits)

    return place


def _changes(before: Outline | None, now: Outline, place: Place | None) -> str:
    if before is None:
        return "(Its elements are left out here.)"
    changed = change_text(before, now, place=place)
    return f"What had changed among its elements:\n{changed}" if changed else "None of its elements had changed."


def _list_of(title: str, rows: str, budget: int) -> str:
    cut = f"\n(The list was cut at {budget} characters.)" if rows.endswith(CUT) else ""
    return f"{title}:\n{rows}{cut}"


def _window(window: SeenWindow, place: Place | None) -> str:
    state = " (minimised)" if window.minimised else " (active)" if window.active else ""
    x, y, width, height = window.box
    corner, size = ((x, y), (width, height)) if place is None else (place(x, y), place(width, height))
    return f"{window.title!r} of {window.app}, {size[0]}x{size[1]} at ({corner[0]}, {corner[1]}){state}"
