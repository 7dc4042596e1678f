"""Opening a VNC server that a test has just started."""

from __future__ import annotations

import subprocess

from proctor.computers.backends.vnc.computer import VncComputer
from proctor.errors import ComputerError, SpecError


def open_when_ready(address: str, process: subprocess.Popen[bytes]) -> VncComputer:
    while True:
        assert process.poll() is None, "the server has ended"
        try:
            return VncComputer(address=address, encoding="zrle").start()
        except SpecError:
            raise
        except ComputerError:
            continue
