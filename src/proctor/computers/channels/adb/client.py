"""A device behind an adb server: who it is, commands on it, and the conversation in which files are carried."""

from __future__ import annotations

import shlex
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

from proctor.computers.channels.adb.wire import AdbRefused, AdbWire, ServerAddress
from proctor.computers.channels.command_output import CommandOutput, said
from proctor.errors import ComputerError, ComputerLost, NotReady, SpecError

STDIN, STDOUT, STDERR, EXIT, CLOSE_STDIN = 0, 1, 2, 3, 4
"""Kinds of packets of the shell protocol, version 2."""
MOST_OUTPUT = 64 << 20
MOST_ERRORS = 1 << 20
PACKET = 16 << 10
REACH_SEC = 10.0
"""How long the way to the device may take before a command begins."""


class LateCommand(NotReady):
    """A command that has not ended in time, with what it had said by then."""

    stderr: bytes = b""


@dataclass(frozen=True, kw_only=True)
class Device:
    """One line of what a server lists."""

    serial: str
    state: str
    """`device` for one that can be used; `offline`, `unauthorized`, `recovery` and others for those that cannot."""
    about: str = ""


@dataclass
class Adb:
    """The way to one device; every command is a connection of its own, so that none outlives it.

    An empty `serial` means the only device there is, which `choose` then names.
    """

    address: ServerAddress
    serial: str = ""
    timeout_sec: float = REACH_SEC
    features: frozenset[str] = field(default_factory=frozenset)

    def choose(self) -> None:
        """Find the device and what it understands.

        Raises ComputerError for one that is missing, unusable or too old, SpecError for several of which none was
        named.
        """
        devices = self.devices()
        chosen = [device for device in devices if not self.serial or device.serial == self.serial]
        if not chosen:
            what = f"no device {self.serial!r}" if self.serial else "no device"
            raise ComputerError(f"adb at {self.address} knows {what}{_others(devices)}", remedy=CONNECT)
        if len(chosen) > 1:
            usable = [device for device in chosen if device.state == "device"]
            if len(usable) != 1:
                raise SpecError(
                    f"adb at {self.address} has {len(chosen)} devices and none was chosen",
                    remedy=f"choose one with serial=: {', '.join(device.serial for device in chosen)}",
                )
            chosen = usable
        if chosen[0].state != "device":
            raise unusable(chosen[0].serial, chosen[0].state)
        self.serial = chosen[0].serial
        self.features = frozenset(
            self._ask(f"host-serial:{self.serial}:features").decode("ascii", "replace").split(",")
        )
        if "shell_v2" not in self.features:
            raise ComputerError(
                f"the device {self.serial} speaks an adb without exit statuses (features: {','.join(self.features)})",
                remedy="use a device with Android 7 or newer",
            )

    def version(self) -> int:
        """Return the version of the server."""
        text = self._ask("host:version")
        try:
            return int(text, 16)
        except ValueError:
            raise ComputerError(
                f"what answers at {self.address} does not speak adb's protocol: {said(text)!r}",
                remedy="name the address of an adb server",
            ) from None

    def devices(self) -> list[Device]:
        """Return every device that the server knows, usable or not."""
        lines = self._ask("host:devices-l").decode("utf-8", "replace").splitlines()
        rows = [line.split(None, 2) for line in lines]
        return [
            Device(serial=row[0], state=row[1], about=row[2] if len(row) > 2 else "") for row in rows if len(row) > 1
        ]

    def run(
        self, command: str, *, input: bytes = b"", timeout_sec: float | None = None, most: int = MOST_OUTPUT
    ) -> CommandOutput:
        """Run a line of the device's shell to its end.

        Raises Late (the connection is closed, and with it what adb started), ComputerLost, or ComputerError for more
        than `most` bytes.
        """
        limit = self.timeout_sec if timeout_sec is None else timeout_sec
        # `raw` asks for no terminal: what a program writes arrives byte for byte.
        with self.open(f"shell,v2,raw:{command}") as wire:
            wire.extend(limit)
            return _Conversation(wire, command, limit, most).hold(input)

    def script(self, *argv: str, timeout_sec: float | None = None) -> CommandOutput:
        """Run a program with arguments that may hold anything."""
        return self.run(shlex.join(argv), timeout_sec=timeout_sec)

    def open(self, service: str) -> AdbWire:
        """Return a connection on which a service of the device answers."""
        wire = AdbWire(self.address, timeout_sec=max(self.timeout_sec, 0.1))
        try:
            wire.request(f"host:transport:{self.serial}" if self.serial else "host:transport-any")
            wire.request(service)
        except AdbRefused as refusal:
            wire.close()
            raise unusable(self.serial, str(refusal)) from refusal
        except BaseException:
            wire.close()
            raise
        return wire

    def _ask(self, service: str) -> bytes:
        with AdbWire(self.address, timeout_sec=self.timeout_sec) as wire:
            try:
                wire.request(service)
            except AdbRefused as refusal:
                raise unusable(self.serial, str(refusal)) from refusal
            return wire.text()


class _Conversation:
    """A command that is being run: what it is given to read goes in while what it says comes out."""

    def __init__(self, wire: AdbWire, command: str, limit: float, most: int) -> None:
        self._wire, self._command, self._limit, self._most = wire, command, limit, most
        self._out, self._err = bytearray(), bytearray()

    def hold(self, input: bytes) -> CommandOutput:
        try:
            self._feed(input)
            while (code := self._hear()) is None:
                pass
        except ComputerLost as lost:
            # The way was there and the command was begun: what is late is the command, not the connection.
            if isinstance(lost.__cause__, TimeoutError):
                late = LateCommand(
                    f"{_first(self._command)!r} did not finish within {self._limit:g} s",
                    remedy="allow more time, or do less",
                )
                late.stderr = bytes(self._err)
                raise late from lost
            raise
        return CommandOutput(code=code, stdout=bytes(self._out), stderr=bytes(self._err))

    def _feed(self, input: bytes) -> None:
        for start in range(0, len(input), PACKET):
            part = input[start : start + PACKET]
            self._wire.send(struct.pack("<BI", STDIN, len(part)) + part)
        self._wire.send(struct.pack("<BI", CLOSE_STDIN, 0))

    def _hear(self) -> int | None:
        kind, length = struct.unpack("<BI", self._wire.read(5))
        if kind not in (STDOUT, STDERR, EXIT) or length > self._most:
            raise self._wire.garbage(bytes([kind]) + length.to_bytes(4, "little"))
        data = self._wire.read(length)
        if kind == EXIT:
            return data[0] if data else 255
        if kind == STDOUT:
            self._out += data
            if len(self._out) > self._most:
                raise ComputerError(
                    f"{_first(self._command)!r} printed more than {self._most} bytes", remedy="make it print less"
                )
        elif len(self._err) < MOST_ERRORS:
            self._err += data
        return None


CONNECT = "connect one, switch on USB debugging, and see that `adb devices` lists it"


def unusable(serial: str, reason: str) -> ComputerError:
    """Return the error for a device that is there and cannot be used, or is there no longer."""
    name = f"the device {serial}" if serial else "the device"
    if "unauthorized" in reason:
        return ComputerError(
            f"{name} has not allowed this machine to debug it (unauthorized)",
            remedy="unlock its screen and accept the question that it shows, then try again",
        )
    if "offline" in reason:
        return ComputerLost(f"{name} is offline", remedy="connect it again, or `adb reconnect`")
    if "not found" in reason or "no devices" in reason:
        return ComputerLost(f"{name} is gone: adb says {reason!r}", remedy=CONNECT)
    if "more than one" in reason:
        return ComputerError("there is more than one device", remedy="choose one with serial=")
    return ComputerError(f"{name} cannot be used: adb says {reason!r}", remedy="see what `adb devices` says of it")


def _others(devices: Sequence[Device]) -> str:
    return f"; it has {', '.join(f'{device.serial} ({device.state})' for device in devices)}" if devices else ""


def _first(command: str) -> str:
    return command if len(command) <= 60 else f"{command[:57]}..."
