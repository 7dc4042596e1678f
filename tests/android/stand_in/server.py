"""An adb server for stand-in phones: adb's real wire protocol on a loopback port."""

from __future__ import annotations

import contextlib
import re
import socket
import struct
import threading
from types import TracebackType
from typing import Self

from tests.android.stand_in import files, shell
from tests.android.stand_in.phone import Phone
from tests.android.stand_in.programs import PROGRAMS

VERSION = 41
STDIN, EXIT, CLOSE_STDIN = 0, 3, 4
CHUNK = 64 << 10


class Cut(Exception):
    """The connection ends here."""


class AdbServer:
    """Listens from the start to the end of a `with`; each connection has a thread of its own.

    Args:
        phones: The devices that it knows.
        garbage: What every connection is answered with, in place of adb's protocol.
        silent: Whether connections are taken and never answered.
    """

    def __init__(self, *phones: Phone, garbage: bytes = b"", silent: bool = False) -> None:
        self.phones = {phone.serial: phone for phone in phones}
        self.garbage, self.silent = garbage, silent
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: set[socket.socket] = set()
        self._turn = threading.Lock()
        self._threads: list[threading.Thread] = []

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._listening.getsockname()[1])

    @property
    def address(self) -> str:
        """The same, as `host:port`."""
        return f"127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._address = self.address
        self._start(self._accept)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.vanish()
        for thread in self._threads:
            thread.join(5)
        for phone in self.phones.values():
            phone.close()

    def vanish(self) -> None:
        """Stop listening and cut every connection, as a server that is killed does."""
        with self._turn:
            ending, self._open = self._open, set()
        for each in (self._listening, *ending):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _start(self, work: object, *arguments: object) -> None:
        assert callable(work)
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads = [each for each in self._threads if each.is_alive()] + [thread]
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            with self._turn:
                self._open.add(connection)
            self._start(self._serve, connection)

    def _serve(self, connection: socket.socket) -> None:
        try:
            if self.garbage:
                connection.sendall(self.garbage)
            elif self.silent:
                connection.recv(1)
                while connection.recv(4096):
                    pass
            else:
                Conversation(self, connection).hold()
        except (Cut, OSError, shell.Gone):
            pass  # whoever asked has gone, or was to be let go
        finally:
            with self._turn:
                self._open.discard(connection)
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()


class Conversation:
    """One connection: requests to the server until a device is chosen, then one service of that device."""

    def __init__(self, server: AdbServer, connection: socket.socket) -> None:
        self._server, self._connection = server, connection
        self._phone: Phone | None = None
        self._left: int | None = None

    def hold(self) -> None:
        """Answer until a service has taken over, or the other side is gone."""
        while True:
            request = self.read(int(self.read(4), 16)).decode("utf-8", "surrogateescape")
            if not self._answer(request):
                return

    # -- bytes ----------------------------------------------------------------------------------------------------

    def read(self, count: int) -> bytes:
        """Return exactly so many bytes."""
        data = bytearray()
        while len(data) < count:
            part = self._connection.recv(min(count - len(data), CHUNK))
            if not part:
                raise Cut
            data += part
        return bytes(data)

    def send(self, data: bytes) -> None:
        """Send bytes, as far as this phone lets them through."""
        if self._left is not None:
            data = data[: self._left]
            self._left -= len(data)
        self._connection.sendall(data)
        if self._left == 0:
            raise Cut

    def _text(self, text: str) -> None:
        data = text.encode()
        self.send(b"OKAY%04x" % len(data) + data)

    def _fail(self, reason: str) -> bool:
        self.send(b"FAIL%04x" % len(reason) + reason.encode())
        return False

    # -- requests -------------------------------------------------------------------------------------------------

    def _answer(self, request: str) -> bool:
        """Answer a request and tell whether another may follow."""
        if self._phone is not None and not request.startswith("host"):
            self._service(self._phone, request)
            return False
        if found := re.fullmatch(r"host-serial:(.+):(features|get-state|get-serialno)", request):
            return self._about(self._find(found[1]), found[2])
        match request.split(":", 2):
            case ["host", "version"]:
                self._text(f"{VERSION:04x}")
            case ["host", "host-features"]:
                self._text("shell_v2,cmd,stat_v2")
            case ["host", "devices" | "devices-l" as kind]:
                self._text(
                    "".join(self._line(phone, long=kind == "devices-l") for phone in self._server.phones.values())
                )
            case ["host", "features" | "get-state" | "get-serialno" as what]:
                return self._about(self._phone or self._find(""), what)
            case ["host", "transport", serial]:
                return self._choose(self._find(serial))
            case ["host", "transport-any"]:
                return self._choose(self._find(""))
            case ["host", "tport", "any"]:
                return self._choose(self._find(""), number=True)
            case ["host", "tport", which] if which.startswith("serial:"):
                return self._choose(self._find(which.removeprefix("serial:")), number=True)
            case _:
                return self._fail(f"unknown host service '{request}'")
        return False

    @staticmethod
    def _line(phone: Phone, *, long: bool) -> str:
        return (
            f"{phone.serial:<22} {phone.state} product:standin transport_id:1\n"
            if long
            else f"{phone.serial}\t{phone.state}\n"
        )

    def _find(self, serial: str) -> Phone | str:
        phones = self._server.phones
        if serial:
            return phones.get(serial) or f"device '{serial}' not found"
        if len(phones) > 1:
            return "more than one device/emulator"
        return next(iter(phones.values()), "no devices/emulators found")

    def _about(self, phone: Phone | str, what: str) -> bool:
        if isinstance(phone, str):
            return self._fail(phone)
        self._text({"features": phone.features, "get-state": phone.state, "get-serialno": phone.serial}[what])
        return False

    def _choose(self, phone: Phone | str, *, number: bool = False) -> bool:
        if isinstance(phone, str):
            return self._fail(phone)
        if phone.state == "unauthorized":
            return self._fail("device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set")
        if phone.state != "device":
            return self._fail(f"device {phone.state}")
        self.send(b"OKAY" + (struct.pack("<Q", 1) if number else b""))
        self._phone = phone
        return True

    # -- services of a device -------------------------------------------------------------------------------------

    def _service(self, phone: Phone, request: str) -> None:
        kind, _, rest = request.partition(":")
        name, *options = kind.split(",")
        if name not in ("shell", "exec", "sync"):
            self._fail("closed")
            return
        self.send(b"OKAY")
        self._left = phone.cut_after
        if self._left == 0:
            raise Cut
        if name == "sync":
            files.serve(phone, self.read, self.send)
        elif "v2" in options:
            self._shell_v2(phone, rest)
        else:
            session = shell.Session(lambda _, data: self.send(data))
            session.all_given.set()
            shell.run(phone, session, rest, PROGRAMS)

    def _shell_v2(self, phone: Phone, line: str) -> None:
        def write(number: int, data: bytes) -> None:
            for start in range(0, len(data), CHUNK):
                part = data[start : start + CHUNK]
                self.send(struct.pack("<BI", number, len(part)) + part)

        session = shell.Session(write)
        listener = threading.Thread(target=self._listen, args=(session,), daemon=True)
        listener.start()
        status = shell.run(phone, session, line, PROGRAMS)
        self.send(struct.pack("<BI", EXIT, 1) + bytes([status & 0xFF]))

    def _listen(self, session: shell.Session) -> None:
        """Take what the program is given to read; hear when whoever asked hangs up."""
        try:
            while True:
                kind, length = struct.unpack("<BI", self.read(5))
                data = self.read(length)
                if kind == STDIN:
                    session.given += data
                elif kind == CLOSE_STDIN:
                    session.all_given.set()
        except (Cut, OSError):
            session.gone.set()
            session.all_given.set()
