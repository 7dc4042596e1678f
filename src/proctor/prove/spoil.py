"""Spoilt files in the place of results: whatever lies there, a check must come to a verdict."""

from __future__ import annotations

import io
import time
import zipfile
from functools import lru_cache
from random import Random

from PIL import Image

from proctor.computers.computer import Computer
from proctor.errors import ProctorError
from proctor.home import absolute
from proctor.prove.kept_file import CannotChange, KeptFile, NotPutBack
from proctor.prove.mutant_log import Judged, Trying
from proctor.prove.mutate_surroundings import topmost_absent
from proctor.prove.mutation import Mutation
from proctor.prove.transforms.shelf import ChangeKind
from proctor.tasks.call import walk
from proctor.tasks.judge import judge
from proctor.tasks.probe_context import Ending
from proctor.tasks.task import Task

MOST_FILES = 4
"""Of more that a check looks at, the first so many are spoilt."""
MEMBERS = ("word/document.xml", "xl/workbook.xml", "ppt/presentation.xml", "content.xml")
UNPACKED_BYTES = 300_000_000
LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a0 "ha">'
    + b"".join(b'<!ENTITY a%d "%s">' % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 10))
    + b"]><x>&a9;</x>"
)
HALF = "its first half"
COMMANDS = {
    "8 GB of zeros": ("truncate", "--size=8G", "--", "{path}"),
    "a folder": ("mkdir", "--", "{path}"),
    "a pipe that nobody writes to": ("mkfifo", "--", "{path}"),
    "a link to endless zeros": ("ln", "-s", "--", "/dev/zero", "{path}"),
    "a link to itself": ("ln", "-s", "--", "{path}", "{path}"),
}
"""What cannot be written as a file is, by the commands that make it."""


def spoil(task: Task, computer: Computer) -> Mutation:
    """Put spoilt files where the check looks, one at a time, and return what came of it.

    Where a file is compared with another, none may count; where it only has to be there, some may.
    """
    trying = Trying(task, computer, Ending(), Random(task.id))
    started = time.monotonic()
    listed = _looked_at(task, computer.home)
    trying.untried += [f"{path}: only {MOST_FILES} files are spoilt" for path in listed[MOST_FILES:]]
    try:
        for path in listed[:MOST_FILES]:
            _spoil_file(trying, path)
    except (ProctorError, OSError) as error:
        trying.untried.append(f"what was left: {type(error).__name__}: {error}")
    return trying.mutation(time.monotonic() - started)


def _looked_at(task: Task, home: str) -> list[str]:
    """Return the files that a check looks at, each once."""
    probes = (call for _, call in walk(task.check) if call.kind == "probe")
    named = (call.arguments.get("path") for call in probes)
    return list(dict.fromkeys(absolute(path, home) for path in named if isinstance(path, str)))


def _spoil_file(trying: Trying, path: str) -> None:
    computer = trying.computer
    was: KeptFile | None = None
    try:
        if computer.file_info(path).kind != "file":
            return  # a folder is looked at for what lies in it
        was = KeptFile.take(computer, path)
    except CannotChange as error:
        trying.untried.append(f"{path}: {error}")
        return
    except OSError:
        added = topmost_absent(computer, path)  # what is put there is removed again
    else:
        added = path
    compared = {absolute(each, computer.home) for each in trying.task.counterparts}
    kind: ChangeKind = "mutant" if path in compared else "spoilt"
    shown = path.removeprefix(f"{computer.home}/")
    contents = {**_contents(), **({HALF: was.data[: len(was.data) // 2]} if was is not None else {})}
    for label in (*contents, *COMMANDS):
        try:
            _put(computer, path, label, contents.get(label))
            trying.note(f"{shown}: {label} in its place", kind, lambda: _judge(trying))
        except OSError as error:
            trying.untried.append(f"{shown}: {label}: {error.strerror}")
        finally:
            _take_back(computer, added, was)
    if was is not None:
        was.put_back_time(computer)


def _judge(trying: Trying) -> Judged:
    return judge(trying.task, trying.computer, trying.ending), False


@lru_cache(maxsize=1)
def _contents() -> dict[str, bytes]:
    archive, picture = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
        for name in MEMBERS:
            packed.writestr(name, bytes(UNPACKED_BYTES // len(MEMBERS)))
    Image.new("RGB", (3, 3), "red").save(picture, "PNG")
    return {
        "nothing": b"",
        "noise": Random(35).randbytes(20_000),
        "a picture": picture.getvalue(),
        "an archive that unpacks to 300 MB": archive.getvalue(),
        "200,000 brackets": b"[" * 200_000,
        "an XML text that stands for a gigabyte": LAUGHS,
    }


def _put(computer: Computer, path: str, label: str, content: bytes | None) -> None:
    computer.write_file(path, content or b"")
    if content is None:
        computer.remove_file(path)
        computer.run([word.format(path=path) for word in COMMANDS[label]])


def _take_back(computer: Computer, added: str, was: KeptFile | None) -> None:
    try:
        computer.remove_file(added)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise NotPutBack(f"{added} cannot be removed: {error.strerror}") from error
    if was is not None:
        was.put_back(computer)
