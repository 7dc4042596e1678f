"""What an episode's models were sent and what they answered: put together again exactly.

`model.jsonl` has two kinds of lines; parts come before whatever refers to them:

    {"part": hash, "value": ...}
    {"call": 3, "turn": 2, "at": ..., "model": "openai/gpt-4o", "path": "/chat/completions", "headers": {...},
     "request": {...}, "answer": {...}, "error": ""}

`request` is the body as it was sent, and `answer` the body that came back, packed as `packing.py` says; only keys and
passwords are taken out. Pictures are those of the record; one that was sent in another size or format lies beside them
as `sent-<beginning of its SHA-256>.<ending>`.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proctor.errors import RecordError
from proctor.store.files import open_lines, read_whole
from proctor.store.pack import LOG, MAX_LOG, PICTURE, PackedParts
from proctor.store.plain import MAX_LINE

MAX_PICTURE = 64 * 1024 * 1024


@dataclass(frozen=True)
class RecordedExchange:
    """One call as it was recorded, not yet put together."""

    number: int
    turn: int
    model: str
    path: str
    error: str
    _line: dict[str, Any]
    _parts: PackedParts
    _folder: Path

    def request(self, picture: Callable[[str], Any] | None = None) -> Any:
        """Return the exact body that was sent; `picture` makes what stands for each picture's file name."""
        return self._unpack("request", picture)

    def answer(self, picture: Callable[[str], object] | None = None) -> object:
        """Return the body that came back; None where there was none."""
        return self._unpack("answer", picture)

    def _unpack(self, name: str, picture: Callable[[str], object] | None) -> object:
        def place(found: dict[str, Any]) -> Any:
            file = found["$picture"]
            if not isinstance(file, str) or not PICTURE.fullmatch(file):
                raise RecordError(f"{self._folder}: {str(file)[:100]!r} is not a picture of a record")
            return picture(file) if picture else _encode_picture(self._folder / file, found)

        return self._parts.unpack(self._line.get(name), place)


class Exchanges:
    """The log of an episode, as far as it is written; `more` reads what was added."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._parts = PackedParts()
        self._read = 0
        self.calls: list[RecordedExchange] = []

    def more(self) -> list[RecordedExchange]:
        """Read what was added and return all calls; raises RecordError for a line that cannot be read."""
        for line in self._lines():
            if "part" in line:
                self._parts.add(line["part"], line.get("value"), clipped=line.get("clipped") is True)
            elif isinstance(line.get("call"), int):
                words = {name: str(line.get(name) or "") for name in ("model", "path", "error")}
                turn = line["turn"] if isinstance(line.get("turn"), int) else 0
                self.calls.append(
                    RecordedExchange(
                        number=line["call"], turn=turn, **words, _line=line, _parts=self._parts, _folder=self._folder
                    )
                )
        return self.calls

    def _lines(self) -> Iterator[dict[str, Any]]:
        path = self._folder / LOG
        if (file := open_lines(path)) is None:
            return
        with file:
            file.seek(self._read)
            while (data := file.readline(MAX_LINE + 2)).endswith(b"\n") and self._read <= 2 * MAX_LOG:
                self._read += len(data)
                try:
                    line = json.loads(data)
                except (ValueError, RecursionError) as error:
                    raise RecordError(
                        f"{path} has a line that is not JSON", remedy="see `proctor runs verify`"
                    ) from error
                if isinstance(line, dict):
                    yield line


def _encode_picture(path: Path, found: dict[str, object]) -> str:
    """Return a picture as it stood in a message; raises RecordError when its file is another one."""
    data = read_whole(path, MAX_PICTURE)
    if hashlib.sha256(data).hexdigest() != found.get("sha256"):
        raise RecordError(f"{path} is not the picture that was sent", remedy="see `proctor runs verify`")
    return f"{found.get('as', '')}{base64.b64encode(data).decode('ascii')}"
