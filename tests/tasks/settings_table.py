"""Tables of settings as dconf and GSettings keep them in files, made of values that GLib has written."""

from __future__ import annotations

import base64
import struct
from collections.abc import Mapping

HEAD = 24
ENTRY = 24
ALARMS = (
    "bmFtZQAAAABUZWEAAHMFAGlkAAAAAAAAMQAAcwMAAABob3VyAAAAAAcAAAAAaQUAbWludXRlAAAtAAAAAGkHAGFjdGl2ZQAAAQBiBwAAAABkYXlzAAAA"
    "AAEAAAACAAAAAGFpBQ8dLz9MZAAAAAAAAG5hbWUAAAAAQ2F0J3MAAHMFAAAAAAAAAGhvdXIAAAAACAAAAABpBQBtaW51dGUAAAUAAAAAaQcAYWN0aXZl"
    "AAAAAGIHAAAAAGRheXMAAAAAAGFpBREnN0RUaskAKGFhe3N2fSk="
)
CITIES = (
    "bG9jYXRpb24AAAAAAAAAAAIAAAAAAAAAQ2Fpcm8ASEVDQQABAAAAAAAAAAAAAOA/AAAAAAAA4D8AAAAAAADgPwAAAAAAAOA/IAsGAChzc2JhKGRkKWEo"
    "ZGQpKQAodXYpCWFiAChhYXtzdn0p"
)
LETTERS, THREE, PATH = "YQBiAAIEAChhcyk=", "AwAAAAB1", "L29yZy9hLwAAcw=="
"""A list of `a` and `b` in a structure, the number 3, the path `/org/a/`: each as a variant."""


def settings_file(values: Mapping[str, str], tables: Mapping[str, Mapping[str, str]] | None = None) -> bytes:
    """Return a file with values, in Base64, by their names; and with tables of such."""
    data = bytearray(HEAD)
    inner = {name: (b"H", *_table(data, {key: _value(data, held) for key, held in table.items()}))
             for name, table in (tables or {}).items()}  # fmt: skip
    place = _table(data, {**{name: _value(data, value) for name, value in values.items()}, **inner})
    data[:HEAD] = struct.pack("<8sIIII", b"GVariant", 0, 0, *place)
    return bytes(data)


def member(value: str) -> str:
    """Return the only member of a structure, in Base64."""
    data, _, kind = base64.b64decode(value).rpartition(b"\0")
    return base64.b64encode(data + b"\0" + kind[1:-1]).decode()


def _value(data: bytearray, value: str) -> tuple[bytes, int, int]:
    return b"v", *_put(data, base64.b64decode(value))


def _table(data: bytearray, entries: Mapping[str, tuple[bytes, int, int]]) -> tuple[int, int]:
    names = {name: _put(data, name.encode()) for name in entries}
    rows = [
        struct.pack("<IIIHcxII", 0, 0xFFFFFFFF, names[name][0], len(name.encode()), kind, start, end)
        for name, (kind, start, end) in entries.items()
    ]
    return _put(data, struct.pack("<III", 0, 1, 0) + b"".join(rows))


def _put(data: bytearray, piece: bytes) -> tuple[int, int]:
    data += bytes(-len(data) % 8)
    data += piece
    return len(data) - len(piece), len(data)
