"""Stand-in phones that the tests of the android computer share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from proctor.computers import open_computer
from proctor.computers.backends.android.computer import AndroidComputer
from tests.android.stand_in import AdbServer, Phone


def opened(server: AdbServer, **options: Any) -> AndroidComputer:
    """Return a computer that is not started."""
    computer = open_computer("android", server=server.address, **options)
    assert isinstance(computer, AndroidComputer)
    return computer


@contextmanager
def holding(pace: Any = "realtime", **fields: Any) -> Iterator[tuple[AndroidComputer, Phone]]:
    """Yield a started computer and the phone behind it; without waiting for rest, unless told otherwise."""
    phone = Phone(**fields)
    with AdbServer(phone) as server, opened(server, pace=pace) as computer:
        phone.events.clear()
        yield computer, phone
