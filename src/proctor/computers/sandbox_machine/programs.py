"""What runs in a sandbox: listed and held still by process 1, asked over our own connections."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Mapping, Sequence

from proctor.computers.channels.dbus.client import BUS, BUS_PATH, DBus
from proctor.computers.channels.dbus.values import DBusError, value_of
from proctor.computers.channels.dbus.wire import MethodCall
from proctor.computers.channels.x11.selection import SelectionReader
from proctor.computers.parts.programs import Selection
from proctor.computers.sandbox_machine import state
from proctor.computers.sandbox_machine.machine import AGENT_UID, SandboxMachine
from proctor.computers.sandbox_machine.sandbox import Sandbox
from proctor.computers.sandbox_machine.session import BUS_PROGRAM, BUS_SOCKET, X_SOCKET
from proctor.computers.values import Frozen, RunningProgram
from proctor.errors import ComputerError

ANSWER_SEC = 5.0
"""How long a program may take to answer a question of the judge, all in all."""
KEEPERS = ("xfconfd",)
"""Programs that keep settings and write them down some seconds later, or when they are told to end."""
MOST_HEAD = 64 * 1024
UNSTAMPED = "more files than are stamped"
"""Then only the programs tell whether something has moved."""
PROPERTIES = "org.freedesktop.DBus.Properties"
SELECTIONS: Mapping[Selection, str] = {"clipboard": "CLIPBOARD", "primary": "PRIMARY"}


class SandboxPrograms:
    """The agent's programs."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    @property
    def _machine(self) -> SandboxMachine:
        return self._sandbox.desktop.machine

    def programs(self) -> list[RunningProgram]:
        """Return what is running, and what of it was running when the task began."""
        return [_program(each) for each in self._machine.request("programs")[0]["programs"]]

    # -- holding them still ---------------------------------------------------------------------------------------

    @property
    def frozen(self) -> bool:
        """Whether everything is held still."""
        return bool(self._sandbox.frozen)

    def freeze(self) -> Frozen:
        """Hold everything still, once those that keep settings have written them down."""
        machine = self._machine
        ended = state.freeze(machine, () if self.frozen else KEEPERS)[1]
        if not self.frozen or ended:
            self._sandbox.frozen = self._stamp()
        return Frozen(ended=tuple(map(_program, ended)))

    def verify(self) -> Frozen:
        """Return what has moved since this was last asked, or held still, and was ended for it."""
        machine = self._machine
        # First the files: whatever has moved before they were looked at is found then.
        before = self._sandbox.frozen
        now = before if before.startswith(UNSTAMPED) else state.stamp(machine) or before
        ended = machine.request("moved")[0]["ended"]
        self._sandbox.frozen = self._stamp() if ended else now
        return Frozen(ended=tuple(map(_program, ended)), changed=now != before)

    def _stamp(self) -> str:
        """Return the stamp of the files, or a fresh one where there are too many to stamp."""
        return state.stamp(self._machine) or f"{UNSTAMPED} {time.monotonic_ns()}"

    def thaw(self) -> None:
        """Let everything go on that nobody else had halted."""
        self._sandbox.frozen = ""
        self._machine.request("thaw")

    # -- asking live ones -----------------------------------------------------------------------------------------

    def selection(self, name: Selection, most: int) -> tuple[bytes | None, RunningProgram | None]:
        """Return the text of a selection, None where there is none; and who holds it."""
        reader = SelectionReader(self._machine.connect(X_SOCKET), timeout_sec=ANSWER_SEC)
        with contextlib.closing(reader):
            owner = reader.owner(SELECTIONS[name])
            return reader.text(SELECTIONS[name], most), self._program(owner)

    def page(self, port: int, path: str, most: int) -> tuple[bytes, Sequence[RunningProgram]]:
        """Return what is answered to a request on a loopback port; and who listens there."""
        _, (fd,) = self._machine.request("dial")
        with socket.socket(fileno=fd) as line:
            found = self._machine.request("listeners", port=port)[0]["programs"]
            try:
                return _fetch(line, port, path, most), tuple(map(_program, found))
            except OSError as error:
                raise ComputerError(f"nobody answers on port {port}: {error.strerror or error}") from error

    def dial(self, port: int) -> socket.socket:
        """Return a connection with a loopback port; raises ComputerError where nobody listens."""
        _, (fd,) = self._machine.request("dial")
        line = socket.socket(fileno=fd)
        try:
            line.settimeout(ANSWER_SEC)
            line.connect(("127.0.0.1", port))
            line.settimeout(None)
        except OSError as error:
            line.close()
            raise ComputerError(f"nobody answers on port {port}: {error.strerror or error}") from error
        return line

    def bus_values(
        self, name: str, path: str, interface: str, *members: str
    ) -> tuple[list[object], RunningProgram | None]:
        """Return properties of a service on the session bus, None for none; and who answers."""
        try:
            line = self._machine.connect(BUS_SOCKET, program=BUS_PROGRAM, pid=self._sandbox.desktop.session.bus_pid)
        except OSError as error:
            raise ComputerError(f"the session bus of the desktop cannot be reached: {error.strerror}") from error
        with contextlib.closing(DBus(line, uid=AGENT_UID, timeout_sec=ANSWER_SEC, name="the session bus")) as bus:
            try:
                # By its number from here on: a name can change hands between two questions.
                owner = str(value_of(bus.call(_ask_bus("GetNameOwner", name)), "s"))
                pid = value_of(bus.call(_ask_bus("GetConnectionUnixProcessID", owner)), "u")
            except DBusError:
                return [None] * len(members), None
            calls = [MethodCall(owner, path, PROPERTIES, "Get", "ss", (interface, member)) for member in members]
            values = [value_of(each, "v") for each in bus.call_many(calls)]
            return [value.value if value is not None else None for value in values], self._program(int(pid or 0))

    def _program(self, pid: int) -> RunningProgram | None:
        found = self._machine.request("program", of=pid)[0]["program"] if pid else None
        return _program(found) if found else None


def _ask_bus(member: str, name: str) -> MethodCall:
    return MethodCall(BUS, BUS_PATH, BUS, member, "s", (name,))


def _program(told: state.Told) -> RunningProgram:
    return RunningProgram(
        pid=int(told["pid"]),
        name=str(told["name"]),
        command=str(told["command"]),
        path=str(told["program"]),
        of_image=bool(told["of_image"]),
        agents=told["uid"] == AGENT_UID,
        halted=bool(told["halted"]),
        early=bool(told["early"]),
        nice=int(told["nice"]),
    )


def _fetch(line: socket.socket, port: int, path: str, most: int) -> bytes:
    """Return the body of the answer to one HTTP request, in one time for all of it."""
    deadline = time.monotonic() + ANSWER_SEC
    line.settimeout(ANSWER_SEC)
    line.connect(("127.0.0.1", port))
    line.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
    got, length = b"", -1
    while (left := deadline - time.monotonic()) > 0 and len(got) < most + MOST_HEAD:
        head, end, body = got.partition(b"\r\n\r\n")
        if end and length < 0:
            length = _length_of(head)
        if end and 0 <= length <= len(body):
            return body[:length]
        line.settimeout(left)
        part = line.recv(1 << 16)
        if not part:
            return body[:most]
        got += part
    raise OSError("it does not end")


def _length_of(head: bytes) -> int:
    for each in head.split(b"\r\n")[1:]:
        name, _, value = each.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            return int(value.strip()[:12])
    return 1 << 62  # as much as comes until the end
