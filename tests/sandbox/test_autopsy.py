"""How a sandbox failed: what came from outside is told apart from what ran inside."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from proctor.actions.action import RunCode
from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.computers.blame import Blame, blame
from proctor.computers.wellness import Wellness
from proctor.errors import ComputerLost
from tests.sandbox.host import Watched, descendants, first_process

pytestmark = [pytest.mark.sandbox, pytest.mark.alone]


@pytest.fixture
def victim() -> Iterator[SandboxComputer]:
    with SandboxComputer(look="light", size=(800, 600)) as computer:
        yield computer


def blamed(computer: SandboxComputer) -> Blame:
    """Ask the computer for something, and return who is blamed for its failure."""
    with pytest.raises(ComputerLost) as lost:
        computer.read_file("/etc/passwd")
        computer.screenshot()
    return blame(lost.value, computer, Wellness())


def first(computer: SandboxComputer) -> int:
    return first_process(computer.desktop.machine.supervisor_pid)


def test_a_computer_that_is_well(victim: SandboxComputer) -> None:
    found = victim.autopsy()
    assert not {"outside", "ended", "defect"} & found.keys()
    assert found["process_1"]["state"] in ("S", "R")
    if victim.desktop.groups.memory == "cgroup":
        assert found["memory_bytes"] > 0


@pytest.mark.parametrize("whom", ["supervisor", "whoever stands between", "process 1"])
def test_what_an_operator_kills_is_the_hosts(victim: SandboxComputer, whom: str) -> None:
    outer = victim.desktop.machine.supervisor_pid
    pid = {"supervisor": outer, "process 1": first(victim)}.get(whom, descendants(outer)[0])
    with Watched([first(victim)]) as ends:
        os.kill(pid, signal.SIGKILL)
        assert ends.wait() == []
    found = blamed(victim)
    assert (found.whose, found.defect) == ("host", "")
    assert "SIGKILL" in found.why


def test_what_an_operator_stops_is_the_hosts(victim: SandboxComputer) -> None:
    victim.desktop.machine.timeout_sec = 1.0
    os.kill(first(victim), signal.SIGSTOP)
    found = blamed(victim)
    assert (found.whose, found.why) == ("host", "process 1 of the sandbox is stopped")


def test_a_display_that_ended_is_the_agents_and_has_its_last_words(victim: SandboxComputer) -> None:
    victim.run(["pkill", "-SEGV", "Xvnc"], root=True)
    found = blamed(victim)
    assert found.whose == "agent"
    assert "display" in found.why
    assert found.evidence["computer"]["programs"]["display"]["code"] != 0


def test_a_process_1_that_fails_by_itself_is_the_agents_and_a_defect_of_ours(victim: SandboxComputer) -> None:
    # A message that it cannot read stands for whatever may bring it down from inside.
    victim.desktop.machine._control.send(b"{")
    found = blamed(victim)
    assert found.whose == "agent"
    assert "process 1" in found.why
    assert "JSONDecodeError" in found.defect


def test_buses_that_the_agent_ends_are_in_the_evidence(victim: SandboxComputer) -> None:
    victim.perform(RunCode(code="import subprocess\nsubprocess.run(['pkill', '-9', 'dbus-daemon'])"))
    assert victim.autopsy()["programs"]["session_bus"]["code"] == -9
