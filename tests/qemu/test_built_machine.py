"""A machine that `proctor image build NAME --vm` made starts to its desktop; PROCTOR_TEST_VM names it.

Where the processor does not help, a start takes minutes, so this is run by hand when machines are built differently.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from proctor.computers.backends.qemu.computer import QemuComputer
from tests.qemu.machines import machine_of

NAME = os.environ.get("PROCTOR_TEST_VM", "")
pytestmark = [
    pytest.mark.qemu,
    pytest.mark.slow,
    pytest.mark.skipif(not NAME, reason="PROCTOR_TEST_VM names no machine: proctor image build starter --vm"),
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
