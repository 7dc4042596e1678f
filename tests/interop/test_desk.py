"""A desk: a task prepared and judged here while others work on the computer, and void where nothing can be said."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import ComputerLost, EpisodeVoid, SpecError
from proctor.interop import guest_commands
from proctor.interop.desk import Desk
from proctor.tasks.probe_context import Ending
from tests.interop.rooms import SOLUTION, suite


@pytest.fixture
def desk() -> Iterator[Desk]:
    task = suite().task(suite().templates[0].name)
    made = Desk(task, computer=FakeComputer)
    made.submit(made.open).result()
    yield made
    made.leave().result()


def test_work_that_is_done_passes(desk: Desk) -> None:
    desk.submit(desk.prepare).result()
    for action in SOLUTION:
        desk.submit(lambda action=action: desk.perform(action)).result()  # type: ignore[misc]
    found = desk.submit(lambda: desk.judge(Ending())).result()
    assert (found.score, found.passed, found.broke_the_computer) == (1.0, True, False)
    assert found.to_json()["clean"] is True


def test_work_that_is_not_done_scores_nothing_and_says_why(desk: Desk) -> None:
    desk.submit(desk.prepare).result()
    desk.submit(desk.prepare).result()
    found = desk.submit(lambda: desk.judge(Ending())).result()
    assert found.score < 1 and found.feedback


def test_what_the_runner_writes_is_no_side_effect(desk: Desk) -> None:
    desk.submit(desk.prepare).result()
    desk.submit(lambda: desk.computer.write_file("/home/user/logs/a.txt", b"x")).result()
    assert desk.submit(lambda: desk.judge(Ending())).result().side_effects == 2
    desk.others.add("/home/user/logs")
    assert desk.submit(lambda: desk.judge(Ending())).result().side_effects == 0
    desk.others = {"/home/user/log"}
    assert desk.submit(lambda: desk.judge(Ending())).result().side_effects == 2


def test_everything_happens_in_one_thread(desk: Desk) -> None:
    names = {desk.submit(threading.get_ident).result() for _ in range(5)}
    assert len(names) == 1 and threading.get_ident() not in names


def test_what_was_never_prepared_is_void(desk: Desk) -> None:
    with pytest.raises(EpisodeVoid, match="never prepared"):
        desk.submit(lambda: desk.judge(Ending())).result()


def test_a_computer_that_fails_untouched_is_void(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.submit(desk.prepare).result()

    def lost(*_: object, **__: object) -> None:
        raise ComputerLost("the host took it away")

    monkeypatch.setattr("proctor.interop.desk.judge", lost)
    with pytest.raises(EpisodeVoid, match="the host took it away"):
        desk.submit(lambda: desk.judge(Ending())).result()


def test_a_defect_of_ours_is_void_whatever_was_done(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.submit(desk.prepare).result()
    desk.acted = True
    monkeypatch.setattr("proctor.interop.desk.judge", lambda *_: 1 / 0)
    with pytest.raises(EpisodeVoid, match="ZeroDivisionError"):
        desk.submit(lambda: desk.judge(Ending())).result()


def test_without_a_task_there_is_nothing_to_judge() -> None:
    desk = Desk(computer="fake")
    with pytest.raises(SpecError, match="not open"):
        _ = desk.computer
    desk.submit(desk.open).result()
    with pytest.raises(SpecError, match="no task"):
        desk.submit(desk.prepare).result()
    desk.leave().result()
    desk.close()


def test_files_are_read_with_the_rights_of_the_agent() -> None:
    with FakeComputer() as computer:
        computer.write_file("a.txt", b"hello")
        assert guest_commands.read(computer, "a.txt", most=100) == b"hello"
        with pytest.raises(OSError):
            guest_commands.read(computer, "a.txt", most=2)
        with pytest.raises(FileNotFoundError):
            guest_commands.read(computer, "b.txt", most=100)
