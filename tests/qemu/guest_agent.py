"""A stand-in for QEMU's guest agent: speaks its protocol over a socket and runs what it is told in a folder."""

from __future__ import annotations

import base64
import json
import os
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any


class StandIn:
    """The agent's end of the line."""

    def __init__(self, conn: socket.socket, home: Path) -> None:
        self.conn = conn
        self.home = home
        self.asked: list[str] = []
        self.running: dict[int, tuple[subprocess.Popen[bytes], threading.Thread, list[bytes]]] = {}
        self.noise = b""
        """What it says before each answer to a sync."""
        self.truncated = False

    def serve(self) -> None:
        inbox = b""
        with suppress(OSError):
            while data := self.conn.recv(1 << 16):
                inbox += data
                while b"\n" in inbox:
                    line, _, inbox = inbox.partition(b"\n")
                    self.answer(json.loads(line.rpartition(b"\xff")[2]))
        for process, _, _ in self.running.values():
            with suppress(OSError):
                process.kill()
            process.wait()

    def answer(self, message: dict[str, Any]) -> None:
        command, given = message["execute"], message.get("arguments", {})
        self.asked.append(command)
        if command == "guest-sync-delimited":
            self.say({"return": given["id"]}, before=self.noise + b"\xff")
        elif command == "guest-exec":
            self.say(self.begin(given))
        elif command == "guest-exec-status":
            self.say({"return": self.status(given["pid"])})
        else:
            self.say({"error": {"class": "CommandNotFound", "desc": f"The command {command} has not been found"}})

    def say(self, message: dict[str, Any], before: bytes = b"") -> None:
        self.conn.sendall(before + json.dumps(message).encode() + b"\n")

    def begin(self, given: dict[str, Any]) -> dict[str, Any]:
        argv = [given["path"], *given.get("arg", [])]
        env = {"HOME": str(self.home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
        try:
            process = subprocess.Popen(
                argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env
            )
        except OSError as error:
            return {"error": {"class": "GenericError", "desc": f"Failed to execute child process ({error})"}}
        left: list[bytes] = []
        given_input = base64.b64decode(given.get("input-data", ""))
        thread = threading.Thread(target=lambda: left.extend(process.communicate(given_input)))
        thread.start()
        self.running[process.pid] = (process, thread, left)
        return {"return": {"pid": process.pid}}

    def status(self, pid: int) -> dict[str, Any]:
        process, thread, left = self.running[pid]
        thread.join(0.01)
        if thread.is_alive():
            return {"exited": False}
        told: dict[str, Any] = {"exited": True}
        told |= {"signal": -process.returncode} if process.returncode < 0 else {"exitcode": process.returncode}
        for name, data in zip(("out-data", "err-data"), left, strict=True):
            if data:
                told[name] = base64.b64encode(data).decode()
        return told | ({"out-truncated": True} if self.truncated else {})


@contextmanager
def stand_in(home: Path) -> Iterator[tuple[socket.socket, StandIn]]:
    """Have a stand-in answer at the other end of a socket."""
    ours, theirs = socket.socketpair()
    agent = StandIn(theirs, home)
    thread = threading.Thread(target=agent.serve)
    thread.start()
    try:
        yield ours, agent
    finally:
        with suppress(OSError):
            ours.shutdown(socket.SHUT_RDWR)
        ours.close()
        thread.join(10)
        theirs.close()
