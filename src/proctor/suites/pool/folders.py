"""Subtasks on files and folders in Thunar and PCManFM."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence

from proctor.errors import SpecError
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.suites.parts.programs import base, close_window, full, new_path, quote_path, start_program
from proctor.suites.parts.ways import by_hand, by_python, by_shell
from proctor.suites.pool.pictures import FORMATS, ending_of
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import NearMiss

LISTED = (
    # Its icons cannot be told apart by their names, the rows of its list can.
    make.text_file(".config/pcmanfm/default/pcmanfm.conf", "[ui]\nview_mode=list\n"),
    # Its dialogs ask for a path from the first time on.
    make.text_file(
        ".config/gtk-2.0/gtkfilechooser.ini",
        "[Filechooser Settings]\nLocationMode=filename-entry\nStartupMode=cwd\n",
    ),
)
"""PCManFM as a careful user has set it up."""


def above(resource: Resource) -> Resource:
    """Return the folder that something is in.

    Raises:
        SpecError: It is in no folder of its own.
    """
    folder = posixpath.dirname(resource.value)
    if not folder:
        raise SpecError(f"{resource.value} is in no folder below the home folder", remedy="take another file")
    return Resource("folder", folder)


def members(resource: Resource) -> dict[str, object]:
    """Return what a folder or an archive holds, by name.

    Raises:
        SpecError: Nobody knows, or it is empty.
    """
    if not isinstance(resource.content, dict) or not resource.content:
        raise SpecError(f"nobody knows what is in {resource.value}", remedy="give it another one")
    return dict(resource.content)


def content_of(*sources: Resource) -> dict[str, object]:
    """Return the content of a folder or an archive with these files in it.

    Raises:
        SpecError: Two of them have the same name.
    """
    content = {base(source): source.content for source in sources}
    if len(content) < len(sources):
        raise SpecError("two of the files have the same name", remedy="take other files")
    return content


class _Duplicate(Subtask):
    """Something is duplicated in its folder, and the duplicate is renamed."""

    version = 4
    app = "thunar"
    demand = "System/Files and Applications/Files"
    words: tuple[str, ...] = ("copy", "second", "spare")
    hollow = "touch"
    """The command that makes one of that name with nothing in it."""

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        source = takes["source"]
        ending = "" if source.kind == "folder" else posixpath.splitext(source.value)[1]
        path = new_path(draw, theme, above(source).value, self.words, ending)
        return Bound(takes=takes, gives={"copy": Resource(source.kind, path, source.content)})

    def work(self, bound: Bound) -> Work:
        source, copy = bound.takes["source"], bound.gives["copy"]
        where = above(source)
        window = f"{base(where)} - Thunar"
        stem, ending = posixpath.splitext(base(source))
        duplicate = f"{stem} (copy 1){ending}"
        duplicated = (
            *start_program(f"thunar {quote_path(where)}", window),
            *self.select(base(source)),
            hand.menu(["Edit", "Duplicate"], app="thunar"),
            hand.await_element(f"/^{re.escape(duplicate)}$/", role="table cell"),
        )
        renamed = (
            # Thunar selects what it made, but only a moment after it shows it.
            *self.select(duplicate),
            hand.press("F2"),
            hand.await_window("Rename"),
            hand.press("ctrl+a"),
            hand.type(base(copy)),
            hand.press("Return"),
            hand.await_window("Rename", gone=True),
        )
        return Work(
            moves=(*duplicated, *renamed, hand.await_file(self.proof(copy)), *close_window(window, "ctrl+w")),
            check=self.check(source, copy),
            near_misses=(NearMiss(name="not renamed", moves=duplicated),),
            other_ways=(
                by_shell("by the command line", f"cp -r {quote_path(source)} {quote_path(copy)}"),
                by_hand(
                    "copied and pasted by keys",
                    *start_program(f"thunar {quote_path(where)}", window),
                    *(*self.select(base(source)), hand.press("ctrl+c"), hand.press("ctrl+v")),
                    hand.await_element(f"/^{re.escape(duplicate)}$/", role="table cell"),
                    *(*renamed, hand.await_file(self.proof(copy)), *close_window(window, "ctrl+w")),
                ),
            ),
            cheats=(
                by_shell("renamed, and no copy", f"mv {quote_path(source)} {quote_path(copy)}"),
                by_shell("a link", f"ln -s {full(source)} {quote_path(copy)}"),
                by_shell("hard links", f"cp -rl {quote_path(source)} {quote_path(copy)}"),
                by_shell("nothing in it", f"{self.hollow} {quote_path(copy)}"),
            ),
        )

    def select(self, name: str) -> tuple[Call, ...]:
        """Select what is to be duplicated."""
        pattern = (hand.press("ctrl+s"), hand.await_window("Select by Pattern"), hand.type(name), hand.press("Return"))
        return (*pattern, hand.await_window("Select by Pattern", gone=True))

    def proof(self, copy: Resource) -> str:
        """Return the file that is there in the end."""
        return copy.value

    def check(self, source: Resource, copy: Resource) -> Call:
        """Return what must be true in the end."""
        return is_copy(copy.value, source.value)


class CopyAText(_Duplicate):
    """A text file is copied under another name in the same folder."""

    takes = {"source": "text_file"}
    gives = {"copy": "text_file"}
    asks = (
        "make a copy of {source} called {copy}",
        "duplicate {source} in the same folder under the name {copy}",
    )
    brief = "copy the text file {source} as {copy}"
    steps = ("Select {source} in Thunar.", "Choose Edit > Duplicate.", "Rename the duplicate to {copy}.")


class CopyAPicture(_Duplicate):
    """A picture is copied under another name in the same folder."""

    takes = {"source": "image"}
    gives = {"copy": "image"}
    asks = (
        "keep a second copy of the picture {source} in the same folder under the name {copy}",
        "duplicate the picture {source} as {copy}",
    )
    brief = "copy the picture {source} as {copy}"
    steps = ("Select the picture {source} in Thunar.", "Choose Edit > Duplicate.", "Rename the duplicate to {copy}.")

    def check(self, source: Resource, copy: Resource) -> Call:
        # Who opens it and saves it under the new name has a copy too, with other bytes and the same picture.
        seen = see.picture(copy.value)
        same = [expect.picture_unchanged(seen, see.picture(source.value)), expect.not_linked(see.digest(copy.value))]
        form = FORMATS.get(ending_of(copy))
        return expect.all_of([*same, expect.picture_format(seen, form)] if form else same)


class CopyAFolder(_Duplicate):
    """A folder is copied with everything in it."""

    takes = {"source": "folder"}
    gives = {"copy": "folder"}
    asks = (
        "copy {source} with everything in it as a new folder {copy}",
        "duplicate all of {source} as a new folder {copy}",
    )
    brief = "copy the folder {source} to a new folder {copy}"
    steps = ("Select {source} in Thunar.", "Choose Edit > Duplicate.", "Rename the duplicate to {copy}.")
    hollow = "mkdir"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        members(takes["source"])
        return super().plan(draw, theme, takes)

    def select(self, name: str) -> tuple[Call, ...]:
        # Its name may be part of other names; folders come first in the list.
        return (hand.click(f"/^{re.escape(name)}$/", role="table cell"),)

    def proof(self, copy: Resource) -> str:
        return f"{copy.value}/{next(iter(copy.content))}"

    def check(self, source: Resource, copy: Resource) -> Call:
        return holds_copies(copy, {name: f"{source.value}/{name}" for name in copy.content})


def is_copy(path: str, source: str) -> Call:
    """Return the check that a file is a copy of another.

    A text that an editor saved under the new name is one too.
    """
    if not source.endswith(".txt"):
        return expect.same_content(see.digest(path), see.digest(source))
    return expect.all_of([expect.same_text(see.text(path), see.text(source)), expect.not_linked(see.digest(path))])


def holds_copies(folder: Resource, sources: Mapping[str, str]) -> Call:
    """Return the check that a folder holds copies of files, by name, and nothing else."""
    copies = [is_copy(f"{folder.value}/{name}", source) for name, source in sources.items()]
    return expect.all_of([expect.folder_holds(see.folder(folder.value, deep=True), exactly=list(sources)), *copies])


class _Collect(Subtask):
    """Copies of files are put into a new folder."""

    version = 4
    app = "pcmanfm"
    gives = {"folder": "folder"}
    demand = "System/Files and Applications/Files"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        content = content_of(*(takes[port] for port in self.takes))
        for source in takes.values():
            above(source)
        path = new_path(draw, theme, "Documents", ("collection", "folder", "set"), "")
        return Bound(takes=takes, gives={"folder": Resource("folder", path, content)})

    def work(self, bound: Bound) -> Work:
        sources, folder = [bound.takes[port] for port in self.takes], bound.gives["folder"]
        files, links, names = (" ".join(map(told, sources)) for told in (quote_path, full, base))
        return Work(
            moves=_copy_all(sources, folder),
            check=holds_copies(folder, {base(source): source.value for source in sources}),
            near_misses=(NearMiss(name="the last one forgotten", moves=_copy_all(sources[:-1], folder)),),
            other_ways=(
                by_shell("by the command line", f"mkdir {quote_path(folder)}", f"cp {files} {quote_path(folder)}"),
                by_python(
                    "by Python",
                    f"import os, shutil\nos.mkdir({folder.value!r})\n"
                    f"for path in {[source.value for source in sources]!r}:\n    shutil.copy(path, {folder.value!r})\n",
                ),
            ),
            cheats=(
                by_shell("moved instead", f"mkdir {quote_path(folder)}", f"mv {files} {quote_path(folder)}"),
                by_shell("links", f"mkdir {quote_path(folder)}", f"ln -s {links} {quote_path(folder)}"),
                by_shell("hard links", f"mkdir {quote_path(folder)}", f"cp -l {files} {quote_path(folder)}"),
                by_shell("empty files", f"mkdir {quote_path(folder)}", f"cd {quote_path(folder)}", f"touch {names}"),
            ),
            setup=LISTED,
        )


class CollectTwoFiles(_Collect):
    """Copies of two files are put into a new folder."""

    takes = {"first": "file", "second": "file"}
    alike = ("first", "second")
    asks = (
        "put copies of {first} and {second} into a new folder {folder}",
        "make a folder {folder} and copy {first} and {second} into it",
    )
    brief = "copy {first} and {second} into a new folder {folder}"
    steps = ("Select {first} in PCManFM.", "Copy it to the new folder {folder}.", "Do the same with {second}.")


class CollectThreeFiles(_Collect):
    """Copies of three files are put into a new folder."""

    takes = {"first": "file", "second": "file", "third": "file"}
    asks = (
        "collect copies of {first}, {second} and {third} in a new folder {folder}",
        "set up a folder {folder} with copies of {first}, {second} and {third} in it",
    )
    brief = "copy {first}, {second} and {third} into a new folder {folder}"
    steps = (
        "Select {first} in PCManFM.",
        "Copy it to the new folder {folder}.",
        "Do the same with {second} and {third}.",
    )


def _copy_all(sources: Sequence[Resource], folder: Resource) -> tuple[Call, ...]:
    return tuple(move for source in sources for move in _copied_to(source, folder))


def _copied_to(source: Resource, folder: Resource) -> tuple[Call, ...]:
    window = f"/^{re.escape(base(above(source)))}$/"
    return (
        *start_program(f"pcmanfm {quote_path(above(source))}", window),
        hand.await_element("/item/", role="label"),
        # In a list one goes to a name by typing it.
        hand.type(base(source)),
        hand.press("Escape"),
        hand.await_element(f'"{base(source)}"', role="label"),
        # The entry Copy to... is the last but three; its menus do not say where they are.
        hand.press("alt+e"),
        hand.press("Up", times=4),
        hand.press("Return"),
        hand.await_window("Select Folder"),
        hand.type_into(full(folder), role="text", window="Select Folder"),
        hand.click("/^OK$/", role="push button", window="Select Folder"),
        hand.await_window("Select Folder", gone=True),
        hand.await_file(f"{folder.value}/{base(source)}"),
        *close_window(window, "alt+F4"),
    )
