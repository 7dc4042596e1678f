"""Where the files of foreign tasks are made: a computer with the programs that people make them with."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from html import escape
from pathlib import PurePath
from typing import Any, Self

import docx
import openpyxl
import pptx

from proctor.computers import open_computer
from proctor.computers.computer import Computer
from proctor.computers.values import CommandResult
from proctor.tasks.move_context import MoveContext

_PROFILE = "/tmp/workshop"
_OPEN: dict[str, Callable[[io.BytesIO], Any]] = {
    ".xlsx": openpyxl.load_workbook,
    ".docx": docx.Document,
    ".pptx": pptx.Presentation,
}
_LIBRARY = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE library:library PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "library.dtd">
<library:library xmlns:library="http://openoffice.org/2000/library" library:name="Standard" library:readonly="false"
 library:passwordprotected="false">{}</library:library>"""
_MODULE = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE script:module PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "module.dtd">
<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Work"
 script:language="StarBasic">{}</script:module>"""
_ON_FILE = """Dim hide(0) As New com.sun.star.beans.PropertyValue
hide(0).Name = "Hidden"
hide(0).Value = True
doc = StarDesktop.loadComponentFromURL("file://{path}", "_blank", 0, hide())
{code}
doc.store()
doc.close(True)"""


class Workshop:
    """A sandbox, started when something is first made in it, and closed at the end."""

    def __init__(self) -> None:
        self._computer: Computer | None = None
        self._count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_ended: object) -> None:
        if self._computer is not None:
            self._computer.close()

    @property
    def computer(self) -> Computer:
        """The computer itself."""
        if self._computer is None:
            self._computer = open_computer("sandbox", image="full").start()
        return self._computer

    def run(self, command: str, *, give: Mapping[str, bytes], take: Sequence[str]) -> list[bytes]:
        """Run a command in a new folder that holds some files, and return files that it left there."""
        self._count += 1
        folder = f"/home/user/work{self._count}"
        for name, content in give.items():
            self.computer.write_file(f"{folder}/{name}", content)
        self.computer.run(["mkdir", "-p", folder])
        done = self.computer.run(["/bin/bash", "-ec", command], cwd=folder, timeout_sec=120)
        try:
            return [self.computer.read_file(f"{folder}/{name}") for name in take]
        except FileNotFoundError:
            raise AssertionError(f"{command} left no {take}: {done}") from None

    # -- documents ------------------------------------------------------------------------------------------------

    def office(self, made: Any, name: str = "", to: str = "") -> bytes:
        """Return a document as LibreOffice saves it; it is given as an object of its library, or as bytes with a name.

        `to` is an ending, with LibreOffice's filter behind a colon where that needs saying.
        """
        return self.office_all([made], name, to)[0]

    def office_all(self, made: Sequence[Any], name: str = "", to: str = "") -> list[bytes]:
        """Return documents of one kind as LibreOffice saves them, all at once: it takes long to begin."""
        kind = PurePath(name).suffix or _kind_of(made[0])
        to = to or kind.lstrip(".")
        ending = to.partition(":")[0]
        give = {f"{at}{kind}": content_of(each) for at, each in enumerate(made)}
        command = f"soffice --headless -env:UserInstallation=file://{_PROFILE} --convert-to '{to}' --outdir out *{kind}"
        return self.run(command, give=give, take=[f"out/{at}.{ending}" for at in range(len(made))])

    def basic(self, made: Any, code: str, name: str = "") -> bytes:
        """Return a document after LibreOffice has done something to `doc`, told in its own Basic."""
        path = f"/home/user/basic{PurePath(name).suffix or _kind_of(made)}"
        before = content_of(made)
        self.computer.write_file(path, before)
        told = run_basic(self.computer, _ON_FILE.format(path=path, code=code), _PROFILE)
        content = self.computer.read_file(path)
        assert content != before, f"{code} did not go through: {told}"
        return content


def configure_office(code: str) -> Callable[[MoveContext], None]:
    """Return an act that closes LibreOffice and changes its settings, told in its own Basic."""

    def act(hand: MoveContext) -> None:
        hand.computer.run(["pkill", "-x", "soffice.bin"])
        hand.computer.wait_for(
            lambda computer: computer.run(["pgrep", "-x", "soffice.bin"]).code != 0, what="the end of LibreOffice"
        )
        run_basic(hand.computer, code, "/home/user/.config/libreoffice/4")

    return act


def run_basic(computer: Computer, code: str, profile: str) -> CommandResult:
    """Run Basic in a LibreOffice without windows, with a profile that no other one uses."""
    place = f"{profile}/user/basic/Standard"
    computer.write_file(f"{place}/script.xlb", _LIBRARY.format('<library:element library:name="Work"/>').encode())
    computer.write_file(f"{place}/dialog.xlb", _LIBRARY.format("").encode())
    computer.write_file(f"{place}/Work.xba", _MODULE.format(escape(f"Sub Main\n{code}\nEnd Sub")).encode())
    command = ["soffice", "--headless", f"-env:UserInstallation=file://{profile}", "macro:///Standard.Work.Main"]
    return computer.run(command, timeout_sec=120)


def open_again(made: Any, saved: bytes) -> Any:
    """Return what was saved, opened by the library that a document was made with."""
    return _OPEN[_kind_of(made)](io.BytesIO(saved))


def _kind_of(made: Any) -> str:
    for kind, word in ((".xlsx", "openpyxl"), (".docx", "docx"), (".pptx", "pptx")):
        if type(made).__module__.startswith(word):
            return kind
    raise AssertionError(f"bytes need a name: {made!r:.40}")


def content_of(made: Any) -> bytes:
    """Return a document as its library saves it."""
    if isinstance(made, bytes):
        return made
    held = io.BytesIO()
    made.save(held)
    return held.getvalue()
