"""Tasks without a model: first something is done, then it is named by what it has changed.

What is done are moves of keys that exist, put together anew, and items of menus that set something.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import PurePosixPath
from random import Random

from proctor.computers.computer import Computer
from proctor.errors import ComputerError, HostError
from proctor.suites import load_suite
from proctor.synth.answer import AnswerRefused
from proctor.synth.ask import ProposalCost
from proctor.synth.explore import AppOutline, SettingChange, open_plain
from proctor.synth.name_changes import Change, name_changes
from proctor.synth.parts import ProposedTask, TaskParts, WrittenKey, WrittenMiss, WrittenMisses, WrittenVerdict
from proctor.synth.repair import SynthFault
from proctor.synth.source import RefuseSame
from proctor.tasks.call import Call
from proctor.tasks.inside.merge import Merge, merge
from proctor.tasks.move_context import MoveContext
from proctor.tasks.perform import MoveFailed, make_moves
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.provenance import NamedResource
from proctor.tasks.rest import come_to_rest
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import expect, hand, make, run, see
from proctor.tasks.task import Task
from proctor.taxonomy import APPLICATIONS

TRIES = 6
"""Combinations that are tried for one proposal."""
MOST_CHANGES = 3
"""More are no small task."""
SAVE = hand.press("ctrl+s")
ALL = hand.press("ctrl+a")
_WAYS = ("ctrl+Home", "ctrl+End", "Down", "End", "Home", "Return", "BackSpace", "shift+End", "Delete", "Up")
"""Keys that move and edit in every editor; those that keys use are drawn from."""
SEEDS = range(4)


@dataclass(frozen=True)
class EditScene:
    """An open text file, as existing tasks begin with one."""

    path: str
    text: str
    setup: tuple[Call, ...]


@dataclass
class SearchSource:
    """Finds one task by doing something; the same number finds the same."""

    outline: AppOutline
    number: int
    backend: str
    cost: ProposalCost = field(default_factory=ProposalCost)
    proposal: ProposedTask | None = None

    def begin(self, refuse_same: RefuseSame) -> TaskParts:
        """Return a task that was found; raises AnswerRefused where none was."""
        found = self._found()
        self.proposal = found.proposal
        refuse_same(found.proposal, found.verdict)
        return found

    def mend(self, parts: TaskParts, faults: Sequence[SynthFault], refuse_same: RefuseSame) -> None:
        """Return nothing: what was found is not written again."""

    def _found(self) -> TaskParts:
        app = self.outline.app
        single = single_changes(self.outline.changes)
        if self.number <= len(single):
            return setting_task(app, single[self.number - 1], single)
        scenes, typed, presses = material(app)
        if not scenes or not typed:
            raise AnswerRefused(f"no key of {app} types into a text file, so there is nothing to put together anew")
        draw = Random(f"{app}/{self.number}")
        for _ in range(TRIES):
            scene = draw.choice(scenes)
            moves = (*draw_moves(draw, typed, presses), SAVE)
            after = _perform(app, self.backend, scene, moves)
            if after is not None and (parts := text_task(app, scene, moves, after, self.backend)) is not None:
                return parts
        raise AnswerRefused(f"none of {TRIES} combinations of moves made a change that can be named")


# -- moves put together anew --------------------------------------------------------------------------------------


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


def _perform(app: str, backend: str, scene: EditScene, moves: Sequence[Call]) -> str | None:
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
        name=_slug(f"{app} {name} {changes[0].about}"),
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


def _text_misses(moves: tuple[Call, ...], merged: Merge, changes: Sequence[Change]) -> Iterator[WrittenMiss]:
    yield WrittenMiss(name="not saved", moves=moves[:-1])
    more = (*moves[:-1], hand.press("ctrl+Home"), hand.type("Draft\n"), SAVE)
    yield WrittenMiss(name="a line too many", moves=more)
    for change in changes if len(changes) > 1 else ():
        text = merged.without({change.number})
        yield WrittenMiss(name=f"without this: {change.asked}"[:120], moves=(ALL, hand.type(text), SAVE))


# -- items of menus that set something ----------------------------------------------------------------------------


def single_changes(changes: Sequence[SettingChange]) -> list[SettingChange]:
    """Return the items that set one thing, in a store where a check can see it, each way once."""
    ways = [change.menu for change in changes]
    return [
        change
        for change in changes
        if ways.count(change.menu) == 1 and change.setting.startswith("/") and isinstance(change.after, bool | str)
    ]


def setting_task(app: str, change: SettingChange, others: Sequence[SettingChange]) -> TaskParts:
    """Return the task to set what an item of a menu sets."""
    *menus, item = change.menu
    program = PurePosixPath((*APPLICATIONS[app].programs, app)[0]).name
    where = " > ".join(menus)
    value = change.after if isinstance(change.after, bool) else str(change.after)
    asked = f'choose "{item}"' if isinstance(value, str) else f'switch "{item}" {"on" if value else "off"}'
    key = hand.menu(list(change.menu))
    misses = [WrittenMiss(name="switched there and back", moves=(key, key))] if isinstance(value, bool) else []
    misses += [
        WrittenMiss(name=f"{other.menu[-1]} instead", moves=(hand.menu(list(other.menu)),))
        for other in others
        if other.setting != change.setting
    ][:2]
    if len(misses) < 2:
        looked = (hand.click(menus[0], role="menu"), hand.press("Escape"))
        misses.append(WrittenMiss(name="only looked at", moves=looked))
    return TaskParts(
        app=app,
        proposal=ProposedTask(
            name=_slug(f"{app} {item}"),
            instruction=f"Set up {app}, which is open: {asked} (menu {where}), so that it stays that way.",
            paraphrases=(f"In the open {app}, {asked} for good; it is in the menu {where}.",),
            demand="System/Files and Applications/App Configuration",
            gives=(NamedResource(kind="setting", value=change.setting),),
            setup=(make.launch([program]),),
        ),
        moves=WrittenKey(moves=(key,)),
        route=WrittenKey(moves=(hand.run_code(f"dconf write {change.setting} {_gvariant(value)}"),)),
        verdict=WrittenVerdict(check=expect.setting_is(see.dconf(change.setting), value)),
        misses=WrittenMisses(near_misses=tuple(misses)),
    )


def _gvariant(value: bool | str) -> str:
    return str(value).lower() if isinstance(value, bool) else shlex.quote(f"'{value}'")


def _slug(words: str) -> str:
    kept = "".join(letter.lower() if letter.isascii() and letter.isalnum() else "-" for letter in words)
    return "-".join(part for part in kept.split("-") if part)[:60].strip("-")
