"""The calendar service inside a computer: Radicale, with the calendars of one task in it."""

import base64
import http.client
import json
import os
import pwd
import resource
import shutil
import signal
import socket
import sys
import threading
from pathlib import Path
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

TOP = Path("/run/calendars")
PORT = 5232
MOST_CONNECTIONS = 64
IDLE_SEC = 15.0
"""How long a connection on which nothing is said stays open."""
MOST_LOG_BYTES = 4 * 2**20
CALENDAR = """<?xml version="1.0" encoding="utf-8"?>
<C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:I="http://apple.com/ns/ical/"><D:set><D:prop>
<D:displayname>{title}</D:displayname><I:calendar-color>{colour}</I:calendar-color>
</D:prop></D:set></C:mkcalendar>"""


def main() -> None:
    """Start the server and leave when every calendar is in it."""
    plan = json.load(sys.stdin)
    os.umask(0o077)
    TOP.mkdir(exist_ok=True)
    TOP.chmod(0o700)
    (TOP / "users").write_text(f"{plan['user']}:{plan['password']}\n")
    (TOP / "settings").write_text(plan["settings"])
    for path in (TOP, *TOP.rglob("*")):
        shutil.chown(path, "radicale", "radicale")
    # It listens before the fork, so that whoever connects from now on is served.
    listener = socket.create_server(("127.0.0.1", PORT), backlog=64)
    if os.fork() == 0:
        become_service()
        serve(listener)
    listener.close()
    fill(plan)


def become_service() -> None:
    """Go on as the calendar service's own user, apart from whoever started it."""
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    log = os.open(TOP / "log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for standard, source in enumerate((null, log, log)):
        os.dup2(source, standard)
    # What clients make it complain about does not fill the disk, nor does any one calendar file.
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_LOG_BYTES, MOST_LOG_BYTES))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    user = pwd.getpwnam("radicale")
    os.setgroups([])
    os.setresgid(user.pw_gid, user.pw_gid, user.pw_gid)
    os.setresuid(user.pw_uid, user.pw_uid, user.pw_uid)


class Handler(WSGIRequestHandler):
    """Answers one client, as long as it says something."""

    timeout = IDLE_SEC


class Server(ThreadingMixIn, WSGIServer):
    """Answers a bounded number of clients at once; the others are turned away."""

    daemon_threads = True
    room = threading.BoundedSemaphore(MOST_CONNECTIONS)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer a client in a thread of its own, or turn it away."""
        if not self.room.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except RuntimeError:  # no more threads
            self.room.release()
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer a client, and make room."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.room.release()


def serve(listener: socket.socket) -> None:
    """Answer requests for ever."""
    from radicale import Application, config  # type: ignore[import-not-found]

    server = Server(("127.0.0.1", PORT), Handler, bind_and_activate=False)
    server.socket.close()
    server.socket = listener
    server.server_name, server.server_port = "localhost", PORT
    server.setup_environ()
    server.set_app(Application(config.load([(str(TOP / "settings"), False)])))
    server.serve_forever()


def fill(plan: "dict[str, Any]") -> None:
    """Put calendars and events in, over CalDAV as a client would."""
    known = base64.b64encode(f"{plan['user']}:{plan['password']}".encode()).decode()
    for calendar in plan["calendars"]:
        path = f"/{plan['user']}/{calendar['path']}/"
        if not calendar["there"]:
            ask("MKCALENDAR", path, CALENDAR.format(**calendar), known)
        for uid, event in calendar["events"].items():
            ask("PUT", f"{path}{uid}.ics", event, known)


def ask(method: str, path: str, body: str, known: str) -> None:
    """Make one request, which must succeed."""
    connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=20)
    headers = {"Authorization": f"Basic {known}", "Content-Type": "text/calendar; charset=utf-8"}
    connection.request(method, path, body.encode(), headers)
    answer = connection.getresponse()
    if answer.status not in (200, 201, 204):
        sys.exit(f"{method} {path} was answered with {answer.status} {answer.read()!r}")
    connection.close()


if __name__ == "__main__":
    main()
