"""What the parts of an Android computer share."""

from __future__ import annotations

import re
from dataclasses import dataclass

from proctor.computers.channels.adb.client import Adb, LateCommand
from proctor.computers.channels.adb.wire import AdbWire, parse_server
from proctor.computers.channels.command_output import CommandOutput
from proctor.computers.fit import Lack
from proctor.errors import ComputerError, ComputerLost

TREE_SEC = 30.0
"""How long the device may take to describe what it shows; it waits for stillness first."""
OLDEST = 24
"""Android 7: before it, adb tells nothing of how a command ended."""
ROTATIONS = ("portrait", "landscape", "portrait upside down", "landscape upside down")
"""By the number that Android gives each; for a tablet, which lies on its side, the words change places."""
DOCTOR_SEC = 1.0


@dataclass
class AndroidDevice:
    """The device behind adb. What is asked of it once at the start stands in the fields."""

    adb: Adb
    home: str
    started: bool = False
    model: str = ""
    release: str = ""
    sdk: int = 0
    uid: int = -1
    version: int = 0
    """Of the adb server."""

    def open(self) -> None:
        """Find the device and ask who it is; raises ComputerError when it cannot be used."""
        try:
            self.version = self.adb.version()
            self.adb.choose()
            self._meet()
        except ComputerLost as error:
            # Nothing was there yet that could be lost.
            raise ComputerError(error.message, remedy=error.remedy) from error
        self.started = True

    def _meet(self) -> None:
        told = self.adb.run(
            "getprop ro.product.model; getprop ro.build.version.release; getprop ro.build.version.sdk; id -u"
        )
        lines = told.stdout.decode("utf-8", "replace").splitlines()
        if len(lines) != 4 or not lines[2].isdigit() or not lines[3].isdigit():
            raise ComputerError(
                f"the device {self.adb.serial} does not answer as Android does: {told.said!r}",
                remedy="see what `adb shell getprop ro.build.version.sdk` says",
            )
        self.model, self.release = lines[0][:100], lines[1][:40]
        self.sdk, self.uid = int(lines[2][:4]), int(lines[3][:10])
        if self.sdk < OLDEST:
            raise ComputerError(f"Android {self.release} is too old", remedy="use Android 7 or newer")

    def close(self) -> None:
        """Forget the device; it stays as it is."""
        self.started = False

    def need_started(self) -> None:
        """Refuse what is asked before the start."""
        if not self.started:
            raise ComputerError("this computer is not started", remedy="use `with`, or call start() first")

    def ask(self, command: str, *, timeout_sec: float | None = None) -> str:
        """Return what a shell's line writes on either side; exit statuses tell little on Android."""
        done = self.do(command, timeout_sec=timeout_sec)
        return (done.stdout + done.stderr).decode("utf-8", "replace")

    def do(self, command: str, *, timeout_sec: float | None = None, input: bytes = b"") -> CommandOutput:
        """Run a line of the device's shell; one that does not end in time means that the device hangs."""
        self.need_started()
        try:
            return self.adb.run(command, timeout_sec=timeout_sec, input=input)
        except LateCommand as late:
            raise ComputerLost(f"the device {self.adb.serial} hangs: {late.message}", remedy=late.remedy) from late

    def stream(self, service: str) -> AdbWire:
        """Return a connection on which a service of the device answers."""
        self.need_started()
        return self.adb.open(service)

    def rotation(self) -> int:
        """Return how the picture is turned, from 0 to 3 quarter turns; 0 where the device does not say."""
        said = self.ask("dumpsys input")
        found = re.search(r"SurfaceOrientation:\s*([0-3])", said) or re.search(
            r"orientation=(?:Rotation)?([0-3])\b", said
        )
        return int(found[1]) if found else 0


def lacks(server: str) -> list[Lack]:
    """Return what is missing on the way to a device; an adb server is asked, and none is started."""
    adb = Adb(parse_server(server), timeout_sec=DOCTOR_SEC)
    try:
        found = adb.devices()
    except ComputerError as error:
        return [Lack(what=error.message, remedy=error.remedy)]
    if any(device.state == "device" for device in found):
        return []
    seen = ", ".join(f"{device.serial} is {device.state}" for device in found)
    return [Lack(what=f"a device that adb can use{f' ({seen})' if seen else ''}", remedy="see docs/android.md")]
