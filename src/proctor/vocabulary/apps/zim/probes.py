"""Probes that look at notebooks of Zim."""

from __future__ import annotations

from collections.abc import Iterator

from proctor.computers.computer import FileInfo
from proctor.home import printable
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.apps.notes.parse import MOST_NOTE_BYTES, MOST_NOTES, together
from proctor.vocabulary.apps.zim.parse import zim_pages

MOST_DEPTH = 8


@PROBES.register_with(zim_pages, whole="folder")
def notebook(context: ProbeContext, path: str) -> dict[str, object]:
    """The pages of a Zim notebook: names like `Recipes:Soup`, and texts without headers and title.

    `beside` lists what else lies in its folder, such as pictures on its pages.
    """
    if context.info(path) is None:
        raise CannotSee("absent", f"there is no notebook at {path}")
    names: list[str] = []
    beside: list[dict[str, object]] = []
    for name, entry in _files(context, path, "", MOST_DEPTH):
        if entry.kind == "file" and name.endswith(".txt"):
            names.append(name)
        elif not name.startswith("."):
            beside.append({"path": printable(name), "kind": entry.kind, "size": entry.size})
        if len(names) + len(beside) > MOST_NOTES:
            raise CannotSee("refused", f"{path} has more than the {MOST_NOTES} pages that are looked at")
    files = [context.read(f"{path}/{name}", most=MOST_NOTE_BYTES) for name in names]
    return {
        "path": path,
        "notes": parsed(path, zim_pages, together(path, files), [len(each) for each in files], names),
        "beside": beside,
    }


def _files(context: ProbeContext, folder: str, above: str, depth: int) -> Iterator[tuple[str, FileInfo]]:
    for entry in context.entries(f"{folder}/{above}".rstrip("/")):
        name = entry.path.rpartition("/")[2]
        if entry.kind == "folder" and depth and not name.startswith("."):
            yield from _files(context, folder, f"{above}{name}/", depth - 1)
        elif entry.kind != "folder":
            yield f"{above}{name}", entry
