"""Programs inside that attack the harness's own connections: it sees and touches on, and keeps the evidence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from proctor.actions.action import Click, Type
from proctor.computers import open_computer
from proctor.computers.computer import Computer

PROGRAMS = Path(__file__).parents[1] / "hostile" / "programs"

pytestmark = pytest.mark.sandbox


@pytest.fixture(scope="module")
def computer() -> Iterator[Computer]:
    with open_computer("sandbox", look="light", size=(800, 600)) as opened:
        for program in PROGRAMS.glob("*_attacks.py"):
            opened.write_file(program.name, program.read_bytes())
        opened.launch(["mousepad"])
        yield opened


def attack(computer: Computer, kind: str, *words: str) -> list[str]:
    """Make an attack that ends, look and touch, and return what was noted."""
    computer.screenshot()
    before = len(computer.incidents)
    done = computer.run(["python3", f"{kind}_attacks.py", *words], timeout_sec=30)
    assert done.code == 0, done.stderr
    assert computer.screenshot().size == computer.size == (800, 600)
    assert computer.windows()
    computer.perform(Click(x=400, y=300))
    computer.perform(Type(text="é"))
    assert computer.tree().nodes
    return [incident.what for incident in computer.incidents[before:]]


def test_a_connection_that_is_killed_is_opened_again(computer: Computer) -> None:
    assert any("reopened" in what for what in attack(computer, "x11", "kill"))


def test_a_history_of_the_screen_outlives_its_connection() -> None:
    with open_computer("sandbox", look="light", size=(640, 480), clip_sec=5) as computer:
        computer.write_file("x11_attacks.py", (PROGRAMS / "x11_attacks.py").read_bytes())
        computer.run(["python3", "x11_attacks.py", "kill"], timeout_sec=30)
        computer.launch(["mousepad"])
        assert computer.clip(4).frames[-1].image.size == (640, 480)
        assert sum("reopened" in incident.what for incident in computer.incidents) == 2


def test_shared_memory_that_is_detached_is_made_again(computer: Computer) -> None:
    assert any("detached" in what for what in attack(computer, "x11", "detach"))


def test_what_follows_the_screen_is_made_again_when_it_is_taken_away(computer: Computer) -> None:
    assert any("follows the screen" in what for what in attack(computer, "x11", "blind"))


def test_a_screen_of_another_size_is_cut_to_the_planned_one(computer: Computer) -> None:
    assert "a program made the screen 16000x16000" in attack(computer, "x11", "resize", "16000", "16000")
    attack(computer, "x11", "resize", "800", "600")


def test_forged_events_change_nothing(computer: Computer) -> None:
    assert attack(computer, "x11", "configure") == []
    assert attack(computer, "x11", "forge", "2") == []


def test_a_server_that_is_grabbed_for_a_while_only_delays(computer: Computer) -> None:
    assert attack(computer, "x11", "grab", "1") == []


def test_odd_messages_on_the_buses_are_passed_over(computer: Computer) -> None:
    assert attack(computer, "bus", "long-path") == []
    assert attack(computer, "bus", "big-signals", "3") == []


def test_without_its_buses_a_desktop_is_still_seen_and_touched(computer: Computer) -> None:
    computer.run(["python3", "bus_attacks.py", "kill"], timeout_sec=30)
    tree = computer.tree()
    assert tree.nodes == ()
    assert "bus" in tree.degraded[0]
    assert computer.element_at(400, 300) is None
    assert computer.perform(Click(x=400, y=300)).element is None
    assert computer.perform(Type(text="x" * 300)).verified is None
    assert computer.screenshot().size == (800, 600)
    assert {"accessibility bus", "session bus"} <= {incident.channel for incident in computer.incidents}
