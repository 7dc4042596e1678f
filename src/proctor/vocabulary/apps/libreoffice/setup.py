"""Setup steps that open documents in LibreOffice."""

from __future__ import annotations

from proctor.actions.action import Press
from proctor.computers.computer import Computer
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP

MOST_PLAIN_COLOURS = 64
"""More colours than this are more than a plain area with an edge."""

SETTINGS = ".config/libreoffice/4/user/registrymodifications.xcu"
QUESTION = "Confirm File Format"
"""The window in which LibreOffice asks whether a document may stay in another format than its own."""


@SETUP.register
def open_in_office(context: SetupContext, path: str, dialog: str = "", timeout_sec: float = 60.0) -> None:
    """Open a document in LibreOffice and wait until it can be edited, or its dialog is open."""
    computer = context.computer
    if dialog:
        computer.launch(["libreoffice", path], window=dialog, timeout_sec=timeout_sec)
        return
    open_before = _documents(computer)
    name = path.rpartition("/")[2]
    computer.launch(["libreoffice", path], window=name, timeout_sec=timeout_sec)
    # The window is there long before what it will show, and a tree that is read too early can stay without it.
    computer.wait_for(
        lambda computer: _has_tools(computer, name), what=f"the tools of the window of {name}", timeout_sec=timeout_sec
    )
    computer.wait_for(
        lambda computer: _documents(computer) > open_before,
        what=f"the content of {name} in its window",
        timeout_sec=timeout_sec,
    )
    computer.settle()


@SETUP.register
def keep_format(context: SetupContext) -> None:
    """Keep a document's format, such as xlsx, when LibreOffice asks about it on saving."""
    computer = context.computer
    if not _asks(computer):
        return
    computer.perform(Press(keys="Return"))
    computer.wait_for(lambda computer: not _asks(computer), what="the end of LibreOffice's question")
    computer.settle()


@SETUP.register_before_use
def keep_every_format(context: SetupContext) -> None:
    """Let LibreOffice keep the format of each document that is saved, without asking."""
    settings = context.computer.read_file(SETTINGS).decode()
    item = (
        '<item oor:path="/org.openoffice.Office.Common/Save/Document"><prop oor:name="WarnAlienFormat" oor:op="fuse">'
        "<value>false</value></prop></item>"
    )
    context.computer.write_file(SETTINGS, settings.replace("</oor:items>", f"{item}\n</oor:items>").encode())


def _asks(computer: Computer) -> bool:
    return any(window.title == QUESTION for window in computer.windows())


def _has_tools(computer: Computer, title: str) -> bool:
    """Tell whether menus and buttons are drawn in a window: one that is still loading is plain there."""
    box = next((window.box for window in computer.windows() if title in window.title), None)
    if box is None:
        return False
    top = computer.screenshot(cursor=False).crop((box.x, box.y + 30, box.x + box.width, box.y + 120))
    # More colours than asked for are reported as None.
    return top.getcolors(MOST_PLAIN_COLOURS) is None


def _documents(computer: Computer) -> int:
    return sum(node.role.startswith("document ") for node in computer.tree().nodes)
