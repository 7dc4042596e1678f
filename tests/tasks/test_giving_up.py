"""Giving up takes having looked: what decides was shown, or a question was asked, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from proctor.actions.action import Fail, Press, RunCode, Type
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.exam.exam import Exam
from proctor.prove.trial import trials
from proctor.suites.core import SUITE
from proctor.suites.parts.giving_up import blindly
from proctor.tasks.call import walk
from proctor.tasks.probe_context import Ending, ProbeContext
from proctor.tasks.shelves import expect, see
from proctor.tasks.shown import ShownCollector
from proctor.vocabulary.desktop.checks.history import NEVER_LOOKED, was_shown
from proctor.vocabulary.desktop.probes.history import shown
from tests.prove.machines import shopping

NOBODY: dict[str, Any] = {"asked": []}
INFEASIBLE = [template.name for template in SUITE.templates if not template.tags.feasible]


def seen(
    *lines: str, wrote: str = "", windows: tuple[str, ...] = (), searches: tuple[tuple[str, list[str]], ...] = ()
) -> Any:
    """Return what the probe tells of an agent that was shown this, after it wrote something."""
    collector = ShownCollector()
    collector.wrote(wrote)
    collector.show(lines, terminal=True)
    for title in windows:
        collector.show_window(title)
    for code, read in searches:
        collector.search(code, read)
    return shown(ProbeContext(FakeComputer(), Ending(shown=collector.so_far())))


PLACES = [["may.txt", "june.txt"], ["cannot be found"]]


@pytest.mark.parametrize(
    "lines",
    [
        ("june.txt", "may.txt"),
        ("-rw-r--r-- 1 user user 12 may.txt", "noise\n./june.txt\n"),
        ("fatal: april.txt cannot be found",),
        ("MAY.TXT, June.txt",),
    ],
)
def test_a_look_counts_by_what_it_showed(lines: tuple[str, ...]) -> None:
    assert was_shown(seen(*lines), NOBODY, at=PLACES).passed


@pytest.mark.parametrize("lines", [(), ("may.txt",), ("ls: command not found",), ("Applications", "Desktop")])
def test_half_of_a_place_or_another_one_does_not(lines: tuple[str, ...]) -> None:
    found = was_shown(seen(*lines), NOBODY, at=PLACES)
    assert not found.passed and found.feedback == (NEVER_LOOKED,)


@pytest.mark.parametrize(
    ("wrote", "line"),
    [
        ("echo may.txt june.txt\n", "may.txt june.txt"),
        ("# cannot be found\n", "user@desktop:~$ # cannot be found"),
        ("cannot be found", "cannot be found"),
    ],
)
def test_what_an_agent_writes_itself_shows_nothing(wrote: str, line: str) -> None:
    assert not was_shown(seen(line, wrote=wrote), NOBODY, at=PLACES).passed


def test_what_was_shown_before_it_was_written_stays_shown() -> None:
    collector = ShownCollector()
    collector.show(["may.txt", "june.txt"])
    collector.wrote("cat may.txt june.txt\n")
    assert was_shown(shown(ProbeContext(FakeComputer(), Ending(shown=collector.so_far()))), NOBODY, at=PLACES).passed


def test_windows_that_lay_on_top() -> None:
    there = seen(windows=("one.jpg", "two.jpg"))
    assert was_shown(there, NOBODY, windows=[["one.jpg", "two.jpg"]]).passed
    assert not was_shown(there, NOBODY, windows=[["three.jpg"]]).passed
    assert not was_shown(seen("one.jpg", "two.jpg"), NOBODY, windows=[["one.jpg"]]).passed


@pytest.mark.parametrize(
    ("code", "read", "counts"),
    [
        ("find ~ -name 'april*'", ["Trash"], True),
        ("find /tmp -name 'april*'", [], False),
        ("ls Trash  # april", ["Trash"], False),
        ("ls Trash", ["Trash"], False),
        ("search-in-vain april", [], False),
    ],
)
def test_a_search_that_finds_nothing_has_to_name_the_thing_and_read_the_place(
    code: str, read: list[str], counts: bool
) -> None:
    assert was_shown(seen(searches=((code, read),)), NOBODY, searched=[["april"]]).passed is counts


def test_a_question_will_do() -> None:
    asked = {"asked": [{"question": "I see no report for May. Which reports did you mean?", "reply": "No idea."}]}
    assert was_shown(seen(), asked, at=[["zip"]], about=["report"]).passed
    assert not was_shown(seen(), asked, at=[["zip"]], about=["song"]).passed


def test_more_than_can_be_kept_is_not_kept() -> None:
    collector = ShownCollector()
    collector.show(f"line {number} {'x' * 5000}" for number in range(1000))
    collector.show(["what decides"])
    told = collector.so_far()
    assert sum(map(len, told.lines)) <= 2_000_000 and "what decides" not in told.lines


def test_an_exam_notes_what_is_shown_and_printed() -> None:
    task = shopping(check=expect.was_shown(see.shown(), see.questions(), at=[["of the day"]]))
    with Exam(task, FakeComputer()) as exam:
        exam.begin()
        assert "File" in exam.state.shown.so_far().lines
        exam.step(Press(keys="ctrl+End"))
        exam.step(Type(text="soup of the day"))
        exam.step(RunCode(code="echo 'cake of the day'", language="shell"))
        assert not any("of the day" in line for line in exam.state.shown.so_far().lines)
        exam.end(Fail())
        assert exam.verdict is not None and exam.verdict.evidence[see.shown().key]


@pytest.mark.parametrize("name", INFEASIBLE)
def test_blind_giving_up_is_worth_nothing_anywhere(name: str) -> None:
    task = SUITE.task(name)
    assert any(call.name == "was_shown" for _, call in walk(task.check))
    assert {trial.wanted for trial in trials(task) if trial.kind == "fail"} == {0.0}
    assert blindly("x").name in {way.name for way in task.cheats}


@pytest.mark.parametrize("name", INFEASIBLE)
def test_what_decides_cannot_be_known_from_the_task(name: str) -> None:
    task = SUITE.task(name)
    (check,) = (call for _, call in walk(task.check) if call.name == "was_shown")
    said = " ".join((task.instruction, *task.paraphrases)).casefold()
    for place in (*check.arguments["at"], *check.arguments["windows"]):
        assert not all(text.casefold() in said for text in place), place
