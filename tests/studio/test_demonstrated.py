"""Tasks of `core` done by hand on real desktops; each recording becomes an answer key that proves on fresh ones.

One of them is done each day; `PROCTOR_TEST_WHOLE=1 pytest tests/studio/test_demonstrated.py` does them all.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

from proctor.actions.action import Answer, Done, Fail
from proctor.store.read import open_episode
from proctor.store.run import RunRecord
from proctor.store.verify import verify
from proctor.studio.record.desk import Desk
from proctor.studio.record.pages import close, desks_of
from proctor.studio.refine.key import draft_key
from proctor.studio.refine.material import Material
from proctor.studio.refine.prove_key import prove_key
from proctor.studio.studio import Studio
from proctor.suites import load_suite
from proctor.tasks.call import Call
from proctor.tasks.move_context import MoveContext
from proctor.tasks.perform import make_moves
from proctor.tasks.task import Task
from proctor.tasks.user import SimulatedUser
from tests.studio.displayed import GREETING
from tests.studio.person import Person
from tests.studio.test_recording import AtDesk
from tests.studio.visiting import Visitor

pytestmark = [pytest.mark.sandbox("full"), pytest.mark.slow]

DEMONSTRATIONS = (
    "swap-an-ingredient",  # a menu, a dialog with fields, an editor
    "rename-a-scan",  # a file, a key that opens a field in its place, a text
    "restore-from-the-trash",  # another place, a context of its own
    "unpack-by-the-book",  # a dialog with a path
    "work-out-the-tip",  # two applications
    "late-for-rehearsal",  # a service
    "switch-the-style",  # a list of settings
    "turn-the-scan-by-keys",  # keys only
    "tick-off-chores",  # the other button
    "file-a-note",  # a drag
    "new-page-step-by-step",  # steps that count only in the program that is meant
    "sign-the-letter by menus",  # saved by the menu and not by a key
    "sort-the-downloads way 3",  # pointer only: held keys, menus of files, folders
    "rename-the-holiday-photos way 3",  # a shortcut that opens a dialog, three times
    "clear-out-old-backups",  # a key that opens a question, and one that answers it
    "newer-minutes-win",  # a question that comes up by itself
    "extract-one-report",  # a shortcut that opens a dialog
    "new-look-by-the-book",  # tabs and boxes to tick
    "hand-over-the-project",  # a terminal, windows that come and go
    "set-aside-the-largest-video way 3",  # cut and pasted by menus
    "carry-a-result-over",  # buttons of a calculator, a menu, the clipboard
    "mark-the-late-invoices",  # cells of a spreadsheet
    "replace-a-weekday-step-by-step",  # a dialog of a word processor
    "order-a-kettle",  # a page with a form
    "archive-the-letter",  # mail
    "fix-the-till",  # F-keys and a dialog of an editor for code
    "clock-of-a-friend",  # a shortcut that is the first thing done, and a click that closes its window
    "hide-a-slide-step-by-step",  # slides
    "town-office-appointment",  # another browser
)
"""Tasks, each done as its key says unless another of its ways, or the menus, are named."""
SUITE = "core"
SAVE_BY_MENU = Call.from_json({"move": "menu", "path": ["File", "Save"], "app": "mousepad"})


def today() -> tuple[str, ...]:
    """Return the tasks that are done now."""
    if os.environ.get("PROCTOR_TEST_WHOLE"):
        return DEMONSTRATIONS
    return (DEMONSTRATIONS[int(time.time() / 86_400) % len(DEMONSTRATIONS)],)


def demonstrate(studio: Studio, name: str) -> Path:
    """Do a task by hand, in one of its ways; returns the run that was recorded."""
    name, _, way = name.partition(" ")
    at = AtDesk(Visitor(studio), task=name)
    at.state("working")
    (desk,) = desks_of(studio).list_all()
    with at.visitor.websocket_connect(at.path + "/screen") as socket:
        socket.receive_bytes()
        socket.send_bytes(GREETING)
        said = by_hand(desk, Person(desk, socket), way)
    at.tell("end", **said)
    verdict = at.state("over", "failed")
    assert verdict["verdict"], verdict["trouble"]
    assert verdict["verdict"]["score"] == 1, verdict["verdict"]
    (run,) = studio.demonstrations.iterdir()
    return run


def moves_of(task: Task, way: str) -> tuple[Call, ...]:
    """Return the moves of one of a task's ways, the solution unless one is named."""
    if way == "by menus":
        return (*task.solution[:-1], SAVE_BY_MENU)
    return task.other_ways[int(way.removeprefix("way ")) - 1].moves if way else task.solution


def by_hand(desk: Desk, person: Person, way: str = "") -> dict[str, Any]:
    """Make the moves of a task; returns the last word."""
    context: Any = MoveContext(person, SimulatedUser(desk.task.user).ask)  # type: ignore[arg-type]
    make_moves(moves_of(desk.task, way), context)
    match context.signal:
        case Answer(text=text):
            return {"word": "answer", "text": text}
        case Fail(reason=reason):
            return {"word": "fail", "text": reason}
        case None | Done():
            return {"word": "done"}
    raise AssertionError(context.signal)


@pytest.mark.parametrize("name", today())
@pytest.mark.turns(day=2)
def test_a_demonstration_becomes_a_key_that_proves(name: str, tmp_path: Path) -> None:
    studio = Studio(folder=tmp_path / "studio", suites=(load_suite(SUITE),))
    try:
        run = demonstrate(studio, name)
    finally:
        close(studio)
    assert verify(run) == []
    (result,) = RunRecord.open(run).results()
    material = Material(run / result.folder)
    steps = [step for step in open_episode(material.folder).steps() if step.action]
    assert all(step.saw is not None and step.saw.screenshot for step in steps)
    draft = draft_key(material.demonstration.lines)
    assert draft.problems == []
    task: Task = studio.suites[0].task(name.partition(" ")[0], 0)
    made = prove_key(draft, [task], assets=studio.suites[0].assets)
    assert made.problems == [], (made.problems, made.calls)
    assert made.holds, [proof.to_json() for proof in made.proofs]
