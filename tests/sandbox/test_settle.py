"""After an action a desktop is waited for until nothing is coming any more, and no longer than that is worth."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from proctor.actions.action import Move, Press, Type
from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.computers.sandbox_machine.alarms import Alarm
from proctor.computers.sandbox_machine.pulse import PulseReader, feel
from proctor.computers.settle import Pause

pytestmark = [pytest.mark.sandbox, pytest.mark.alone, pytest.mark.turns]
WATCHER = """
import ctypes, select, threading
def watch():
    ctypes.CDLL(None).prctl(15, b"gmain")
    select.poll().poll(900)
threading.Thread(target=watch).start()
for _ in range(200000): pass
threading.Event().wait()
"""
SLEEPER = "import select, time\nfor _ in range(200000): pass\nselect.poll().poll(%d)\n"


@pytest.fixture(scope="module")
def computer() -> Iterator[SandboxComputer]:
    with SandboxComputer(size=(1280, 800)) as computer:
        yield computer


def titles(computer: SandboxComputer) -> list[str]:
    return [window.title for window in computer.windows()]


def names(computer: SandboxComputer) -> list[str]:
    return [node.name or node.text for node in computer.tree().nodes]


def test_a_dialog_of_another_program_is_there(computer: SandboxComputer) -> None:
    for _ in range(3):
        computer.perform(Press(keys="alt+F2"))
        assert titles(computer) == ["Application Finder"]
        computer.perform(Press(keys="Escape"))
        assert titles(computer) == []


def test_a_dialog_that_closes_a_while_after_enter_is_gone(computer: SandboxComputer) -> None:
    computer.launch(["mousepad"])
    computer.perform(Type(text="some words"))
    computer.perform(Press(keys="ctrl+shift+s"))
    assert "Save As" in titles(computer)
    computer.perform(Type(text="saved.txt"))
    computer.perform(Press(keys="Return"))
    assert "Save As" not in titles(computer)
    assert any("saved.txt" in title for title in titles(computer))
    computer.perform(Press(keys="ctrl+q"))
    assert titles(computer) == []


def test_a_program_that_was_started_by_typing_has_its_window(computer: SandboxComputer) -> None:
    computer.perform(Press(keys="alt+F2"))
    computer.perform(Type(text="galculator"))
    computer.perform(Press(keys="Return"))
    assert any("galculator" in title for title in titles(computer))
    computer.perform(Press(keys="ctrl+q"))


def test_drawing_without_an_end_holds_up_no_step(computer: SandboxComputer) -> None:
    computer.launch(["lxterminal"])
    computer.perform(Type(text="yes\n"))
    for place in (400, 410, 420):
        computer.perform(Move(x=5, y=place))
    computer.perform(Press(keys="ctrl+c"))
    computer.wait_for(lambda c: c.settle() and not c.desktop.settler.moving, what="a quiet desktop", timeout_sec=60)
    computer.perform(Press(keys="alt+F4"))
    assert titles(computer) == []


def test_a_busy_program_is_waited_for_less_and_less(computer: SandboxComputer) -> None:
    pid = computer.desktop.machine.spawn(["sh", "-c", "while :; do :; done"], env={})
    patience = []
    for _ in range(3):
        assert not computer.perform(Move(x=300, y=300)).settled
        patience.append(computer.desktop.settler._vain)
    assert patience == sorted(patience)
    assert patience[-1] == 3
    computer.desktop.machine.kill(pid, 9)
    assert computer.desktop.machine.wait(pid, 5)
    computer.wait_for(lambda c: c.settle(), what="a quiet desktop", timeout_sec=60)
    assert computer.desktop.settler._vain == 0


def test_work_starts_and_ends_are_told(computer: SandboxComputer) -> None:
    machine = computer.desktop.machine
    feel(machine, mark=True)
    pid = machine.spawn(["python3", "-c", "import signal; sum(range(10**7)); signal.pause()"], env={})
    first = feel(machine)
    assert first.started == 1
    worked = computer.wait_for(lambda _: _more(feel(machine)), what="work")
    assert worked.young_us > 0
    feel(machine, mark=True)
    machine.kill(pid, 9)
    assert machine.wait(pid, 5)
    assert feel(machine).ended == 1


def _more(pulse: PulseReader) -> PulseReader | None:
    return pulse if pulse.young_us else None


def test_alarms_of_programs_that_reacted_are_told(computer: SandboxComputer) -> None:
    machine = computer.desktop.machine
    for name in ("soon", "late"):
        computer.run(["ln", "-sf", "/usr/bin/python3", f"/tmp/{name}"])
    feel(machine, mark=True)
    soon = machine.spawn(["/tmp/soon", "-c", SLEEPER % 900], env={})
    late = machine.spawn(["/tmp/late", "-c", SLEEPER % 100_000], env={})

    def told(_: object) -> dict[str, Alarm] | None:
        alarms = {alarm.program: alarm for alarm in feel(machine, alarms=True).alarms}
        return alarms if "soon" in alarms else None

    alarms = computer.wait_for(told, what="an alarm")
    assert alarms["soon"].left_ms <= 1000
    assert alarms["soon"].after_ms >= alarms["soon"].left_ms
    assert "late" not in alarms
    for pid in (soon, late):
        machine.kill(pid, 9)
        machine.wait(pid, 5)


def test_a_watch_over_files_that_looks_away_is_an_alarm(computer: SandboxComputer) -> None:
    machine = computer.desktop.machine
    computer.run(["ln", "-sf", "/usr/bin/python3", "/tmp/watcher"])
    feel(machine, mark=True)
    pid = machine.spawn(["/tmp/watcher", "-c", WATCHER], env={})
    found = computer.wait_for(
        lambda _: [alarm for alarm in feel(machine, alarms=True).alarms if alarm.program == "watcher gmain"],
        what="an alarm",
    )
    assert found[0].left_ms <= 1000
    machine.kill(pid, 9)
    machine.wait(pid, 5)


def test_what_was_deleted_is_not_shown_any_more(computer: SandboxComputer) -> None:
    computer.run(["mkdir", "Abacus", "Abbey", "Abode"])
    computer.launch(["thunar"])
    computer.perform(Press(keys="ctrl+2"))
    computer.perform(Press(keys="Down"))
    for name in ("Abacus", "Abbey", "Abode"):
        computer.perform(Press(keys="Home"))
        assert name in names(computer)
        before = computer.screenshot()
        assert computer.perform(Press(keys="Delete")).settled
        shown = computer.screenshot()
        assert name not in names(computer)
        assert np.any(np.asarray(shown) != np.asarray(before))
    computer.perform(Press(keys="ctrl+q"))


def test_after_a_pause_only_what_is_drawn_is_waited_for(computer: SandboxComputer) -> None:
    computer.launch(["mousepad"])
    computer.settling = Pause(0)
    try:
        for text in ("one ", "two ", "three "):
            computer.perform(Type(text=text))
        assert "one two three " in [node.text for node in computer.tree().nodes]
        computer.settling = Pause(0.5)
        computer.perform(Press(keys="ctrl+a"))
        computer.perform(Press(keys="Delete"))
    finally:
        computer.settling = "quick"
    computer.perform(Press(keys="ctrl+q"))


def test_a_screen_that_rests_is_looked_at_once_more_and_no_longer(computer: SandboxComputer) -> None:
    settler = computer.desktop.settler
    computer.launch(["thunar"])
    felt: list[bool] = []
    feel_alarms = settler._is_expecting
    settler._is_expecting = lambda *given: felt.append(True) or feel_alarms(*given)  # type: ignore[method-assign, func-returns-value]
    assert computer.settle()
    assert not felt, "nobody did anything since it came to rest"
    computer.run(["mkdir", "New"])
    assert computer.settle()
    assert felt and "New" in names(computer)
    del settler._is_expecting
    computer.perform(Press(keys="ctrl+q"))


def test_a_number_of_seconds_and_careful_settle_as_well(computer: SandboxComputer) -> None:
    for settling in ("careful", 0.05, 0):
        computer.settling = settling
        computer.perform(Press(keys="alt+F2"))
        assert titles(computer) == ["Application Finder"]
        computer.perform(Press(keys="Escape"))
        assert titles(computer) == []
    computer.settling = "quick"
