"""The VNC computer keeps every promise of a computer that it can, on a real Xvnc, with and without a real sshd."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from proctor.computers.backends.vnc.computer import VncComputer
from proctor.computers.computer import Computer
from proctor.testing.actions import ActingContract
from proctor.testing.computer import ComputerContract
from proctor.testing.files import KeepingContract
from tests.computers.sshd import Sshd, sshd
from tests.computers.xvnc import Server, xvnc

pytestmark = [pytest.mark.sandbox, pytest.mark.turns]


class TestVncComputer(ComputerContract):
    mousepad = False
    server: ClassVar[Server]
    options: ClassVar[dict[str, str]] = {"encoding": "zrle"}

    @pytest.fixture(autouse=True, scope="class")
    @classmethod
    def _running(cls) -> Iterator[None]:
        with xvnc() as cls.server:
            cls.server.run("xsetroot", "-cursor_name", "left_ptr")
            yield

    def new_computer(self) -> Computer:
        return VncComputer(address=self.server.address, clip_sec=5, **self.options)  # type: ignore[arg-type]


class TestVncComputerWithSsh(KeepingContract):
    """What ssh adds; what is seen and touched is the same as without it."""

    mousepad = False
    server: ClassVar[Server]
    options: ClassVar[dict[str, str]]
    machine: ClassVar[Sshd]

    @pytest.fixture(autouse=True, scope="class")
    @classmethod
    def _running(cls, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
        folder: Path = tmp_path_factory.mktemp("sshd")
        with sshd(folder) as cls.machine, xvnc() as cls.server:
            cls.server.run("xsetroot", "-cursor_name", "left_ptr")
            cls.options = {"encoding": "tight", **cls.machine.options}
            yield

    def new_computer(self) -> Computer:
        return VncComputer(address=self.server.address, **self.options)  # type: ignore[arg-type]

    test_commands_return = ActingContract.test_commands_return_output_and_status
    test_commands_at_home = ActingContract.test_commands_run_in_the_home_folder_unless_told
    test_commands_that_cannot_be_run = ActingContract.test_commands_that_cannot_be_run_are_the_machines_error

    def test_it_has_a_shell_and_files(self, computer: Computer) -> None:
        assert {"shell", "files"} <= computer.capabilities
