"""The index of a run: lines of JSON, each carrying the hash of the line before."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from proctor.store.bounds import load_json
from proctor.store.files import open_plain

MAX_LINE = 16 * 1024 * 1024

_HASH = re.compile(rb',"hash":"([0-9a-f]{64})"\}\n', re.ASCII)
_HASH_BYTES = len(',"hash":""}\n') + 64


class ChainLink(NamedTuple):
    """One line of an index, as it was found."""

    number: int
    """From 1."""
    offset: int
    """Where it begins, in bytes."""
    raw: bytes
    data: dict[str, Any]
    """What it says; empty where it cannot be read."""
    hash: str
    """The one it carries; empty where it cannot be read."""
    fault: str
    """What is wrong with it; empty when nothing is."""

    @property
    def torn(self) -> bool:
        """Whether its end is missing, as after a loss of power or while it is being written."""
        return not self.raw.endswith(b"\n")


def forge(previous: str, data: Mapping[str, object]) -> tuple[bytes, str]:
    """Return the line that follows the one with this hash, and its own hash."""
    # Strict: other readers of JSON Lines know no NaN.
    body = json.dumps({**data, "prev": previous}, separators=(",", ":"), allow_nan=False).encode("ascii")
    digest = hashlib.sha256(body).hexdigest()
    return body[:-1] + f',"hash":"{digest}"}}\n'.encode("ascii"), digest


def links(index: Path, root: str) -> Iterator[ChainLink]:
    """Walk an index from its first line, which follows `root`, each judged with the one before."""
    previous, offset, number = root, 0, 0
    with os.fdopen(open_plain(index), "rb", buffering=1 << 18) as file:
        while raw := file.readline(MAX_LINE):
            number += 1
            link = _judge(number, offset, raw, previous)
            yield link
            offset += len(raw)
            # A broken line is reported once: the next one is compared with what this one claims to be.
            previous = link.hash or _claimed_hash(raw)


def _judge(number: int, offset: int, raw: bytes, previous: str) -> ChainLink:
    match = _HASH.fullmatch(raw[-_HASH_BYTES:])
    body = raw[:-_HASH_BYTES] + b"}"
    if match is None or hashlib.sha256(body).hexdigest().encode() != match[1]:
        fault = "was changed" if raw.endswith(b"\n") else "is cut off"
        return ChainLink(number, offset, raw, {}, "", fault)
    try:
        data = load_json(body, strict=True)
        if not isinstance(data, dict):
            raise ValueError("it is not an object")
    except ValueError as error:
        return ChainLink(number, offset, raw, {}, "", f"is not the JSON of a record: {error}")
    fault = "" if data.pop("prev", None) == previous else "does not follow the line before: one was removed or moved"
    return ChainLink(number, offset, raw, data, match[1].decode(), fault)


def _claimed_hash(raw: bytes) -> str:
    match = _HASH.fullmatch(raw[-_HASH_BYTES:])
    return match[1].decode() if match else ""
