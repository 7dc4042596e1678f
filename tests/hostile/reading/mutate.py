"""Damage that is done to files: bytes at random, and what their formats are sensitive to."""

from __future__ import annotations

import gzip
import io
import random
import re
import zipfile

ODD = (
    "nan", "inf", "-inf", "1e999", "-1e999", "9" * 400, "9" * 5000, "-1", "0", "1e308", "2147483648",
    "9223372036854775808", "NaN", "Infinity", "", "0x10", "1_000", "\u0663", "1e-400", "--1", "1,5", "-0", "\u2028",
    "1e5", "99999999", "0.0000001", "\ud800", "\U0001f600", "'", '"', "<", "&amp;", "\\", "..", "/", "%", "\x7f",
    "A" * 70_000,
    "XFD1048576", "A1:XFD1048576", "A12345678", "$A$0", "R[1]C[1]", "=A1", "#REF!", "[.A1:.A9]", "20260399T999999Z",
    "0001-01-01", "9999-12-31", "2026-02-30", "PT999999H", "true", "null", "{}", "[" * 900, "#ffffff", "#12", "100%",
    "scale(1e300) scale(1e300)", "matrix(nan)", "rotate(nan)", "translate()",
)  # fmt: skip
"""What makes readers stumble where they expect a number, a date, a colour or a name."""
MOST_BYTES = 4 * 2**20
_WORD = re.compile(rb"[0-9]+(?:\.[0-9]+)?|[A-Za-z_][A-Za-z0-9_-]*|\"[^\"]{0,80}\"|'[^']{0,80}'")


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Return a damaged copy of a file; its format is respected now and then, so that the damage goes deep."""
    if data.startswith(b"PK") and chance.random() < 0.8:
        return _zip(data, chance)
    if data.startswith(b"\x1f\x8b") and chance.random() < 0.7:
        return gzip.compress(_any(gzip.decompress(data), chance), 1, mtime=0)
    return _any(data, chance)


def _any(data: bytes, chance: random.Random) -> bytes:
    text = b"\0" not in data[:200]
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        # Pieces that are repeated again and again would soon fill the memory of whoever damages them.
        data = (_word if text and chance.random() < 0.75 else _bytes)(data, chance)[:MOST_BYTES]
    return data


def _word(data: bytes, chance: random.Random) -> bytes:
    """Put something odd in the place of a word, repeat a piece, or take one out."""
    words = [match.span() for match in _WORD.finditer(data)]
    if not words:
        return _bytes(data, chance)
    start, end = chance.choice(words)
    how = chance.random()
    if how < 0.7:
        odd = chance.choice(ODD).encode("utf-8", "surrogatepass")
        if data[start : start + 1] in (b'"', b"'") and chance.random() < 0.8:
            odd = data[start : start + 1] + odd + data[start : start + 1]
        return data[:start] + odd + data[end:]
    other = chance.choice(words)[1]
    first, last = min(start, other), max(start, other)
    if how < 0.85:
        return data[:last] + data[first:last] * chance.choice((1, 2, 50)) + data[last:]
    return data[:first] + data[last:]


def _bytes(data: bytes, chance: random.Random) -> bytes:
    if not data:
        return chance.randbytes(chance.randrange(50))
    place = chance.randrange(len(data))
    how = chance.randrange(6)
    if how == 0:
        return data[:place]
    if how == 1:
        return data[:place] + bytes([data[place] ^ (1 << chance.randrange(8))]) + data[place + 1 :]
    if how == 2:
        return data[:place] + chance.randbytes(chance.choice((1, 2, 4, 8, 64))) + data[place + 1 :]
    if how == 3:
        return data[:place] + chance.choice((b"\xff", b"\x00", b"\x7f", b"\x80")) * 4 + data[place + 4 :]
    if how == 4:
        return data[:place] + data[place + chance.choice((1, 4, 100)) :]
    length = chance.choice((4, 100, 4096))
    return data[:place] + data[place : place + length] * chance.choice((2, 20)) + data[place + length :]


def _zip(data: bytes, chance: random.Random) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as after:
        entries = before.infolist()
        # What is large is what a document says; the rest is where it says it.
        weights = [entry.file_size + 200 for entry in entries]
        chosen = chance.choices(entries, weights)[0]
        for entry in entries:
            content = before.read(entry)
            if entry is chosen:
                if chance.random() < 0.05:
                    continue
                content = _any(content, chance)
            after.writestr(entry.filename, content)
    return buffer.getvalue()
