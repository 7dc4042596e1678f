"""What a sandbox has used is counted where control groups count; where they hold its share, it crowds nobody out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.computers.sandbox_machine.costs import costs, crowding_seconds
from proctor.computers.sandbox_machine.limits import Groups

NONE = Groups(folders=(), memory="watched", processes="rlimit", cpus="nothing", io="nothing")


def groups(*folders: Path, held: bool = False) -> Groups:
    return replace(NONE, folders=tuple(map(str, folders)), cpus="cgroup" if held else "nothing")


def write(folder: Path, **files: str) -> Path:
    folder.mkdir()
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)
    return folder


def test_one_group_counts_everything(tmp_path: Path) -> None:
    one = write(tmp_path / "g", cpu__stat="usage_usec 2500000\nuser_usec 1\n", memory__peak="104857600\n")
    found = costs(groups(one))
    assert (found.processor_seconds, found.memory_bytes) == (2.5, 104857600)


def test_a_group_for_each_controller_counts_its_own(tmp_path: Path) -> None:
    memory = write(tmp_path / "memory", memory__max_usage_in_bytes="5000000")
    share = write(tmp_path / "cpu", cpu__stat="nr_periods 0\nnr_throttled 0\n")
    found = costs(groups(memory, share))
    assert (found.processor_seconds, found.memory_bytes) == (None, 5000000)
    count = write(tmp_path / "cpuacct", cpuacct__usage="1250000000\n")
    assert costs(groups(memory, share, count)).processor_seconds == 1.25


def test_whose_share_is_held_crowds_nobody_out(tmp_path: Path) -> None:
    one = write(tmp_path / "g", cpu__stat="usage_usec 2500000\n")
    assert crowding_seconds(groups(one, held=True)) == 0
    assert crowding_seconds(groups(one)) == 2.5
    assert crowding_seconds(NONE) is None


def test_groups_that_are_gone_count_nothing(tmp_path: Path) -> None:
    found = costs(groups(tmp_path / "gone"))
    assert (found.processor_seconds, found.memory_bytes) == (None, None)


@pytest.mark.sandbox
def test_a_computer_tells_what_its_programs_took() -> None:
    with SandboxComputer(size=(1024, 768), look="light") as computer:
        before = computer.costs()
        assert before is not None
        if before.processor_seconds is None:
            pytest.skip("nobody counts processor time on this machine")
        computer.run(["python3", "-c", "sum(range(10**7)); len(b'x' * 10**8)"])
        after = computer.costs()
        assert after is not None and after.processor_seconds is not None
        assert after.processor_seconds > before.processor_seconds
        assert after.memory_bytes is None or after.memory_bytes > 10**8
    assert computer.costs() is None
