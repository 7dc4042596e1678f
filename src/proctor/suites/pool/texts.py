"""Subtasks on plain text in Mousepad."""

from __future__ import annotations

from collections.abc import Mapping

from proctor.suites.pool.doing import base, closed, lines_of, named, named_in_dialog, opened, started
from proctor.tasks.checks import expect
from proctor.tasks.draw import Draw
from proctor.tasks.graph.equip import text_of
from proctor.tasks.graph.resource import Resource
from proctor.tasks.graph.subtask import Bound, Subtask, Work
from proctor.tasks.graph.theme import Theme
from proctor.tasks.moves import hand
from proctor.tasks.probes import see
from proctor.tasks.task import NearMiss


class WriteDownAnAppointment(Subtask):
    """A line about when and where is written into a new file."""

    app = "mousepad"
    gives = {"text": "text_file"}
    asks = (
        'write "{line}" into a new text file {text}',
        'make a text file {text} that says "{line}"',
        'note "{line}" down in a new text file {text}',
    )
    steps = ("Start Mousepad.", 'Type "{line}".', "Save it as {text} and close Mousepad.")
    demand = "Office/Documentation/Writing"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        line = f"{draw.choice(('Meeting', 'Delivery', 'Rehearsal', 'Call'))} at {draw.randint(8, 18)}:30, {theme.place}"
        text = Resource("text_file", named(draw, theme, "Documents", ("memo", "slip", "jotting"), ".txt"), [line])
        return Bound(gives={"text": text}, params={"line": line})

    def work(self, bound: Bound) -> Work:
        text, line = bound.gives["text"], bound.params["line"]
        typed = (*started("mousepad", "Untitled"), hand.type(line))
        return Work(
            moves=(*typed, hand.press("ctrl+shift+s"), *named_in_dialog("Save As", text), *closed(base(text))),
            check=expect.text_is(see.text(text.value), line),
            near_misses=(NearMiss(name="not saved", moves=typed),),
        )


class NumberTheLines(Subtask):
    """A copy of a text gets a number before every line."""

    app = "mousepad"
    takes = {"source": "text_file"}
    gives = {"text": "text_file"}
    asks = (
        "save a copy of {source} as {text} with its lines numbered 1., 2. and so on",
        "number the lines of {source} as 1., 2. and so on and save that as {text}",
    )
    steps = ("Open {source} in Mousepad.", "Put 1., 2. and so on before its lines.", "Save it as {text}.")
    demand = "Office/Documentation/Writing"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = [f"{number}. {line}" for number, line in enumerate(lines_of(takes["source"]), 1)]
        path = named(draw, theme, "Documents", ("numbered", "counted", "in-order"), ".txt")
        return Bound(takes=takes, gives={"text": Resource("text_file", path, lines)})

    def work(self, bound: Bound) -> Work:
        source, text = bound.takes["source"], bound.gives["text"]
        before = [hand.press("ctrl+Home")]
        for number in range(1, len(text.content) + 1):
            before += [hand.type(f"{number}. "), hand.press("Down"), hand.press("Home")]
        numbered = (*opened("mousepad", source), *before)
        return Work(
            moves=(*numbered, hand.press("ctrl+shift+s"), *named_in_dialog("Save As", text), *closed(base(text))),
            check=expect.text_is(see.text(text.value), text_of(text.content)),
            near_misses=(
                NearMiss(
                    name="copied as it is",
                    moves=(
                        *opened("mousepad", source),
                        hand.press("ctrl+shift+s"),
                        *named_in_dialog("Save As", text),
                        *closed(base(text)),
                    ),
                ),
            ),
        )
