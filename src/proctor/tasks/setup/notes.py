"""Setup steps that fill notebooks and lists of tasks."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from datetime import date
from typing import Annotated
from xml.sax.saxutils import escape

from pydantic import BaseModel, ConfigDict, Field

from proctor.computers.computer import Computer, Window
from proctor.errors import SetupFailed
from proctor.tasks.setup.windows import close_window
from proctor.tasks.shelves import SETUP
from proctor.tasks.stage import Stage

WRITTEN = "2026-03-02T08:00:00"
"""When everything was written, so that the same notes give the same files."""
ZIM_HEADER = f"Content-Type: text/x-zim-wiki\nWiki-Format: zim 0.6\nCreation-Date: {WRITTEN}+00:00\n\n"
ZIM_NOTEBOOKS = ".config/zim/notebooks.list"
MOST_WINDOWS = 20
"""No application of these has more open at a time."""
GNOTE_FOLDER = ".local/share/gnote"
GTG_FILE = ".local/share/gtg/gtg_data.xml"
# Without it GTG takes its start for the first one and puts its own tasks in place of what is there.
GTG_BACKENDS = (
    "[backend_localfile]\nfirst_run = False\ndefault = True\nhuman-friendly-name = \nuser = \n"
    "pid = 2f0d6c1e-5b7a-4c58-9d0e-6a1b7f3c9e42\nenabled = True\nattached-tags = gtg-tags-all\n"
    "path = gtg_data.xml\nmodule = backend_localfile\n"
)


class _Item(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Note(_Item):
    """A note with its title; `notebook` is the one it is filed in, if any."""

    title: Annotated[str, Field(min_length=1)]
    text: str = ""
    notebook: str = ""


class Todo(_Item):
    """A task on a list: tags without the `@`."""

    title: Annotated[str, Field(min_length=1)]
    text: str = ""
    tags: tuple[str, ...] = ()
    due: date | None = None
    done: bool = False


@SETUP.register
def notebook(stage: Stage, path: str, pages: dict[str, str]) -> None:
    """Write a notebook of Zim, which then knows it; pages are named like `Recipes:Soup`, with their text."""
    name = path.rpartition("/")[2]
    stage.computer.write_file(f"{path}/notebook.zim", f"[Notebook]\nname={name}\nversion=0.6\n".encode())
    for page, text in pages.items():
        file = page.replace(":", "/").replace(" ", "_")
        heading = f"====== {page.rpartition(':')[2]} ======\n\n"
        stage.computer.write_file(f"{path}/{file}.txt", f"{ZIM_HEADER}{heading}{text}".encode())
    listed = f"[NotebookList]\nDefault=~/{path}\n1=~/{path}\n\n[Notebook 1]\nuri=~/{path}\nname={name}\n"
    stage.computer.write_file(ZIM_NOTEBOOKS, listed.encode())


@SETUP.register
def gnote_notes(stage: Stage, notes: list[Note]) -> None:
    """Write the notes that Gnote has."""
    for number, note in enumerate(notes):
        stage.computer.write_file(f"{GNOTE_FOLDER}/{_id(number)}.note", gnote_xml(note).encode())


def gnote_xml(note: Note) -> str:
    """Return a note as Gnote keeps it."""
    tags = f"<tags><tag>system:notebook:{escape(note.notebook)}</tag></tags>" if note.notebook else ""
    space = "http://beatniksoftware.com/tomboy"
    moment = f"{WRITTEN}.000000Z"
    return (
        f'<?xml version="1.0" encoding="utf-8"?>\n<note version="0.3" xmlns:link="{space}/link" '
        f'xmlns:size="{space}/size" xmlns="{space}"><title>{escape(note.title)}</title>'
        f'<text xml:space="preserve"><note-content version="0.1">{escape(note.title)}\n\n{escape(note.text)}'
        f"</note-content></text><last-change-date>{moment}</last-change-date>"
        f"<last-metadata-change-date>{moment}</last-metadata-change-date><create-date>{moment}</create-date>"
        f"<cursor-position>0</cursor-position><width>450</width><height>360</height>{tags}</note>\n"
    )


@SETUP.register
def todo(stage: Stage, tasks: list[Todo]) -> None:
    """Write the list of tasks that GTG has, and give it the bus it cannot start without."""
    stage.computer.write_file(GTG_FILE, gtg_xml(tasks).encode())
    stage.computer.write_file(".config/gtg/backends.conf", GTG_BACKENDS.encode())
    # GTG listens for the end of a suspension on the system bus; the machine has only the session's.
    bus = stage.command(["sh", "-c", 'echo "${DBUS_SESSION_BUS_ADDRESS#unix:path=}"']).stdout.strip().partition(",")[0]
    link = 'mkdir -p /run/dbus && ln -sfn -- "$1" /run/dbus/system_bus_socket'
    stage.command(["sh", "-c", link, "sh", bus], root=True)


def gtg_xml(tasks: Sequence[Todo]) -> str:
    """Return a list of tasks as GTG keeps it."""
    tags = {tag: _id(number, "9") for number, tag in enumerate(sorted({tag for task in tasks for tag in task.tags}))}
    taglist = "".join(f'<tag id="{number}" name="{escape(tag)}"/>' for tag, number in tags.items())
    tasklist = "\n".join(_gtg_task(task, number, tags) for number, task in enumerate(tasks))
    return (
        "<?xml version='1.0' encoding='UTF-8'?>\n"
        f'<gtgData appVersion="0.6" xmlVersion="2">\n<taglist>{taglist}</taglist>\n<searchlist/>\n'
        f"<tasklist>\n{tasklist}\n</tasklist>\n</gtgData>\n"
    )


def _gtg_task(task: Todo, number: int, tags: dict[str, str]) -> str:
    day = WRITTEN[:10]
    dates = f"<added>{day}</added><modified>{day}</modified>"
    dates += f"<due>{task.due}</due>" if task.due else ""
    dates += f"<done>{day}</done>" if task.done else ""
    marks = ", ".join(f"@{tag}" for tag in task.tags)
    content = "\n".join(part for part in (marks, task.text) if part)
    return (
        f'<task id="{_id(number)}" status="{"Done" if task.done else "Active"}"><title>{escape(task.title)}</title>'
        f"<tags>{''.join(f'<tag>{tags[tag]}</tag>' for tag in task.tags)}</tags><dates>{dates}</dates>"
        f'<recurring enabled="false"><term>None</term></recurring><subtasks/>'
        f"<content><![CDATA[{escape(content)}]]></content></task>"
    )


@SETUP.register
def quit_app(stage: Stage, app: str) -> None:
    """Close all windows of an application politely and wait until it has ended and so written what it holds."""
    processes = {window.pid for window in _windows(stage, app)}

    def ended(machine: Computer) -> bool:
        return all(machine.run(["test", "-e", f"/proc/{process}"]).code != 0 for process in processes)

    for _ in range(MOST_WINDOWS):
        if not (open_windows := _windows(stage, app)):
            break
        # One may go away together with another one.
        with contextlib.suppress(SetupFailed):
            close_window(stage, f"/^{re.escape(open_windows[-1].title)}$/")
    stage.computer.wait_for(ended, what=f"the end of {app}")


def _windows(stage: Stage, app: str) -> list[Window]:
    return [window for window in stage.computer.windows() if window.app.casefold() == app.casefold()]


def _id(number: int, group: str = "8") -> str:
    return f"00000000-0000-4000-{group}000-{number:012d}"
