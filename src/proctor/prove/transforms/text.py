"""Transforms of plain text."""

from __future__ import annotations

import re
from random import Random

from proctor.prove.transforms.shelf import mutant, variant
from proctor.prove.transforms.words import decode, other_number, other_word

PROSE = ("*.txt", "*.md", "*.text", "*.rst", "*.log", "readme*", "*.todo")
"""Files in which blanks and line ends mean nothing."""
LINES = (*PROSE, "*.csv", "*.tsv", "*.py", "*.sh", "*.js", "*.c", "*.sql", "*.m3u", "*.srt", "*.css", "*.tex")
"""Files made of lines."""
_NOTED = re.compile(r"Content-Type: text/x-zim-wiki\r?\n(?:[\w-]+: .*\n)*\s*(?:=+ .* =+\s*?\n)?(?:Created .*\n)?")
"""What Zim writes above a page."""


def _lines(data: bytes) -> list[str] | None:
    text = decode(data)
    return None if text is None else text.splitlines(keepends=True)


def _join(lines: list[str]) -> bytes:
    return "".join(lines).encode()


@mutant("its last line dropped", *LINES)
def last_line_dropped(data: bytes, draw: Random) -> bytes | None:
    """Leave out the last line that says something."""
    lines = _lines(data)
    if not lines:
        return None
    while lines and not lines[-1].strip():
        lines.pop()
    return _join(lines[:-1]) if lines else None


@mutant("its first line dropped", *LINES)
def first_line_dropped(data: bytes, draw: Random) -> bytes | None:
    """Leave out the first line that says something."""
    lines = _lines(data)
    if not lines:
        return None
    place = next((at for at, line in enumerate(lines) if line.strip()), None)
    return None if place is None else _join(lines[:place] + lines[place + 1 :])


@mutant("a line duplicated", *LINES)
def line_duplicated(data: bytes, draw: Random) -> bytes | None:
    """Write a line twice."""
    lines = _lines(data)
    said = [at for at, line in enumerate(lines or ()) if line.strip()]
    if not lines or not said:
        return None
    at = draw.choice(said)
    line = lines[at] if lines[at].endswith("\n") else lines[at] + "\n"
    return _join([*lines[:at], line, *lines[at:]])


@mutant("two lines exchanged", *PROSE)
def lines_exchanged(data: bytes, draw: Random) -> bytes | None:
    """Exchange the first line that says something and the last one."""
    lines = [] if (found := decode(data)) is None else found.split("\n")
    said = [at for at, line in enumerate(lines) if line.strip()]
    if len(said) < 2 or lines[said[0]].strip() == lines[said[-1]].strip():
        return None
    lines[said[0]], lines[said[-1]] = lines[said[-1]], lines[said[0]]
    return "\n".join(lines).encode()


@mutant("a word changed", *LINES)
def word_changed(data: bytes, draw: Random) -> bytes | None:
    """Put another word in place of one."""
    head, text = _apart(data)
    changed = None if text is None else other_word(text, draw)
    return None if changed is None else (head + changed).encode()


def _apart(data: bytes) -> tuple[str, str | None]:
    """Return what a program noted above a text, such as when a page of a notebook was made, and the text itself."""
    text = decode(data)
    noted = None if text is None else _NOTED.match(text)
    return (text[: noted.end()], text[noted.end() :]) if text and noted else ("", text)


@mutant("a word of its last line changed", *PROSE)
def last_word_changed(data: bytes, draw: Random) -> bytes | None:
    """Put another word in place of one in the last line."""
    text = decode(data)
    if text is None:
        return None
    head, end, tail = text.rstrip().rpartition("\n")
    changed = other_word(tail, draw)
    return None if changed is None else (head + end + changed + text[len(text.rstrip()) :]).encode()


@mutant("a number changed", *LINES)
def number_changed(data: bytes, draw: Random) -> bytes | None:
    """Put another number in place of one."""
    head, text = _apart(data)
    changed = None if text is None else other_number(text, draw)
    return None if changed is None else (head + changed).encode()


@mutant("a line of nonsense added", *PROSE)
def nonsense_added(data: bytes, draw: Random) -> bytes | None:
    """Add a line that nobody asked for."""
    text = decode(data)
    return None if text is None else f"{text.rstrip()}\nqwvx zzyq {draw.randint(100, 999)}\n".encode()


@variant("line ends of Windows", *PROSE, "*.csv", "*.tsv")
def line_ends(data: bytes, draw: Random) -> bytes | None:
    """End lines as Windows does."""
    text = decode(data)
    return None if text is None or "\r" in text else text.replace("\n", "\r\n").encode()


@variant("blanks at the ends of lines", *PROSE)
def trailing_blanks(data: bytes, draw: Random) -> bytes | None:
    """Add a blank to every line that says something."""
    lines = None if (text := decode(data)) is None else text.split("\n")
    return None if not lines else "\n".join(line + " " if line.strip() else line for line in lines).encode()


@variant("its last line ended or not", *PROSE, "*.csv", "*.tsv", "*.py", "*.sh")
def final_newline(data: bytes, draw: Random) -> bytes | None:
    """Drop the end of the last line, or add it."""
    text = decode(data)
    if text is None:
        return None
    return (text.rstrip("\r\n") if text.endswith("\n") else text + "\n").encode()


@variant("an empty line at its end", *PROSE)
def empty_line(data: bytes, draw: Random) -> bytes | None:
    """Leave an empty line at the end."""
    text = decode(data)
    return None if text is None else (text.rstrip("\n") + "\n\n").encode()


@variant("two blanks between two words", *PROSE)
def runs_of_blanks(data: bytes, draw: Random) -> bytes | None:
    """Write two blanks where there is one between two words of a line."""
    text = decode(data)
    found = list(re.finditer(r"(?<=\w) (?=\w)", text or ""))
    if text is None or not found:
        return None
    at = draw.choice(found).start()
    return (text[:at] + " " + text[at:]).encode()


@variant("a mark of its encoding in front", *PROSE)
def byte_order_mark(data: bytes, draw: Random) -> bytes | None:
    """Begin with the mark that some editors write in front of UTF-8."""
    text = decode(data)
    return None if text is None or text.startswith("\ufeff") else b"\xef\xbb\xbf" + data
