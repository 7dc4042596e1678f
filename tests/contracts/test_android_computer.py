"""The android computer keeps every promise that it can, on a stand-in that speaks adb's protocol."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import pytest

from proctor.computers import open_computer
from proctor.computers.computer import Computer
from proctor.testing.computer import ComputerContract
from tests.android.stand_in import AdbServer, Phone


class TestAndroidComputer(ComputerContract):
    mousepad = False
    server: ClassVar[AdbServer]

    @pytest.fixture(autouse=True, scope="class")
    @classmethod
    def _running(cls) -> Iterator[None]:
        with AdbServer(Phone()) as cls.server:
            yield

    def new_computer(self, **options: Any) -> Computer:
        return open_computer("android", server=self.server.address, **options)
