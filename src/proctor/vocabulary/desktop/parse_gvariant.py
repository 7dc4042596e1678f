"""Values as GVariant stores them, and the tables of them that dconf and GSettings keep in files."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

MOST_DEPTH = 40
MOST_ENTRIES = 100_000
MOST_VALUES = 100_000
_MAGIC = b"GVariant"
_NUMBERS = {"y": "B", "n": "h", "q": "H", "i": "i", "u": "I", "x": "q", "t": "Q", "d": "d", "b": "B", "h": "i"}
_WORDS = {"y": "byte ", "n": "int16 ", "q": "uint16 ", "u": "uint32 ", "x": "int64 ", "t": "uint64 ", "h": "handle "}
_ENTRY = struct.Struct("<IIIHBxII")


class _Garbled(ValueError):
    """It is not what it claims to be."""


@dataclass(frozen=True, slots=True)
class VariantKind:
    """A type: its letter, what it is made of, and how its values lie in memory."""

    letter: str
    parts: tuple[VariantKind, ...]
    align: int
    size: int
    """Of every value; 0 where they differ."""
    text: str


@dataclass(frozen=True, slots=True)
class Variant:
    """A value with its type; the values of containers are lists of such."""

    kind: VariantKind
    value: Any

    def __str__(self) -> str:
        return _write(self, True)


def read_table(data: bytes, place: tuple[int, int] | None = None) -> dict[str, Variant | tuple[int, int]]:
    """Return the values in a file of dconf or GSettings by name, and where inner tables lie.

    Raises ValueError where it is none.
    """
    if data[:8] != _MAGIC:
        raise _Garbled("it is no table of settings")
    start, end = place or struct.unpack_from("<II", data, 16)
    if not 0 <= start <= end <= len(data) or end - start < 8:
        raise _Garbled("its table lies outside of it")
    blooms, buckets = struct.unpack_from("<II", data, start)
    first = start + 8 + 4 * ((blooms & 0x7FFFFFF) + buckets)
    count = (end - first) // _ENTRY.size
    if first > end or count > MOST_ENTRIES:
        raise _Garbled("its table is larger than it can be")
    entries = [_ENTRY.unpack_from(data, first + at * _ENTRY.size) for at in range(count)]
    found: dict[str, Variant | tuple[int, int]] = {}
    left = [MOST_VALUES]
    for at, (_, _, _, _, kind, begins, ends) in enumerate(entries):
        if kind not in b"vH" or not 0 <= begins <= ends <= len(data):
            continue
        place = (begins, ends)
        found[_name(data, entries, at)] = (
            place if kind == ord("H") else _read(_VARIANT, data[begins:ends], 0, left).value
        )
    return found


def _name(data: bytes, entries: list[tuple[int, ...]], at: int) -> str:
    name = b""
    for _ in range(MOST_DEPTH):
        _, parent, start, size, *_rest = entries[at]
        name = data[start : start + size] + name
        if parent == 0xFFFFFFFF:
            return name.decode(errors="replace")
        if parent >= len(entries):
            break
        at = parent
    raise _Garbled("a name in it has no beginning")


# -- types --------------------------------------------------------------------------------------------------------


def _parse_kind(text: str, at: int = 0, depth: int = 0) -> tuple[VariantKind, int]:
    if at >= len(text) or depth > MOST_DEPTH:
        raise _Garbled("a type in it has no end")
    letter = text[at]
    if letter in _NUMBERS:
        size = struct.calcsize(_NUMBERS[letter])
        return VariantKind(letter, (), size, size, letter), at + 1
    if letter in "sog":
        return VariantKind(letter, (), 1, 0, letter), at + 1
    if letter == "v":
        return VariantKind(letter, (), 8, 0, letter), at + 1
    if letter in "am":
        inner, after = _parse_kind(text, at + 1, depth + 1)
        return VariantKind(letter, (inner,), inner.align, 0, text[at:after]), after
    if letter in "({":
        closing, parts, after = ")" if letter == "(" else "}", [], at + 1
        while after < len(text) and text[after] != closing:
            part, after = _parse_kind(text, after, depth + 1)
            parts.append(part)
        if after >= len(text) or (letter == "{" and len(parts) != 2):
            raise _Garbled("a type in it has no end")
        return _structure(letter, tuple(parts), text[at : after + 1]), after + 1
    raise _Garbled(f"{letter!r} is no type")


def _structure(letter: str, parts: tuple[VariantKind, ...], text: str) -> VariantKind:
    align = max((part.align for part in parts), default=1)
    size = 0
    for part in parts:
        size = _up(size, part.align) + part.size
    fixed = all(part.size for part in parts)
    return VariantKind(letter, parts, align, max(_up(size, align), 1) if fixed else 0, text)


def _up(place: int, align: int) -> int:
    return -(-place // align) * align


_VARIANT = _parse_kind("v")[0]

# -- values -------------------------------------------------------------------------------------------------------


def _read(kind: VariantKind, data: bytes, depth: int, left: list[int]) -> Variant:
    left[0] -= 1
    if left[0] < 0 or depth > MOST_DEPTH:
        raise _Garbled("it holds more than is looked at")
    match kind.letter:
        case "s" | "o" | "g":
            return Variant(kind, data.partition(b"\0")[0].decode(errors="replace"))
        case "v":
            inner, _, name = data.rpartition(b"\0")
            made, end = _parse_kind(name.decode("latin-1"))
            if end != len(name):
                raise _Garbled("a type in it goes on after its end")
            return Variant(kind, _read(made, inner, depth + 1, left))
        case "a":
            return Variant(kind, [_read(kind.parts[0], each, depth + 1, left) for each in _elements(kind, data)])
        case "m":
            inner_data = data if kind.parts[0].size else data[:-1]
            return Variant(kind, _read(kind.parts[0], inner_data, depth + 1, left) if data else None)
        case "(" | "{":
            pieces = _members(kind, data)
            return Variant(
                kind, [_read(part, each, depth + 1, left) for part, each in zip(kind.parts, pieces, strict=True)]
            )
    if len(data) != kind.size:
        raise _Garbled("a number in it has another size")
    (number,) = struct.unpack(f"<{_NUMBERS[kind.letter]}", data)
    return Variant(kind, bool(number) if kind.letter == "b" else number)


def _offset_size(length: int) -> int:
    return next(size for size in (1, 2, 4, 8) if length < 1 << 8 * size)


def _offset(data: bytes, at: int, size: int) -> int:
    return int.from_bytes(data[at : at + size], "little")


def _elements(kind: VariantKind, data: bytes) -> Iterator[bytes]:
    inner = kind.parts[0]
    if not data:
        return
    if inner.size:
        yield from (data[at : at + inner.size] for at in range(0, len(data), inner.size))
        return
    size = _offset_size(len(data))
    table = _offset(data, len(data) - size, size)
    if table > len(data) - size or (len(data) - table) % size:
        raise _Garbled("a list in it has no end")
    start = 0
    for at in range(table, len(data), size):
        end = _offset(data, at, size)
        if not start <= end <= table:
            raise _Garbled("a list in it is out of order")
        yield data[start:end]
        start = _up(end, inner.align)


def _members(kind: VariantKind, data: bytes) -> Iterator[bytes]:
    size = _offset_size(len(data))
    start, frame = 0, len(data)
    for number, part in enumerate(kind.parts):
        start = _up(start, part.align)
        if part.size:
            end = start + part.size
        elif number == len(kind.parts) - 1:
            end = frame
        else:
            frame -= size
            if frame < 0:
                raise _Garbled("a structure in it has no end")
            end = _offset(data, frame, size)
        if not start <= end <= len(data):
            raise _Garbled("a structure in it is out of order")
        yield data[start:end]
        start = end


# -- their text form ------------------------------------------------------------------------------------------------


def _write(held: Variant, tell: bool) -> str:
    """Return a value as GVariant's own tools print it; `tell` says whether its type must be told."""
    letter, value = held.kind.letter, held.value
    match letter:
        case "b":
            return "true" if value else "false"
        case "y":
            return f"{_WORDS['y'] if tell else ''}0x{value:02x}"
        case "s":
            return _quote(value)
        case "o" | "g":
            return f"{('objectpath ' if letter == 'o' else 'signature ') if tell else ''}{_quote(value)}"
        case "d":
            bare = f"{value:.17g}"
            return bare if any(sign in bare for sign in ".en") else f"{bare}.0"
        case "v":
            return f"<{_write(value, True)}>"
        case "m":
            bare = "nothing" if value is None else _write(value, tell)
            return f"@{held.kind.text} {bare}" if tell else bare
        case "a":
            return _write_list(held, tell)
        case "(":
            inner = ", ".join(_write(each, tell) for each in value)
            return f"({inner},)" if len(value) == 1 else f"({inner})"
        case "{":
            return f"{{{_write(value[0], tell)}: {_write(value[1], tell)}}}"
    return f"{_WORDS.get(letter, '') if tell else ''}{value}"


def _write_list(held: Variant, tell: bool) -> str:
    if not held.value:
        bare = "{}" if held.kind.parts[0].letter == "{" else "[]"
        return f"@{held.kind.text} {bare}" if tell else bare
    # One that says of which type they are says it of all.
    each = [_write(one, tell and not at) for at, one in enumerate(held.value)]
    if held.kind.parts[0].letter == "{":
        return f"{{{', '.join(one[1:-1] for one in each)}}}"
    return f"[{', '.join(each)}]"


def _quote(text: str) -> str:
    mark = '"' if "'" in text else "'"
    pieces = []
    for letter in text:
        if letter in (mark, "\\"):
            pieces.append(f"\\{letter}")
        elif letter.isprintable():
            pieces.append(letter)
        else:
            named = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\a": "\\a", "\b": "\\b", "\f": "\\f", "\v": "\\v"}
            pieces.append(
                named.get(letter) or (f"\\u{ord(letter):04x}" if ord(letter) < 1 << 16 else f"\\U{ord(letter):08x}")
            )
    return f"{mark}{''.join(pieces)}{mark}"
