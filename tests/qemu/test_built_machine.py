"""A machine that `proctor images build NAME --vm` made starts to its desktop; PROCTOR_TEST_VM names it.

Where the processor does not help, a start takes minutes, so this is run by hand when machines are built differently.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from proctor.actions.action import Click
from proctor.computers.backends.qemu.computer import QemuComputer
from proctor.computers.computer import Computer
from proctor.observations.tree import Node
from tests.qemu.machines import machine_of

NAME = os.environ.get("PROCTOR_TEST_VM", "")
pytestmark = [
    pytest.mark.qemu,
    pytest.mark.slow,
    pytest.mark.skipif(not NAME, reason="PROCTOR_TEST_VM names no machine: proctor images build starter --vm"),
]


@pytest.fixture(scope="module")
def computer() -> Iterator[QemuComputer]:
    with QemuComputer(image=NAME, memory_mb=1024, size=(1024, 768), boot_sec=1800) as computer:
        yield computer


def test_it_starts_to_a_desktop_of_its_user(computer: QemuComputer) -> None:
    assert computer.size == (1024, 768)
    assert len(computer.screenshot(cursor=False).getcolors(1 << 20) or []) > 10  # a panel has many
    assert computer.run(["id", "-un"]).stdout == "user\n"
    assert "window id # 0x" in computer.run(["xprop", "-root", "_NET_SUPPORTING_WM_CHECK"]).stdout
    assert computer.facts()["image"] == NAME
    assert machine_of(computer).status() == "running"


def test_what_was_written_goes_back_in_time(computer: QemuComputer) -> None:
    computer.write_file("before", b"x")
    kept = computer.snapshot()
    computer.write_file("after", b"x")
    computer.restore(kept)
    assert computer.read_file("before") == b"x"
    with pytest.raises(FileNotFoundError):
        computer.read_file("after")


def test_its_elements_are_told_before_and_after_going_back(computer: QemuComputer) -> None:
    computer.write_file("note.txt", b"hello")
    computer.run(["sh", "-c", "setsid mousepad note.txt > /dev/null 2>&1 < /dev/null &"])
    computer.wait_for(lambda there: _editor(there) is not None, what="the editor's text in the tree", timeout_sec=300)
    kept = computer.snapshot()
    computer.restore(kept)
    computer.wait_for(lambda there: _editor(there) is not None, what="the tree after a restore", timeout_sec=120)
    node = _editor(computer)
    assert node is not None and node.box is not None
    computer.perform(Click(x=node.box.center[0], y=node.box.center[1]))
    hit = computer.history[-1].element
    assert hit is not None and hit.role == "text"


def _editor(computer: Computer) -> Node | None:
    return next((node for node in computer.tree().nodes if node.role == "text" and node.app == "mousepad"), None)
