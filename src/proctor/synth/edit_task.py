"""The task to change an open text as some moves did, named by the lines that differ."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from proctor.synth.name_changes import NamedChange, name_changes
from proctor.synth.parts import ProposedTask, TaskParts, WrittenKey, WrittenMiss, WrittenMisses, WrittenVerdict
from proctor.tasks.call import Call
from proctor.tasks.inside.merge import Merge, merge
from proctor.tasks.provenance import NamedResource
from proctor.tasks.shelves import expect, hand, see

MOST_CHANGES = 3
"""More are no small task."""
SAVE = hand.press("ctrl+s")
ALL = hand.press("ctrl+a")


@dataclass(frozen=True)
class EditScene:
    """An open text file, as existing tasks begin with one."""

    path: str
    text: str
    setup: tuple[Call, ...]


def text_task(app: str, scene: EditScene, moves: tuple[Call, ...], after: str, backend: str) -> TaskParts | None:
    """Return the task that some moves do to an open text; None where nobody would ask for it."""
    merged = merge(scene.text, after)
    changes = name_changes(merged.differences)
    if not changes or len(changes) > MOST_CHANGES:
        return None
    name = PurePosixPath(scene.path).name
    asked = ", and ".join(change.asked for change in changes)
    text_file = NamedResource(kind="text_file", value=scene.path)
    proposal = ProposedTask(
        name=slug(f"{app} {name} {changes[0].about}"),
        instruction=f"In the file {name}, which is open, {asked}. Leave the rest as it is, and save the file.",
        paraphrases=(f"Please edit the open {name} and save it: {asked}. Nothing else may change.",),
        demand="Office/Documentation/Writing",
        takes=(text_file,),
        gives=(text_file,),
        setup=scene.setup,
    )
    anew = (ALL, hand.type(after.rstrip("\n") if scene.text.endswith("\n") != after.endswith("\n") else after), SAVE)
    code = hand.run_code(f"printf %s {shlex.quote(after)} > {shlex.quote(scene.path)}")
    return TaskParts(
        app=app,
        proposal=proposal,
        moves=WrittenKey(moves=moves),
        route=WrittenKey(moves=(code,) if backend == "sandbox" else anew),
        verdict=WrittenVerdict(check=expect.text_is(see.text(scene.path), after), expected=(scene.path,)),
        misses=WrittenMisses(near_misses=tuple(_text_misses(moves, merged, changes))),
    )


def _text_misses(moves: tuple[Call, ...], merged: Merge, changes: Sequence[NamedChange]) -> Iterator[WrittenMiss]:
    yield WrittenMiss(name="not saved", moves=moves[:-1])
    more = (*moves[:-1], hand.press("ctrl+Home"), hand.type("Draft\n"), SAVE)
    yield WrittenMiss(name="a line too many", moves=more)
    for change in changes if len(changes) > 1 else ():
        text = merged.without({change.number})
        yield WrittenMiss(name=f"without this: {change.asked}"[:120], moves=(ALL, hand.type(text), SAVE))


def slug(words: str) -> str:
    """Return words as a name of a task."""
    kept = "".join(letter.lower() if letter.isascii() and letter.isalnum() else "-" for letter in words)
    return "-".join(part for part in kept.split("-") if part)[:60].strip("-")
