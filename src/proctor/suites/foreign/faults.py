"""What stands in the way of a foreign task: in which of a few senses, why, and where it says so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from proctor.errors import UnknownName
from proctor.suites.foreign.json_file import ForeignFile
from proctor.tasks.call import DataPath

Data = Mapping[str, Any]
"""An object in a file, of which nothing is known but that its keys are texts."""

Status = Literal[
    "malformed", "needs account", "needs internet", "needs application", "not judged yet", "needs asset", "ready"
]
"""How a task stands, the worst first; `not judged yet`: Proctor has no counterpart of a word of its format."""
MOST_WORDS = 1500
"""Characters of a reason; addresses are long, and names that nobody knows may be any length."""
STATUSES: tuple[Status, ...] = get_args(Status)


@dataclass(frozen=True)
class Reason:
    """Why a task is not ready."""

    status: Status
    why: str
    place: str = ""
    """File and line, where a part of the file is to blame."""

    def __post_init__(self) -> None:
        if len(self.why) > MOST_WORDS:
            object.__setattr__(self, "why", f"{self.why[:MOST_WORDS]}...")

    def __str__(self) -> str:
        return f"{self.place}: {self.why}" if self.place else self.why


@dataclass
class Faults:
    """Collects what is wrong with a file, by place."""

    file: ForeignFile
    found: list[Reason] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def add(self, path: DataPath, why: str) -> None:
        """Take down that a part is wrong."""
        self.found.append(Reason("malformed", why, self.file.place(path)))

    def unknown(self, path: DataPath, kind: str, name: object, known: Iterator[str] | Mapping[str, object]) -> None:
        """Take down a name that nobody knows, with the nearest that somebody does."""
        if name is None:
            self.add(path, f"the {kind} is missing")
            return
        error = UnknownName(kind, str(name), known)
        near = f"; {error.remedy}" if error.remedy.startswith("did you mean") else ""
        self.add(path, f"{error.message}{near}")

    def text(self, data: Mapping[str, object], key: str, *, needed: bool = True) -> str:
        """Return a text at the top; takes down that it is missing or none."""
        value = data.get(key)
        if isinstance(value, str) and value.strip():
            return value
        if needed or value not in (None, ""):
            blank = value is None or (isinstance(value, str) and not value.strip())
            what = "is missing" if blank else f"is {kind_of(value)}, not a text"
            self.add((key,) if key in data else (), f"{key!r} {what}")
        return ""


def kind_of(value: object) -> str:
    """Return what sort of JSON a value is, in words."""
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def truth(value: object) -> bool:
    """Return what is meant where true or false may be written as a text."""
    if isinstance(value, str):
        return value.strip().lower() not in ("", "false", "no", "0", "none", "null")
    return bool(value)


def several(value: list[str] | str | None) -> list[str]:
    """Return what is meant where texts are, and one may stand alone."""
    return [value] if isinstance(value, str) else list(value or ())


def worst(reasons: tuple[Reason, ...]) -> Status:
    """Return how a task stands for these reasons."""
    return min((reason.status for reason in reasons), key=STATUSES.index, default="ready")
