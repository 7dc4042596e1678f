"""Probes that look at notebooks of Zim."""

from __future__ import annotations

from collections.abc import Iterator

from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.apps.notes.parse import MOST_NOTE_BYTES, MOST_NOTES, together
from proctor.vocabulary.apps.zim.parse import zim_pages

MOST_DEPTH = 8


@PROBES.register_with(zim_pages, whole="folder")
def notebook(context: ProbeContext, path: str) -> dict[str, object]:
    """The pages of a Zim notebook: names like `Recipes:Soup`, and texts without headers and title."""
    if context.info(path) is None:
        raise CannotSee("absent", f"there is no notebook at {path}")
    names: list[str] = []
    for name in _pages(context, path, "", MOST_DEPTH):
        names.append(name)
        if len(names) > MOST_NOTES:
            raise CannotSee("refused", f"{path} has more than the {MOST_NOTES} pages that are looked at")
    files = [context.read(f"{path}/{name}", most=MOST_NOTE_BYTES) for name in names]
    return {
        "path": path,
        "notes": parsed(path, zim_pages, together(path, files), [len(each) for each in files], names),
    }


def _pages(context: ProbeContext, folder: str, above: str, depth: int) -> Iterator[str]:
    for entry in context.entries(f"{folder}/{above}".rstrip("/")):
        name = entry.path.rpartition("/")[2]
        if entry.kind == "folder" and depth and not name.startswith("."):
            yield from _pages(context, folder, f"{above}{name}/", depth - 1)
        elif entry.kind == "file" and name.endswith(".txt"):
            yield f"{above}{name}"
