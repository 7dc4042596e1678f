"""Options of an Android device, checked before it is called."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass

from proctor.computers.backends.android.device import ROTATIONS, AndroidDevice
from proctor.computers.channels.adb.client import Adb
from proctor.computers.channels.adb.wire import parse_server
from proctor.computers.options import PaceOptions
from proctor.errors import SpecError, UnknownName

SERVER = "127.0.0.1:5037"


@dataclass(frozen=True, kw_only=True)
class AndroidOptions(PaceOptions):
    """Options of a device behind an adb server."""

    serial: str = ""
    """The device, as listed by `adb devices`; required if several are available."""
    server: str = SERVER
    """Where the adb server listens, as `host:port`; Proctor does not start one."""
    home: str = "/sdcard"
    """Where relative paths start and commands run."""
    rotation: str = ""
    """`portrait`, `landscape` or either `upside down`: fixed, whichever way the device is held."""
    timeout_sec: float = 15.0
    """How long to wait for each answer of the device, in seconds."""


def device_of(options: AndroidOptions) -> AndroidDevice:
    """Return the device that is meant, not yet called; raises SpecError naming the option that is wrong."""
    timeout_sec, home, serial, rotation = options.timeout_sec, options.home, options.serial, options.rotation
    if not isinstance(timeout_sec, int | float) or not 0 < timeout_sec <= 600:
        raise SpecError(f"option timeout_sec={timeout_sec!r} is not a valid time", remedy="give seconds up to 600")
    if not posixpath.isabs(home) or "\0" in home:
        raise SpecError(f"option home={home!r} is not a folder on a device", remedy="give one such as /sdcard")
    if any(char.isspace() or char == "\0" for char in serial):
        raise SpecError(f"option serial={serial!r} is not a serial number", remedy="see `adb devices`")
    if rotation and rotation not in ROTATIONS:
        raise UnknownName("rotation", rotation, ROTATIONS)
    adb = Adb(parse_server(options.server), serial, float(timeout_sec))
    return AndroidDevice(adb, home=posixpath.normpath(home))
