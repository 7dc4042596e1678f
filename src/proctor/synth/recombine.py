"""Moves of existing keys, put together anew and made on an open text, to see what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import PurePosixPath
from random import Random

from proctor.computers.computer import Computer
from proctor.errors import ComputerError, HostError
from proctor.suites import load_suite
from proctor.synth.edit_task import EditScene
from proctor.synth.explore import open_plain
from proctor.tasks.call import Call
from proctor.tasks.move_context import MoveContext
from proctor.tasks.perform import MoveFailed, make_moves
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.rest import come_to_rest
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import hand, make, run, see
from proctor.tasks.task import Task
from proctor.taxonomy import APPLICATIONS

_WAYS = ("ctrl+Home", "ctrl+End", "Down", "End", "Home", "Return", "BackSpace", "shift+End", "Delete", "Up")
"""Keys that move and edit in every editor; those that keys use are drawn from."""
SEEDS = range(4)


@cache
def material(app: str) -> tuple[tuple[EditScene, ...], tuple[str, ...], tuple[str, ...]]:
    """Return what existing tasks on an application begin with, and what their keys type and press."""
    suites = [load_suite(name) for name in ("tour", "core")]
    tasks = [
        task
        for suite in suites
        for template in suite.templates
        if template.tags.apps == (app,)
        for task in (suite.task(template.name, seed) for seed in SEEDS)
    ]
    calls = [call for task in tasks for call in _moves_of(task)]
    typed = {line for call in calls if call.name == "type" for line in str(call.arguments["text"]).split("\n")}
    pressed = {str(call.arguments["keys"]) for call in calls if call.name == "press"}
    scenes = {scene.text: scene for task in tasks if (scene := _scene(task, app))}
    lines = tuple(sorted(line for line in typed if line.strip() == line and 2 <= len(line) <= 60))
    return tuple(scenes.values()), lines, tuple(key for key in _WAYS if key in pressed or key in _WAYS[:3])


def _moves_of(task: Task) -> Iterator[Call]:
    yield from task.solution
    for way in task.other_ways:
        yield from way.moves
    for miss in task.near_misses:
        yield from miss.moves


def _scene(task: Task, app: str) -> EditScene | None:
    made = [call for call in task.setup if call.name == "text_file"]
    programs = {PurePosixPath(path).name for path in APPLICATIONS[app].programs} | {app}
    opens = [call for call in task.setup if call.name == "launch" and call.arguments["argv"][0] in programs]
    if len(made) != 1 or len(opens) != 1 or len(task.setup) != 2:
        return None
    path, text = str(made[0].arguments["path"]), str(made[0].arguments["text"])
    name = PurePosixPath(path).name
    launch = make.launch([str(opens[0].arguments["argv"][0]), path], window=name)
    return EditScene(path, text, (made[0], launch)) if path in opens[0].arguments["argv"] else None


def draw_moves(draw: Random, typed: Sequence[str], presses: Sequence[str]) -> tuple[Call, ...]:
    """Return one or two edits: somewhere, something is typed or taken away."""
    moves: list[Call] = []
    for _ in range(draw.randint(1, 2)):
        moves.append(hand.press(draw.choice(("ctrl+Home", "ctrl+End"))))
        if downward := draw.randint(0, 3):
            moves.append(hand.press("Down", times=downward))
        line = draw.choice(typed)
        if "shift+End" in presses and draw.random() < 0.4:
            moves += [hand.press("Home"), hand.press("shift+End"), hand.type(line)]
        elif draw.random() < 0.5:
            moves += [hand.press("Home"), hand.type(f"{line}\n")]
        else:
            moves += [hand.press("End"), hand.type(f"\n{line}")]
    return tuple(moves)


def perform_on(app: str, backend: str, scene: EditScene, moves: Sequence[Call]) -> str | None:
    """Return what a file says after some moves; None where they could not be made."""
    with open_plain(app, backend) as computer:
        try:
            for step in scene.setup:
                run(step, SetupContext(computer))
            computer.settle()
            make_moves(moves, MoveContext(computer, lambda _question: ""))
            come_to_rest(computer)
            return _text(computer, scene.path)
        except HostError:
            raise
        except (ComputerError, MoveFailed):
            return None


def _text(computer: Computer, path: str) -> str:
    found = run(see.text(path), ProbeContext(computer))
    return str(found["text"] if isinstance(found, dict) else found)
