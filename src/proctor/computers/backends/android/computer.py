"""An Android device as a computer, reached through adb; not yet tried on a device."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from proctor.computers.backends.android.apps import AndroidApps, AndroidWindows
from proctor.computers.backends.android.commands import AndroidCommands, AndroidFiles
from proctor.computers.backends.android.device import ROTATIONS, lacks
from proctor.computers.backends.android.keys import AndroidKeys
from proctor.computers.backends.android.options import SERVER, AndroidOptions, device_of
from proctor.computers.backends.android.screen import AndroidRest, AndroidScreen
from proctor.computers.backends.android.touch import AndroidHand, AndroidTouch, GestureClock
from proctor.computers.backends.android.tree import AndroidTree, remove_dump
from proctor.computers.capabilities import Parts
from proctor.computers.channels.remote_shell import RemoteShell
from proctor.computers.existing_machine import ForeignComputer, not_ours
from proctor.computers.fit import Lack
from proctor.computers.options import take_options
from proctor.computers.parts.clock import PatientClock
from proctor.errors import ComputerError, UnknownName


class AndroidComputer(ForeignComputer):
    """A phone, tablet or emulator behind an adb server; it is there before and after."""

    backend = "android"
    home = "/sdcard"
    system = "an Android device"
    remark = "not tested on a device: only on a stand-in that speaks adb's protocol"
    example: ClassVar[Mapping[str, Any]] = {}

    Options = AndroidOptions

    def __init__(self, options: AndroidOptions | None = None, /, **given: object) -> None:
        told = take_options(AndroidOptions, options, given)
        self._wanted = told.rotation
        self._device = device_of(told)
        self._turned: tuple[str, str] | None = None
        self._closed = False
        hand = AndroidHand()
        clock = GestureClock(PatientClock(), hand)
        screen, apps = AndroidScreen(self._device), AndroidApps(self._device)
        self._keys = AndroidKeys(self._device)
        super().__init__(
            Parts(
                screen=screen,
                touch=AndroidTouch(self._device, hand),
                keys=self._keys,
                tree=AndroidTree(self._device, screen),
                windows=AndroidWindows(self._device, screen, apps),
                apps=apps,
                shell=RemoteShell(AndroidCommands(self._device)),
                files=AndroidFiles(self._device),
                rest=AndroidRest(screen, clock, hand.expect),
                clock=clock,
            ),
            pace=told.pace,
        )

    @classmethod
    def lacks_here(cls) -> list[Lack]:
        """Return what is missing on the way to a device; the usual server is asked and none started."""
        return lacks(SERVER)

    # -- life -----------------------------------------------------------------------------------------------------

    def start(self) -> Self:
        """Find the device, and return when its screen was seen."""
        if self._closed:
            raise ComputerError("this computer is closed", remedy="open another one")
        if self._device.started:
            return self
        self._device.open()
        try:
            self._device.ask("input keyevent 224")  # wakes the screen, and does nothing to one that is awake
            if self._wanted:
                self.rotate(self._wanted)
            self.screenshot()
        except BaseException:
            self._device.close()
            raise
        return self

    def close(self) -> None:
        """Let go of the device; its input method and rotation are what they were, nothing else."""
        try:
            if self._device.started:
                self._give_back()
        except ComputerError as error:
            self.incidents.note("display", f"the device was not left as it was found: {error.message}")
        finally:
            self._device.close()
            self._closed = True
            super().close()

    def _give_back(self) -> None:
        self._keys.give_back()
        if self._turned:
            automatic, user = self._turned
            self._turned = None
            self._set_rotation(automatic, user)
        remove_dump(self._device)

    def facts(self) -> dict[str, Any]:
        """Return what a record needs to find this device again."""
        device = self._device
        return {
            **super().facts(),
            "server": str(device.adb.address),
            "adb": device.version,
            "serial": device.adb.serial,
            "model": device.model,
            "android": device.release,
            "sdk": device.sdk,
            "home": device.home,
            "any_script": self._keys.any_script(),
        }

    def autopsy(self) -> dict[str, Any]:
        """Tell what has become of the device: a cable, an emulator or adb's server may be ended by anybody."""
        try:
            found = {device.serial: device.state for device in self._device.adb.devices()}
        except ComputerError as error:
            return {"outside": error.message}
        state = found.get(self._device.adb.serial, "gone from adb")
        if state == "device":
            return {"state": state}
        name = f"the device {self._device.adb.serial}".rstrip()
        return {"state": state, "outside": not_ours(name, f"it is {state}")}

    # -- rotation -------------------------------------------------------------------------------------------------

    def rotation(self) -> str:
        """Return how the picture is turned: portrait, landscape, or either upside down."""
        return ROTATIONS[self._device.rotation()]

    def rotate(self, rotation: str) -> None:
        """Turn the picture and keep it so, whichever way the device is held; closing undoes it."""
        if rotation not in ROTATIONS:
            raise UnknownName("rotation", rotation, ROTATIONS)
        if self._turned is None:
            said = self._device.ask("settings get system accelerometer_rotation; settings get system user_rotation")
            before = [word if word.isdigit() else "0" for word in said.split()]
            self._turned = (before[0], before[1]) if len(before) == 2 else ("1", "0")
        self._set_rotation("0", str(ROTATIONS.index(rotation)))
        self.screenshot()

    def _set_rotation(self, automatic: str, user: str) -> None:
        self._device.ask(
            f"settings put system accelerometer_rotation {automatic}; settings put system user_rotation {user}"
        )
