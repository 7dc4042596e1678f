"""The virtual machine keeps every promise of a computer that it can, with nothing but QEMU's firmware on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from proctor.computers.computer import Computer
from proctor.testing.computer import ComputerContract
from tests.qemu.machines import blank_disk, described, words_shown

pytestmark = pytest.mark.qemu


class TestQemuComputer(ComputerContract):
    """One machine is shared: what needs more than firmware is skipped, and the rest leaves nothing behind on it."""

    mousepad = False
    disk: ClassVar[Path]
    shared: ClassVar[Computer]

    @pytest.fixture(autouse=True, scope="class")
    @classmethod
    def _running(cls, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
        cls.disk = blank_disk(tmp_path_factory.mktemp("disk"))
        with described(cls.disk, clip_sec=5) as computer:
            words_shown(computer)
            cls.shared = computer
            yield

    @pytest.fixture
    def computer(self) -> Computer:
        self.shared.history.clear()
        return self.shared

    def new_computer(self) -> Computer:
        return described(self.disk)

    def test_pointer_is_drawn_where_it_is_and_only_if_wanted(self, computer: Computer) -> None:
        pytest.skip("firmware has no pointer to draw")
