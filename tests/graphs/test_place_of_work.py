"""In which application a subtask was done: told by what was operated, and counted apart."""

from __future__ import annotations

import json

import pytest

from proctor.actions.action import Action, Click, Press, RunCode, Type, Wait
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.values import Performed
from proctor.observations.tree import Node
from proctor.tasks.judge import judge, regrade
from proctor.tasks.perform import perform
from proctor.tasks.place_of_work import CODE, applications_of, place_of_work
from proctor.tasks.prepare import conclude
from proctor.tasks.probe_context import Ending
from proctor.tasks.task import Task
from proctor.tasks.task_graph import TaskGraph
from proctor.tasks.verdict import Verdict
from proctor.tasks.watch import Watch
from tests.graphs.composed import SIZE, composed
from tests.tasks.prepare import prepare

SOFFICE = "/usr/lib/libreoffice/program/soffice.bin"


def acted(program: str | None = None, action: Action | None = None, *, app: str = "", window: str = "") -> Performed:
    element = Node(index=0, parent=None, depth=0, role="push button", app=app, window=window) if app or window else None
    return Performed(action=action or Click(x=1, y=1), element=element, program=program)


@pytest.mark.parametrize(
    ("performed", "expected"),
    [
        (acted("/usr/bin/mousepad"), {"mousepad"}),
        (acted("/usr/bin/gimp-2.10"), {"gimp"}),
        (acted("/usr/lib/firefox-esr/firefox-esr"), {"firefox"}),
        (acted("/usr/lib/thunderbird/thunderbird-bin"), {"thunderbird"}),
        (acted("/usr/bin/lxterminal"), {"lxterminal"}),
        (acted("/usr/bin/gnome-clocks"), {"gnome-clocks"}),
        (acted(SOFFICE, app="soffice", window="plan.odt — LibreOffice Writer"), {"libreoffice-writer"}),
        (acted(SOFFICE), {"libreoffice-calc", "libreoffice-impress", "libreoffice-writer"}),
        (acted(None, app="Inkscape"), {"inkscape"}),
        (acted("", app="xfdesktop"), set()),
        (acted("/home/user/evil"), set()),
        (acted("/usr/bin/mousepad", RunCode(code="1")), {CODE}),
        (acted(None, Wait(seconds=1)), set()),
    ],
)
def test_actions_go_to_applications(performed: Performed, expected: set[str]) -> None:
    assert applications_of(performed) == expected


PAD, TERMINAL, FILES = acted("/usr/bin/mousepad"), acted("/usr/bin/lxterminal"), acted("/usr/bin/thunar")
SCRIPT, NOTHING = acted(None, RunCode(code="1")), acted("")
OFFICE = acted(SOFFICE)


@pytest.mark.parametrize(
    ("app", "since", "last", "expected"),
    [
        ("mousepad", [PAD, PAD], [PAD], "mousepad"),
        ("mousepad", [TERMINAL, TERMINAL], [TERMINAL], "lxterminal"),
        ("mousepad", [SCRIPT], [SCRIPT], CODE),
        # Whoever opens the application and does the work elsewhere has done it elsewhere.
        ("mousepad", [PAD, SCRIPT], [SCRIPT], CODE),
        ("mousepad", [PAD, TERMINAL], [TERMINAL], "lxterminal"),
        # What takes a while may come about while something else is looked at.
        ("vlc", [acted("/usr/bin/vlc"), FILES], [FILES], "vlc"),
        ("mousepad", [PAD, NOTHING], [NOTHING], "mousepad"),
        ("mousepad", [FILES, FILES, TERMINAL], [NOTHING], "thunar"),
        ("mousepad", [NOTHING], [NOTHING], ""),
        ("mousepad", [], [], ""),
        ("lxterminal", [TERMINAL], [TERMINAL], "lxterminal"),
        ("libreoffice-writer", [OFFICE], [OFFICE], "libreoffice-writer"),
        ("gedit", [OFFICE], [OFFICE], "libreoffice-calc"),
    ],
)
def test_work_is_where_it_was_finished(app: str, since: list[Performed], last: list[Performed], expected: str) -> None:
    assert place_of_work(app, since, last) == expected


def chain() -> Task:
    return composed(["write-text", "copy-text", "copy-text"], [(0, "text", 1, "source"), (1, "text", 2, "source")])


def played(task: Task, by_code: str) -> tuple[Watch, Verdict]:
    """Carry out the solution, but do one subtask by code."""
    assert task.graph
    watch, rest = Watch(task.graph), list(task.solution)
    with FakeComputer(size=SIZE) as computer:
        prepare(task, computer)
        for node in task.graph.nodes:
            moves, rest = rest[: node.moves], rest[node.moves :]
            if node.id == by_code:
                write_by_code(node.id, task.graph, computer)
                watch.look(computer)
                continue
            perform(task, moves, computer, lambda _made: note(watch, computer))
        conclude(task, computer)
        return watch, judge(task, computer, Ending(), watch)


def write_by_code(id: str, graph: TaskGraph, computer: FakeComputer) -> None:
    arguments = graph.node(id).check.arguments
    path, text = arguments["of"].arguments["path"], arguments["text"]
    computer.write_file(path, text.encode())
    computer.history.append(acted(None, RunCode(code="open(path, 'w').write(text)")))


def note(watch: Watch, computer: FakeComputer) -> None:
    watch.look(computer)


def test_what_is_done_elsewhere_counts_and_is_told_apart() -> None:
    task = chain()
    watch, verdict = played(task, by_code="b")
    assert verdict.score == 1.0 and verdict.feedback == ()
    assert watch.apps == {"a": "mousepad", "b": CODE, "c": "mousepad"}
    assert verdict.metrics["done_differently"] == pytest.approx(1 / 3)
    assert verdict.notes == ("b copy-text: done differently, by code and not in mousepad.",)
    # As it was done, no two neighbours share an application, and no order of it has any.
    assert "consistency" not in verdict.metrics
    assert verdict.metrics["consistency_by_dependencies"] == 1.0


def test_what_is_done_as_meant_has_no_notes() -> None:
    _, verdict = played(chain(), by_code="")
    assert verdict.notes == () and verdict.metrics["done_differently"] == 0.0
    assert verdict.metrics["consistency"] == verdict.metrics["consistency_by_dependencies"] == 1.0
    assert "notes" not in verdict.to_json()


def test_judging_again_knows_where_it_was_done() -> None:
    task = chain()
    _, verdict = played(task, by_code="c")
    again = regrade(task, json.loads(json.dumps(verdict.evidence)))
    assert (again.metrics, again.notes) == (verdict.metrics, verdict.notes)
    older = json.loads(json.dumps(verdict.evidence))
    del older["graph"]["apps"]
    assert regrade(task, older).metrics["done_differently"] == 0.0


def test_keys_and_text_go_where_the_keys_go() -> None:
    for action in (Press(keys="ctrl+s"), Type(text="a")):
        assert applications_of(acted("/usr/bin/mousepad", action)) == {"mousepad"}
