"""Putting a foreign task into our words: what it uses on the way, and what it lacks."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, field
from pathlib import Path

from proctor.errors import SpecError
from proctor.home import absolute
from proctor.suites.foreign.assets import AssetFault, Assets, digest_of, names_for
from proctor.suites.foreign.faults import Reason
from proctor.suites.foreign.gold import copy_of_member, look_at
from proctor.tasks.call import Call

HALF = {
    "{SCREEN_WIDTH_HALF}": "960",
    "{SCREEN_HEIGHT_HALF}": "540",
    "{SCREEN_WIDTH}": "1920",
    "{SCREEN_HEIGHT}": "1080",
}
PASSWORD = "password"
CERTAIN = re.compile(r"[\x00-\x08\x0b-\x1f]")


class NotJudgedYet(SpecError):
    """A part of a task has no counterpart among our words; says which part."""


class NeededFirst(NotJudgedYet):
    """A part of a task cannot be said before something is there that the task is known to need."""


@dataclass
class Translation:
    """A task on its way into our words."""

    assets: Assets = Assets()
    owner: str = ""
    """The id of the task, by which its files may lie in a folder of their own."""
    fill: bool = False
    """Whether expected files are read; otherwise only what is missing is found out."""
    faithful: bool = False
    """Whether the original's verdict is wanted where ours is another."""
    used: dict[str, str] = field(default_factory=dict)
    """The SHA-256 of every asset that setup uses, by its name."""
    wanted: dict[str, str] = field(default_factory=dict)
    """Every address that the task names, with what its file is called."""
    absent: set[str] = field(default_factory=set)
    """Those of them that are not there, or not whole."""
    missing: list[Reason] = field(default_factory=list)

    def file(self, url: str, hint: str, purpose: str) -> Path | None:
        """Return the file of an address; None, once that is taken down, where there is none."""
        name = next(iter(names_for(url, hint)), "file")
        self.wanted.setdefault(url, name)
        try:
            found = self.assets.find(url, hint, self.owner)
        except AssetFault as fault:
            self.absent.add(url)
            self._lack(Reason("needs asset", f"{fault}"))
            return None
        if found is None:
            self.absent.add(url)
            self._lack(Reason("needs asset", f"{name}, {purpose}: {url}"))
        return found

    def folder(self, url: str) -> dict[str, str]:
        """Return the files of a folder that setup puts on the computer, by their paths in it."""
        try:
            held = self.assets.find_folder(url)
        except AssetFault as fault:
            self._lack(Reason("needs asset", str(fault)))
            return {}
        names = {path: self.assets.name(file) for path, file in held.items()}
        if self.fill:
            self.used |= {name: digest_of(held[path]) for path, name in names.items()}
        return names

    def lack_page(self, url: str, what: str = "page") -> None:
        """Take down that a copy of a page is missing, or of the site that it begins."""
        where = url.partition("://")[2].partition("#")[0]
        self.wanted.setdefault(url, where)
        self.absent.add(url)
        self._lack(Reason("needs asset", f"{where}, a copy of the {what} that it opens: {url}"))

    def site(self, host: str) -> dict[str, str]:
        """Return the pages of a copied site by their paths, named as assets."""
        held = self.assets.find_site(host)
        names = {path: self.assets.name(file) for path, file in held.items()}
        if self.fill:
            self.used |= {name: digest_of(held[path]) for path, name in names.items()}
        return names

    def _lack(self, reason: Reason) -> None:
        if reason not in self.missing:
            self.missing.append(reason)

    def asset(self, url: str, hint: str = "") -> str:
        """Return the name of a file that setup puts on the computer."""
        found = self.file(url, hint, "for its setup")
        if found is None:
            return "missing"
        name = self.assets.name(found)
        if self.fill:
            self.used[name] = digest_of(found)
        return name

    def content(self, url: str, hint: str = "") -> str:
        """Return a file in base64, for a step that has no folder of files at hand."""
        found = self.file(url, hint, "for what comes before judgement")
        if found is None or not self.fill:
            return ""
        return base64.b64encode(found.read_bytes()).decode()

    def member(self, url: str, hint: str, member: str) -> str:
        """Return a file in an expected archive in base64."""
        found = self.file(url, hint, "to compare with")
        return copy_of_member(found, member) if found is not None and self.fill else ""

    def digest(self, url: str, hint: str = "") -> str:
        """Return the SHA-256 of an expected file."""
        found = self.file(url, hint, "to compare with")
        return digest_of(found) if found is not None and self.fill else "0" * 64

    def gold(self, url: str, hint: str, probe: str, **arguments: object) -> object:
        """Return what a probe sees in an expected file, as plain data that goes into the check."""
        found = self.file(url, hint, "to compare with")
        if found is None or not self.fill:
            return {}
        return look_at(found, probe, arguments)


def guest_path(path: str, home: str = "") -> str:
    """Return a path inside the computer; raises NotJudgedYet for one that it cannot have."""
    if not path or CERTAIN.search(path):
        raise NotJudgedYet(f"the path {path!r}")
    if re.match(r"[A-Za-z]:[\\/]", path):
        raise NotJudgedYet(f"the path {path!r} of another operating system")
    for start in ("~/", "$HOME/"):
        path = path.removeprefix(start)
    return absolute(path)


def fill_in(text: str) -> str:
    """Return a text with what its originals put into it: the password, the size of the screen."""
    for name, value in {**HALF, "{CLIENT_PASSWORD}": PASSWORD}.items():
        text = text.replace(name, value)
    return text


def probe(name: str, /, **arguments: object) -> Call:
    """Return a call of a probe."""
    return Call("probe", name, arguments)


def check(name: str, /, **arguments: object) -> Call:
    """Return a call of a check."""
    return Call("check", name, arguments)


def step(name: str, /, **arguments: object) -> Call:
    """Return a call of a setup step."""
    return Call("setup", name, arguments)


ALWAYS = check("folder_exists", of=probe("file", path="."))
"""A check that always holds."""
