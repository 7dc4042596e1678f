"""Asks a page in Chromium what scripts come to; runs inside the computer.

It runs where our package is not, so it imports the standard library only. It is given the port, the address of the page
and the scripts.
"""

from __future__ import annotations

import base64
import json
import os
import socket
import struct
import sys
import urllib.request
from typing import Any

SECONDS = 10
MOST_BYTES = 4_000_000


class Socket:
    """A web socket, as far as questions and answers need one."""

    def __init__(self, port: int, path: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
        key = base64.b64encode(os.urandom(16)).decode()
        asked = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        self._socket.sendall(f"{asked}Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self._read = self._socket.makefile("rb")
        status = self._read.readline()
        while self._read.readline().strip():
            pass
        if b" 101 " not in status:
            sys.exit(f"Chromium refuses to be asked: {status.decode(errors='replace').strip()}")

    def ask(self, method: str, **parameters: object) -> dict[str, Any]:
        """Return what a method comes to."""
        self._send(json.dumps({"id": 1, "method": method, "params": parameters}).encode())
        while True:
            told: dict[str, Any] = json.loads(self._receive())
            if told.get("id") == 1:
                return {**told, **told.get("result", {})}

    def _send(self, data: bytes) -> None:
        size = len(data)
        head = struct.pack("!BBH", 0x81, 0xFE, size) if size < 65536 else struct.pack("!BBQ", 0x81, 0xFF, size)
        if size < 126:
            head = struct.pack("!BB", 0x81, 0x80 | size)
        # A mask of nothing but zeros changes nothing, and is one all the same.
        self._socket.sendall(head + bytes(4) + data)

    def _receive(self) -> bytes:
        whole = b""
        while True:
            first, size = struct.unpack("!BB", self._read.read(2))
            size &= 0x7F
            if size > 125:
                size = struct.unpack("!H" if size == 126 else "!Q", self._read.read(2 if size == 126 else 8))[0]
            if size + len(whole) > MOST_BYTES:
                sys.exit("the page says more than is looked at")
            whole += self._read.read(size)
            if first & 0x80:
                return whole


def main(port: int, address: str, scripts: list[str]) -> int:
    """Print what each script comes to in the page of an address, of no address in the one in front."""
    pages = urllib.request.urlopen(f"http://127.0.0.1:{port}/json", timeout=SECONDS).read(MOST_BYTES)
    shown = [page for page in json.loads(pages) if page["type"] == "page"]
    fitting = [page for page in shown if not address or page["url"].rstrip("/") == address.rstrip("/")]
    fitting = fitting or [page for page in shown if page["url"].startswith(address)]
    if not fitting:
        sys.exit(f"no tab shows {address or 'anything'}")
    page = Socket(port, f"/devtools/page/{fitting[0]['id']}")
    answers = []
    for script in scripts:
        if script == "Page.reload":
            page.ask("Page.reload")
            script = "new Promise(r => document.readyState == 'complete' ? r(1) : addEventListener('load', () => r(1)))"
        told = page.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, userGesture=True)
        if "exceptionDetails" in told:
            said = told["exceptionDetails"]
            sys.exit(f"the page says: {said.get('exception', said).get('description', said['text'])}"[:500])
        answers.append(told.get("result", {}).get("value"))
    print(json.dumps({"url": fitting[0]["url"], "answers": answers}))
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2], sys.argv[3:]))
