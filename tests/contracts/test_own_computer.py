"""A computer of a few lines, made outside this package, keeps the contract and can be opened by name."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from proctor.actions.action import Action, Click, Drag, Press, Tap
from proctor.computers import open_computer
from proctor.computers.computer import Computer
from proctor.errors import ComputerError, SpecError
from proctor.exam.brief import allowed_actions
from proctor.exam.station import Station
from proctor.observations.observation import Want
from proctor.records import Brief
from proctor.testing import ComputerContract

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "computers"
NAME = "own_computer:CanvasComputer"


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))


class TestOwnComputer(ComputerContract):
    def new_computer(self) -> Computer:
        return open_computer(NAME)


def test_it_takes_options_by_name() -> None:
    with open_computer(NAME, size=(320, 200)) as computer:
        assert computer.screenshot().size == computer.size == (320, 200)
    with pytest.raises(SpecError, match="takes no option 'sise'"):
        open_computer(NAME, sise=(1, 1))


def test_it_can_do_what_it_has_parts_for() -> None:
    with open_computer(NAME) as computer:
        assert computer.capabilities == {"screen", "pointer"}
        computer.perform(Drag(path=((10, 10), (200, 10))))
        assert computer.screenshot().getpixel((100, 10)) == (0, 0, 255)
        assert computer.pointer_position() == (200, 10)
        tried: tuple[tuple[Action, str], ...] = ((Press(keys="a"), "keyboard"), (Tap(x=1, y=1), "touch screen"))
        for action, lacking in tried:
            with pytest.raises(SpecError, match=f"this computer has no {lacking}"):
                computer.perform(action)
        with pytest.raises(SpecError, match="no keyboard"):
            computer.perform(Click(x=1, y=1, modifiers=("ctrl",)))
        with pytest.raises(SpecError, match="this computer has no accessibility tree"):
            computer.locate(name="Save")
        with pytest.raises(SpecError, match="no live view"):
            computer.watch()


def test_once_closed_everything_says_so() -> None:
    computer = open_computer(NAME)
    computer.close()
    for ask in (computer.screenshot, computer.settle, computer.pointer_position, computer.clock):
        with pytest.raises(ComputerError, match="closed"):
            ask()
    assert computer.size == (640, 480)


def test_it_can_be_the_computer_of_an_exam() -> None:
    with open_computer(NAME) as computer:
        kinds = allowed_actions(computer)
        assert "click" in kinds and "press" not in kinds
        station = Station(computer, Brief(instruction="Draw.", size=computer.size, actions=kinds, max_steps=3), Want())
        assert station.look().screenshot is not None
        performed, trouble = station.perform(Click(x=5, y=5))
        assert performed is not None and not trouble


def test_the_package_itself_does_not_need_pytest() -> None:
    code = "import sys; import proctor.computers.computer, proctor.exam.brief; sys.exit('pytest' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


class Nameless(Computer):
    def __init__(self) -> None:
        super().__init__(open_computer("fake").parts)


class Partless(Computer):
    backend = "partless"

    def __init__(self) -> None:
        pass


def test_what_a_class_forgot_is_said() -> None:
    with pytest.raises(SpecError, match="Nameless has no name.*\n.*backend ="):
        open_computer(f"{__name__}:Nameless")
    with pytest.raises(SpecError, match="has no parts.*\n.*super"):
        open_computer(f"{__name__}:Partless")
