"""A provider on loopback: answers with what a test wrote down, and remembers what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Asked:
    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class Answer:
    body: Any = None
    """Plain data, or bytes as they are."""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    hang: bool = False
    """Answer nothing until the test is over."""
    reset: bool = False
    """Close the connection without a word."""


class Provider:
    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.asked: list[Asked] = []
        self.over = threading.Event()
        self.url = ""

    def will(self, body: Any = None, status: int = 200, **more: Any) -> None:
        self.answers.append(Answer(body, status, **more))

    def next(self) -> Answer:
        """Return the next answer; the last one is given again and again."""
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@contextmanager
def provider() -> Iterator[Provider]:
    here = Provider()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            here.asked.append(Asked(self.path, headers, json.loads(raw)))
            answer = here.next()
            if answer.hang:
                here.over.wait()
            if answer.hang or answer.reset:
                self.close_connection = True
                return
            data = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
            self.send_response(answer.status)
            for name, value in {"Content-Type": "application/json", **answer.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    here.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield here
    finally:
        here.over.set()
        server.shutdown()
        server.server_close()
        thread.join()
