"""An observation as a message to a model, and a model's reply as a turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from proctor.actions.dialects.dialect import Frame, Reading
from proctor.agents.agent import Turn
from proctor.models.model import Message, Picture, Reply
from proctor.observations.encode import png
from proctor.observations.observation import Observation, Told
from proctor.observations.table import CUT, to_table
from proctor.observations.window import SeenWindow
from proctor.records import ModelCall

TOLD_CHARS = 10_000
"""How much of one thing that was said to it an agent is shown."""

_TOLD = {
    "reply": "Your user answers",
    "output": "Output",
    "refused": "Not carried out",
    "feedback": "Still missing, as a check of your work finds",
}


def user_message(
    observation: Observation,
    *,
    tree_chars: int = 40_000,
    feedback: bool = True,
    otherwise: str = "This is the screen now.",
) -> Message:
    """Return what was seen and said as one message: words first, then the picture.

    Args:
        observation: What to tell; only what was gathered is told.
        tree_chars: Budget of the list of elements; the message says when it was cut.
        feedback: Whether remarks of the judge are passed on.
        otherwise: What to say when there are no words.
    """
    said = [told for told in observation.told if feedback or told.kind != "feedback"]
    texts = [*map(_said, said), *_seen(observation, tree_chars)]
    image = observation.marks.image if observation.marks else observation.screenshot
    pictures = [Picture(png(image))] if image is not None else []
    return Message("user", ("\n\n".join(texts) or otherwise, *pictures))


def frame_of(observation: Observation) -> Frame:
    """Return what coordinates in a reply to an observation refer to."""
    image = observation.marks.image if observation.marks else observation.screenshot
    marks = observation.marks.marks if observation.marks else ()
    return Frame(
        desktop=observation.desktop,
        image=image.size if image is not None else observation.desktop,
        marks={mark.index: mark.box.center for mark in marks},
    )


def turn(reply: Reply, reading: Reading, calls: Sequence[ModelCall]) -> Turn:
    """Return what a reply comes to; one without any action says why."""
    problem = reading.problem
    if not reading.actions:
        if reply.finish == "length":
            problem = f"your reply was cut off because it was too long. {problem}".strip()
        elif reply.finish == "refusal":
            problem = "you declined to go on; say so with an action if that is your last word"
        problem = problem or "your reply holds no action"
    return Turn(
        actions=reading.actions,
        reply=reply.text,
        thought=reply.thought or reading.thought,
        problem=problem,
        calls=tuple(calls),
    )


def _said(told: Told) -> str:
    text = told.text
    if len(text) > TOLD_CHARS:
        half = TOLD_CHARS // 2
        text = f"{text[:half]}\n{CUT} ({len(text) - TOLD_CHARS} characters left out)\n{text[-half:]}"
    return f"{_TOLD[told.kind]}: {text}"


def _seen(observation: Observation, tree_chars: int) -> Iterator[str]:
    if observation.tree is not None:
        yield _listed(
            "Elements on the screen, one a line", to_table(observation.tree, max_chars=tree_chars), tree_chars
        )
    if observation.marks is not None:
        rows = observation.marks.table
        cut = rows[: rows.rfind("\n", 0, tree_chars)] + f"\n{CUT}" if len(rows) > tree_chars else rows
        yield _listed("Elements by the number drawn on them", cut, tree_chars)
    if observation.windows is not None:
        lines = [_window(window) for window in reversed(observation.windows)]
        yield "Windows, frontmost first:\n" + ("\n".join(lines) or "(none)")
    if observation.terminal is not None:
        yield f"Text of the terminal:\n{observation.terminal[-tree_chars:]}"
    if observation.degraded:
        yield "What you are shown may be incomplete: " + "; ".join(observation.degraded)


def _listed(title: str, rows: str, budget: int) -> str:
    cut = f"\n(The list was longer than {budget} characters and ends early.)" if rows.endswith(CUT) else ""
    return f"{title}:\n{rows}{cut}"


def _window(window: SeenWindow) -> str:
    state = " (minimised)" if window.minimised else " (active)" if window.active else ""
    x, y, width, height = window.box
    return f"{window.title!r} of {window.app}, {width}x{height} at ({x}, {y}){state}"
