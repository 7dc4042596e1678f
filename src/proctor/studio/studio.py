"""What the rooms of the studio share: where things are kept, tasks, runs, and who is asking."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

from starlette.requests import HTTPConnection

from proctor.plain_text import printable
from proctor.suites.suite import Suite

PERSON = "proctor-studio-person"
"""The cookie that keeps the name a visitor gave."""
NOBODY = "visitor"
LONGEST_NAME = 80


@dataclass
class Studio:
    """One studio: its workspace and what it works on."""

    folder: Path
    """The workspace; each room keeps what was made in it in a folder of its own there."""
    runs: tuple[Path, ...] = ()
    """Runs, or folders of runs, to look at beside the demonstrations."""
    suites: tuple[Suite, ...] = ()
    """Whose tasks can be done here."""
    computer: str = "sandbox"
    """Which computers people work on, as in `proctor run --computer`."""

    @property
    def demonstrations(self) -> Path:
        """Where the runs lie that people made."""
        return self.folder / "demonstrations"

    @property
    def refined_runs(self) -> Path:
        """Where versions of demonstrations lie that were written out."""
        return self.folder / "refined"

    @property
    def all_runs(self) -> tuple[Path, ...]:
        """Every folder of runs that can be looked at here: those that people made, then the given ones."""
        return (self.demonstrations, self.refined_runs, *self.runs)

    def person(self, request: HTTPConnection) -> str:
        """Return the name a visitor gave; everybody has one, made up until they say another."""
        return clean_name(unquote(request.cookies.get(PERSON, ""), errors="replace")) or NOBODY


def clean_name(name: str) -> str:
    """Return a name as it is kept: one printable line of bounded length."""
    return " ".join(printable(name).split())[:LONGEST_NAME].strip()


def cookie_text(name: str) -> str:
    """Return a name as a cookie may hold it."""
    return quote(name, safe="")
