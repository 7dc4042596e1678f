"""A reader whose formats misbehave: run as `PROGRAM` of a `Reader` in the tests."""

from __future__ import annotations

import ctypes
import os
import socket
import sys
import threading
import types
from pathlib import Path
from typing import Any

NAME = "proctor.vocabulary.formats.misbehaving.reading"
PROGRAM = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    f"sys.path.insert(1, {str(Path(__file__).parents[2])!r}); "
    "from tests.tasks.misbehaving import main; main({}, {})"
)


def echo(data: bytes, *more: Any) -> Any:
    return [len(data), *more]


def crash() -> None:
    ctypes.string_at(0)


def abort() -> None:
    os.abort()


def eat() -> int:
    return len(bytearray(2**31))


def eat_in_small_bites() -> int:
    held = []
    while True:
        held.append(bytearray(2**16))


def loop() -> None:
    while True:
        pass


def wait() -> None:
    threading.Event().wait()


def leave() -> None:
    os._exit(0)


def quit() -> None:
    sys.exit(3)


def interrupt() -> None:
    raise KeyboardInterrupt


def raise_it(name: str) -> None:
    raise {"ValueError": ValueError, "KeyError": KeyError, "RecursionError": RecursionError}[name]("so what\nelse")


def odd(name: str) -> Any:
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    return {
        "nan": float("nan"), "inf": [float("inf")], "deep": deep, "set": {1}, "bytes": b"x", "number": {1: 2},
        "huge": 10**400, "long": "x" * 13 * 2**20, "many": [0] * 1_000_001, "half": "a\ud800b\udcff",
    }[name]  # fmt: skip


def garbage(answer: str) -> None:
    """Say something in place of an answer."""
    for fd in range(3, 64):
        try:
            os.write(fd, answer.encode("latin-1"))
        except OSError:
            continue
    os._exit(0)


def endless() -> None:
    while True:
        garbage_piece = b"x" * 2**16
        for fd in range(3, 64):
            try:
                os.write(fd, garbage_piece)
            except BrokenPipeError:
                os._exit(0)
            except OSError:
                continue


def attempts() -> dict[str, str]:
    """Try everything that must not be possible."""
    found = {}
    for name, attempt in {
        "read a file": lambda: os.open("/etc/passwd", os.O_RDONLY),
        "look at a file": lambda: Path("/etc/passwd").stat(),
        "list a folder": lambda: list(Path("/").iterdir()),
        "write a file": lambda: os.open("/tmp/proctor-cage", os.O_CREAT | os.O_WRONLY),
        "open a socket": lambda: socket.socket(),
        "fork": os.fork,
        "exec": lambda: os.execv("/bin/true", ["true"]),
        "kill the reader": lambda: os.kill(os.getppid(), 9),
        "kill all": lambda: os.kill(-1, 9),
        "take root": lambda: os.setuid(0),
        "make a pipe": os.pipe,
        "more files": lambda: __import__("resource").setrlimit(7, (100, 100)),
        "trace": lambda: _call(101, 0, 0, 0, 0),
    }.items():
        try:
            attempt()
            found[name] = "worked"
        except (OSError, ValueError) as error:
            found[name] = f"{type(error).__name__}: {error}"
    started = threading.Thread(target=lambda: found.update(thread="worked"))
    started.start()
    started.join()
    return found


def _call(*words: int) -> None:
    if ctypes.CDLL(None, use_errno=True).syscall(*words) < 0:
        raise OSError(ctypes.get_errno(), "no")


def late() -> str:
    """Use a part of a library that nobody has loaded, and take no notice where there is none."""
    try:
        import wave

        return wave.__name__
    except ImportError:
        return "nothing"


def never() -> str:
    try:
        import encodings.no_such_encoding  # type: ignore[import-not-found]  # noqa: F401

        return "strange"
    except ImportError:
        return "nothing"


def environment() -> Any:
    return {"environ": dict(os.environ), "path": sys.path[0], "flags": sys.flags.isolated}


def main(fd: int, harness: int) -> None:
    from proctor.tasks.reader import confine, server

    confine.CPU_SEC, confine.WALL_SEC = 1, 2
    module = types.ModuleType(NAME)
    module.__dict__.update({name: value for name, value in globals().items() if callable(value)})
    sys.modules[NAME] = module
    server.main(fd, harness)
