"""The calendar service inside a computer: Radicale, with the calendars of one task in it."""

import base64
import http.client
import json
import os
import pwd
import shutil
import socket
import sys
from pathlib import Path
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

TOP = Path("/run/calendars")
PORT = 5232
CALENDAR = """<?xml version="1.0" encoding="utf-8"?>
<C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:I="http://apple.com/ns/ical/"><D:set><D:prop>
<D:displayname>{title}</D:displayname><I:calendar-color>{colour}</I:calendar-color>
</D:prop></D:set></C:mkcalendar>"""


def main() -> None:
    """Start the server and leave when every calendar is in it."""
    plan = json.load(sys.stdin)
    os.umask(0o077)
    TOP.mkdir()
    (TOP / "users").write_text(f"{plan['user']}:{plan['password']}\n")
    (TOP / "settings").write_text(plan["settings"])
    for path in (TOP, *TOP.iterdir()):
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
    user = pwd.getpwnam("radicale")
    os.setgroups([])
    os.setresgid(user.pw_gid, user.pw_gid, user.pw_gid)
    os.setresuid(user.pw_uid, user.pw_uid, user.pw_uid)


def serve(listener: socket.socket) -> None:
    """Answer requests for ever."""
    from radicale import Application, config  # type: ignore[import-not-found]

    class Server(ThreadingMixIn, WSGIServer):
        """Answers several clients at once."""

        daemon_threads = True

    server = Server(("127.0.0.1", PORT), WSGIRequestHandler, bind_and_activate=False)
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
