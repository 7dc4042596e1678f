"""OSWorld's guest server, for its own harness: one computer on a loopback port.

Requests come from any thread and are answered by the thread that the computer belongs to, one after the other. Nothing
of the host is read or written for them.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self
from urllib.parse import urlsplit

from proctor.computers.computer import Computer
from proctor.errors import AgentError, ComputerError, ProctorError, SpecError
from proctor.interop.callers import Callers
from proctor.interop.guest_commands import TooMuchOutput
from proctor.interop.osworld.film import Film
from proctor.interop.osworld.form_data import read_fields
from proctor.interop.osworld.forward import PortForward
from proctor.interop.osworld.guest import OSWorldGuest
from proctor.interop.osworld.routes import Response, Routes
from proctor.interop.server_socket import http_address, listen
from proctor.tasks.setup_context import SetupContext
from proctor.vocabulary.desktop.setup.elsewhere import other_names

HOST, PORT = "127.0.0.1", 5000
MOST_BYTES = 256 << 20
"""Of one request."""
SILENT_SEC = 60.0
"""How long a client may take between two parts of a request."""

logger = logging.getLogger(__name__)


class GuestServer:
    """A computer behind the routes of OSWorld's guests."""

    def __init__(
        self, open_one: Callable[[], Computer], *, port: int = PORT, forwards: Sequence[int] = (), theirs: bool = False
    ) -> None:
        """Listen; raises HostError where a port is taken.

        Args:
            open_one: Returns a computer that is not running yet.
            port: Where requests are answered.
            forwards: Ports here that lead to the same ports of the computer.
            theirs: Whether programs have the names that they have on OSWorld's computers.
        """
        self._open_one, self._theirs = open_one, theirs
        self._computer: Computer | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="proctor-osworld")
        self._routes = Routes(OSWorldGuest(self._there), lambda: Film(self._there()), self._renew)
        self._listener = listen(HOST, port)
        self._http = _Server(self._listener, self)
        self._forwards: list[PortForward] = []
        try:
            for each in forwards:
                self._forwards.append(PortForward(HOST, each, self.dial))
        except BaseException:
            self._end()
            raise
        self.callers = Callers(HOST)

    @property
    def address(self) -> str:
        """Where it is found."""
        return http_address(self._listener)

    def __enter__(self) -> Self:
        try:
            self._thread.submit(self._renew).result()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, *_ended: object) -> None:
        self._end()

    def serve(self) -> None:
        """Response until `stop` is called, or interrupted."""
        self._http.serve_forever(poll_interval=0.1)

    def stop(self) -> None:
        """Have `serve` return; called from another thread."""
        self._http.shutdown()

    def answer(self, method: str, path: str, kind: str, body: bytes) -> Response:
        """Return what a request is answered with; what fails is said in it."""
        route = self._routes.all.get((method, path))
        if route is None:
            return self._unknown(method, path)
        try:
            fields = read_fields(kind, body) if method == "POST" else {}
            return self._thread.submit(route, fields).result()
        except (AgentError, SpecError, ValueError) as error:
            return _error(str(error), 400)
        except FileNotFoundError as error:
            return _error(str(error), 404)
        except (ProctorError, TooMuchOutput, OSError) as error:
            return _error(str(error), 500)
        except RuntimeError:
            return _error("the server is being ended", 503)

    def dial(self, port: int) -> socket.socket:
        """Return a connection with a port of the computer; raises ComputerError where nobody listens."""

        def connect() -> socket.socket:
            programs = self._there().parts.programs
            if programs is None:
                raise SpecError(f"nobody outside reaches the ports of this computer, such as {port}")
            return programs.dial(port)

        return self._thread.submit(connect).result()

    def _unknown(self, method: str, path: str) -> Response:
        other = sorted({known for known, place in self._routes.all if place == path})
        if other:
            return _error(f"{path} is asked by {other[0]}, not {method[:20]}", 405)
        return _error(f"there is no route {path[:200]!r}", 404)

    # -- in its thread --------------------------------------------------------------------------------------------

    def _there(self) -> Computer:
        if self._computer is None:
            raise SpecError("there is no computer: the last one could not be started", remedy="POST /proctor/reset")
        return self._computer

    def _renew(self) -> None:
        """Put a fresh computer in the place of the one that is there."""
        self._close()
        self._computer = self._open_one()
        try:
            self._computer.start()
            if self._theirs:
                self._give_names(self._computer)
        except BaseException:
            self._close()
            raise

    def _give_names(self, computer: Computer) -> None:
        try:
            other_names(SetupContext(computer))
        except (ComputerError, SpecError) as error:
            logger.warning("programs keep the names that they have on this computer: %s", error)

    def _close(self) -> None:
        computer, self._computer = self._computer, None
        if computer is not None:
            computer.close()

    def _end(self) -> None:
        for each in self._forwards:
            each.close()
        self._http.server_close()
        try:
            self._thread.submit(self._routes.close).result()
        finally:
            self._thread.submit(self._close).result()
            self._thread.shutdown()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, listener: socket.socket, guest: GuestServer) -> None:
        super().__init__((HOST, 0), _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listener
        self.server_address = listener.getsockname()
        self.guest = guest

    def handle_error(self, request: object, client_address: object) -> None:
        """Take note of a client that left in the middle."""
        logger.debug("a client left while it was being answered", exc_info=True)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    timeout = SILENT_SEC
    disable_nagle_algorithm = True

    def version_string(self) -> str:
        """Say nothing of the host's Python."""
        return "proctor"

    def log_message(self, format: str, *arguments: object) -> None:
        """Keep still."""

    def do_GET(self) -> None:
        """Answer what is only looked at."""
        self._send()

    def do_POST(self) -> None:
        """Answer what is asked for."""
        self._send()

    def _send(self) -> None:
        answer = self._refusal() or self._reply()
        if answer.status == 413 or answer.status == 411:
            self.close_connection = True
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.kind)
        self.send_header("Content-Length", str(len(answer.body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(answer.body)

    def _refusal(self) -> Response | None:
        headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in self.headers.items()]
        refused = self.server.guest.callers.refusal(headers, self.connection.getsockname()[:2])
        if refused is None:
            return None
        self.close_connection = True
        return _error(refused[1], refused[0])

    def _reply(self) -> Response:
        length = self.headers.get("Content-Length", "0")
        if self.headers.get("Transfer-Encoding"):
            return _error("send the length of the body, and not in chunks", 411)
        if not (length.isascii() and length.isdigit()) or int(length[:20]) > MOST_BYTES:
            return _error(f"a request may have {MOST_BYTES} bytes", 413)
        body = self.rfile.read(int(length))
        kind = self.headers.get("Content-Type", "")
        return self.server.guest.answer(self.command, urlsplit(self.path).path, kind, body)


def _error(what: str, status: int) -> Response:
    return Response.data({"status": "error", "message": what, "error": what}, status)
