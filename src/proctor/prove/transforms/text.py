"""Transforms of plain text."""

from __future__ import annotations

import re
from random import Random

from proctor.prove.transforms.shelf import mutant, variant
from proctor.prove.transforms.words import TextChange, decode, of_text, one_match, other_number, other_word

PROSE = ("*.txt", "*.md", "*.text", "*.rst", "*.log", "readme*", "*.todo")
"""Files in which blanks and line ends mean nothing."""
LINES = (*PROSE, "*.csv", "*.tsv", "*.py", "*.sh", "*.js", "*.c", "*.sql", "*.m3u", "*.srt", "*.css", "*.tex")
"""Files made of lines."""
_NOTED = re.compile(r"Content-Type: text/x-zim-wiki\r?\n(?:[\w-]+: .*\n)*\s*(?:=+ .* =+\s*?\n)?(?:Created .*\n)?")
"""What Zim writes above a page."""


def _dropped_line(text: str, *, last: bool) -> str | None:
    lines = text.splitlines(keepends=True)
    said = [at for at, line in enumerate(lines) if line.strip()]
    if not said:
        return None
    return "".join(lines[: said[-1]] if last else lines[: said[0]] + lines[said[0] + 1 :])


def _double_line(text: str, draw: Random) -> str | None:
    lines = text.splitlines(keepends=True)
    said = [at for at, line in enumerate(lines) if line.strip()]
    if not said:
        return None
    at = draw.choice(said)
    line = lines[at] if lines[at].endswith("\n") else lines[at] + "\n"
    return "".join([*lines[:at], line, *lines[at:]])


def _exchange_lines(text: str, draw: Random) -> str | None:
    """Exchange the first line that says something and the last one."""
    lines = text.split("\n")
    said = [at for at, line in enumerate(lines) if line.strip()]
    if len(said) < 2 or lines[said[0]].strip() == lines[said[-1]].strip():
        return None
    lines[said[0]], lines[said[-1]] = lines[said[-1]], lines[said[0]]
    return "\n".join(lines)


def _below_notes(change: TextChange) -> TextChange:
    """Return what changes a text below what a program noted above it, such as when the page was made."""

    def below(text: str, draw: Random) -> str | None:
        noted = _NOTED.match(text)
        at = noted.end() if noted else 0
        changed = change(text[at:], draw)
        return None if changed is None else text[:at] + changed

    return below


def _change_last_line(text: str, draw: Random) -> str | None:
    head, end, tail = text.rstrip().rpartition("\n")
    changed = other_word(tail, draw)
    return None if changed is None else head + end + changed + text[len(text.rstrip()) :]


def _add_blanks(text: str, draw: Random) -> str:
    return "\n".join(line + " " if line.strip() else line for line in text.split("\n"))


def _add_mark(data: bytes, draw: Random) -> bytes | None:
    """Begin with the mark that some editors write in front of UTF-8."""
    text = decode(data)
    return None if text is None or text.startswith("\ufeff") else b"\xef\xbb\xbf" + data


mutant("its last line dropped", *LINES)(of_text(lambda text, draw: _dropped_line(text, last=True)))
mutant("its first line dropped", *LINES)(of_text(lambda text, draw: _dropped_line(text, last=False)))
mutant("a line duplicated", *LINES)(of_text(_double_line))
mutant("two lines exchanged", *PROSE)(of_text(_exchange_lines))
mutant("a word changed", *LINES)(of_text(_below_notes(other_word)))
mutant("a word of its last line changed", *PROSE)(of_text(_change_last_line))
mutant("a number changed", *LINES)(of_text(_below_notes(other_number)))
mutant("a line of nonsense added", *PROSE)(
    of_text(lambda text, draw: f"{text.rstrip()}\nqwvx zzyq {draw.randint(100, 999)}\n")
)
variant("line ends of Windows", "*.csv", "*.tsv")(
    of_text(lambda text, draw: None if "\r" in text else text.replace("\n", "\r\n"))
)
variant("blanks at the ends of lines", *PROSE)(of_text(_add_blanks))
variant("its last line ended or not", *PROSE, "*.csv", "*.tsv", "*.py", "*.sh")(
    of_text(lambda text, draw: text.rstrip("\r\n") if text.endswith("\n") else text + "\n")
)
variant("an empty line at its end", *PROSE)(of_text(lambda text, draw: text.rstrip("\n") + "\n\n"))
variant("two blanks between two words", *PROSE)(
    of_text(one_match(re.compile(r"(?<=\w) (?=\w)"), lambda match, draw: "  "))
)
variant("a mark of its encoding in front", *PROSE)(_add_mark)
