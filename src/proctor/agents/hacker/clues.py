"""What an instruction gives away without work: files, quoted texts, numbers, names, times."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass

_QUOTED = re.compile(r"\"([^\"\n]+)\"|“([^”\n]+)”|(?<!\w)'([^'\n]+)'(?!\w)|`([^`\n]+)`")
_AFTER_A_COLON = re.compile(r":[ \t]+([^\n:]{3,200}?)\.?$", re.MULTILINE)
_FILE = re.compile(r"~?(?:[\w-]*/)*[\w-][\w.-]*\.[A-Za-z][A-Za-z0-9]{0,5}\b")
_FOLDER = re.compile(r"~?/?(?:[A-Z][\w-]*|home|tmp)(?:/[\w.-]+)+")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)?(?![\w])")
_TIME = re.compile(r"\b\d{1,2}:\d{2}\b")
_NAME = re.compile(r"\b[A-Z][\w'-]+(?: [A-Z][\w'-]+)*")
_HOST = re.compile(r"\b(?:www\.)?[a-z0-9-]+\.example\b")
_MOST = 60
"""Clues of a kind that are kept."""


@dataclass(frozen=True, kw_only=True)
class Clues:
    """What can be cut out of a request without understanding it, each in the order of the text."""

    instruction: str
    files: tuple[str, ...] = ()
    """Names and paths of files, as they are written."""
    folders: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    """Texts in quotation marks, and what follows a colon at the end of a line."""
    numbers: tuple[str, ...] = ()
    times: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """Runs of words with capitals."""

    @classmethod
    def of(cls, instruction: str) -> Clues:
        """Cut a request into clues."""
        quotes = ["".join(found) for found in _QUOTED.findall(instruction)]
        quotes += [found.strip() for found in _AFTER_A_COLON.findall(instruction)]
        files = [found for found in _FILE.findall(instruction) if not _HOST.fullmatch(found)]
        return cls(
            instruction=instruction,
            files=_some(files),
            folders=_some(found for found in _FOLDER.findall(instruction) if found not in files),
            quotes=_some(quotes),
            numbers=_some(_NUMBER.findall(instruction)),
            times=_some(_TIME.findall(instruction)),
            names=_some(_NAME.findall(instruction)),
        )

    @property
    def everything(self) -> tuple[str, ...]:
        """Every clue that may be an answer or a content: texts first."""
        return _some((*self.quotes, *self.times, *self.numbers, *self.names))

    def to_json(self) -> dict[str, object]:
        """Return them as plain data, for scripts that run inside."""
        return {**asdict(self), "everything": self.everything}


def candidates(text: str) -> tuple[str, ...]:
    """Return what in any text may be an answer: times, numbers and names."""
    return _some((*_TIME.findall(text), *_NUMBER.findall(text), *_NAME.findall(text)), most=400)


def _some(found: Iterable[str], most: int = _MOST) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, found)))[:most]
