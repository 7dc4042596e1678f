"""A stand-in for the server in OSWorld's guests: its endpoints over HTTP, running what it is told in a folder."""

from __future__ import annotations

import email
import email.policy
import io
import json
import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from PIL import Image

TREE = """<?xml version="1.0" encoding="utf-8"?>
<desktop-frame xmlns:st="https://accessibility.ubuntu.example.org/ns/state"
 xmlns:cp="https://accessibility.ubuntu.example.org/ns/component" name="main">
 <application name="gedit" st:enabled="true">
  <frame name="notes.txt" st:showing="true" st:visible="true" st:active="true"
   cp:screencoord="(10, 20)" cp:size="(400, 300)">
   <push-button name="Save" st:showing="true" st:visible="true" cp:screencoord="(20, 30)" cp:size="(60, 24)"/>
  </frame>
 </application>
</desktop-frame>
"""


class World:
    """What the stand-in shows and where it works."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.up = True
        self.tree = TREE
        self.screenshot = _picture()
        self.answers: dict[str, tuple[int, bytes]] = {}
        """Answers by path that stand for the right ones."""


def _picture() -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (64, 48), (51, 102, 153)).save(file, "PNG")
    return file.getvalue()


@contextmanager
def serving(world: World) -> Iterator[int]:
    """Serve on a loopback port."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            """Say nothing."""

        def do_GET(self) -> None:
            self.reply(*look(world, self.path))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.reply(*act(world, self.path, self.headers["Content-Type"], body))

        def reply(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def look(world: World, path: str) -> tuple[int, bytes]:
    if path in world.answers:
        return world.answers[path]
    if path == "/platform":
        return (200, b"Linux") if world.up else (503, b"not yet")
    if path == "/screenshot":
        return 200, world.screenshot
    if path == "/accessibility":
        return 200, json.dumps({"AT": world.tree}).encode()
    return 404, b"no such page"


def act(world: World, path: str, kind: str, body: bytes) -> tuple[int, bytes]:
    if path in world.answers:
        return world.answers[path]
    if path == "/setup/upload":
        message = email.message_from_bytes(f"Content-Type: {kind}\r\n\r\n".encode() + body, policy=email.policy.HTTP)
        fields = {part.get_param("name", header="content-disposition"): part for part in message.iter_parts()}
        target = fields["file_path"].get_content().strip()
        Path(target).write_bytes(fields["file_data"].get_payload(decode=True))
        return 200, b"File Uploaded"
    told = json.loads(body)
    env = {"HOME": str(world.home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    try:
        done = subprocess.run(
            told["command"], shell=told["shell"], capture_output=True, text=True, timeout=120, env=env, check=False
        )
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        return 500, json.dumps({"status": "error", "message": str(error)}).encode()
    told = {"status": "success", "output": done.stdout, "error": done.stderr, "returncode": done.returncode}
    return 200, json.dumps(told).encode()
