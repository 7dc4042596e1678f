"""Subtasks on archives in Xarchiver, File Roller and the terminal."""

from __future__ import annotations

from collections.abc import Mapping

from proctor.errors import SpecError
from proctor.graphs.composing.equip import text_of
from proctor.graphs.composing.resource import Resource
from proctor.graphs.composing.subtask import Bound, Subtask, Work
from proctor.graphs.composing.theme import Theme
from proctor.suites.parts.programs import base, closed, full, named, opened, quoted, started
from proctor.suites.pool.folders import above, holding, members
from proctor.suites.pool.terminal import commanded
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import NearMiss

PACKS = ("pack", "bundle", "parcel")
TAR = ".tar.gz"
ASIDE = ("Desktop", "Public")
"""Folders in which nothing else is put."""


def holds_packed(archive: Resource, sources: Mapping[str, str]) -> Call:
    """Return the check that an archive holds files as they are, by name, and nothing else."""
    packed = [
        expect.same_content(see.archived(archive.value, name), see.digest(source)) for name, source in sources.items()
    ]
    return expect.all_of([expect.archive_holds(see.archive(archive.value), dict.fromkeys(sources)), *packed])


class PackAFile(Subtask):
    """A file is packed into a new archive next to it."""

    app = "file-roller"
    takes = {"source": "file"}
    gives = {"archive": "archive"}
    asks = (
        "compress {source} into a new archive {archive} with no folders inside",
        "make a compressed archive {archive} that has only {source} in it and no folders",
    )
    steps = ("Compress {source} with File Roller.", "Call the archive {archive} and create it.")
    demand = "System/Files and Applications/Files"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        path = named(draw, theme, above(takes["source"]).value, PACKS, TAR)
        return Bound(takes=takes, gives={"archive": Resource("archive", path, holding(takes["source"]))})

    def work(self, bound: Bound) -> Work:
        source, archive = bound.takes["source"], bound.gives["archive"]
        stem = base(archive).removesuffix(TAR)

        def asked_for(name: str) -> tuple[Call, ...]:
            # It proposes this ending, and the folder that the file is in.
            return (
                *started(f"file-roller -d {quoted(source)}", "/^Compress$/"),
                hand.press("ctrl+a"),
                hand.type(name),
                hand.click("/^Create$/", role="push button", window="/^Compress$/"),
                hand.await_window("/^Compress$/", gone=True),
            )

        return Work(
            moves=(*asked_for(stem), hand.await_saved(archive.value), hand.await_window(stem, gone=True)),
            check=holds_packed(archive, {base(source): source.value}),
            near_misses=(NearMiss(name="under another name", moves=asked_for("archive")),),
        )


class UnpackAnArchive(Subtask):
    """An archive is unpacked into a new folder."""

    app = "file-roller"
    takes = {"archive": "archive"}
    gives = {"folder": "folder"}
    asks = (
        "unpack {archive} into a new folder {folder}",
        "extract everything in {archive} to a new folder {folder}",
    )
    steps = ("Open {archive} in File Roller.", "Extract all files to the new folder {folder}.", "Close File Roller.")
    demand = "System/Files and Applications/Files"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        path = named(draw, theme, "Documents", ("unpacked", "extracted", "contents"), "")
        return Bound(takes=takes, gives={"folder": Resource("folder", path, members(takes["archive"]))})

    def work(self, bound: Bound) -> Work:
        archive, folder = bound.takes["archive"], bound.gives["folder"]
        names = list(folder.content)

        def extracted(folder: str) -> tuple[Call, ...]:
            return (
                *opened("file-roller", archive),
                hand.press("ctrl+e"),
                hand.await_window("/^Extract$/"),
                hand.press("ctrl+l"),
                hand.type(folder),
                hand.click("/^Extract$/", role="push button", window="/^Extract$/"),
                hand.await_element("Extraction completed", role="label", timeout_sec=20),
                hand.press("Return"),
                hand.await_element("Extraction completed", role="label", gone=True),
                *closed(base(archive), "ctrl+w"),
            )

        same = [
            expect.same_content(see.digest(f"{folder.value}/{name}"), see.archived(archive.value, name))
            for name in names
        ]
        return Work(
            moves=extracted(full(folder)),
            check=expect.all_of([expect.folder_holds(see.folder(folder.value, deep=True), exactly=names), *same]),
            near_misses=(NearMiss(name="into another folder", moves=extracted(f"{full(folder)}-new")),),
        )


class TakeATextOut(Subtask):
    """One text file is taken out of an archive."""

    app = "xarchiver"
    takes = {"archive": "archive"}
    gives = {"text": "text_file"}
    asks = (
        "extract only {member} from {archive} and save it as {text}",
        "take the text file {member} out of {archive} and put it at {text}",
    )
    steps = ("Open {archive} in Xarchiver.", "Select {member} and extract it as {text}.", "Close Xarchiver.")
    demand = "System/Files and Applications/Files"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        texts = {
            name: lines
            for name, lines in members(takes["archive"]).items()
            if name.endswith(".txt") and isinstance(lines, list) and all(isinstance(line, str) for line in lines)
        }
        if not texts:
            raise SpecError(f"there is no text in {takes['archive'].value}", remedy="hand it another archive")
        member = draw.choice(sorted(texts))
        text = Resource("text_file", f"{draw.choice(ASIDE)}/{member}", texts[member])
        return Bound(takes=takes, gives={"text": text}, params={"member": member})

    def work(self, bound: Bound) -> Work:
        archive, text, member = bound.takes["archive"], bound.gives["text"], bound.params["member"]

        def extracted(folder: str) -> tuple[Call, ...]:
            return (
                *opened("xarchiver", archive),
                hand.click(f"/^{member}$/", role="table cell"),
                hand.press("ctrl+e"),
                hand.await_window("Extract files"),
                hand.type(full(Resource("folder", folder))),
                hand.click("/^Extract$/", role="push button", window="Extract files"),
                hand.await_window("Extract files", gone=True),
                hand.await_file(f"{folder}/{member}"),
                *closed("xarchiver"),
            )

        return Work(
            moves=extracted(above(text).value),
            check=expect.all_of(
                [
                    expect.text_is(see.text(text.value), text_of(text.content)),
                    expect.same_content(see.digest(text.value), see.archived(archive.value, member)),
                ]
            ),
            near_misses=(NearMiss(name="into another folder", moves=extracted("Downloads")),),
        )


class _Zip(Subtask):
    """Files are packed with zip."""

    app = "lxterminal"
    gives = {"archive": "archive"}
    demand = "System/Files and Applications/Files"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        content = holding(*(takes[port] for port in self.takes))
        path = named(draw, theme, "Downloads", PACKS, ".zip")
        return Bound(takes=takes, gives={"archive": Resource("archive", path, content)})

    def work(self, bound: Bound) -> Work:
        sources, archive = [bound.takes[port] for port in self.takes], bound.gives["archive"]
        files = " ".join(quoted(source) for source in sources)
        return Work(
            moves=commanded(f"zip -j {quoted(archive)} {files}", archive),
            check=holds_packed(archive, {base(source): source.value for source in sources}),
            near_misses=(
                NearMiss(name="with their folders", moves=commanded(f"zip {quoted(archive)} {files}", archive)),
            ),
        )


class ZipAFile(_Zip):
    """A file is packed with zip."""

    takes = {"source": "file"}
    asks = (
        "zip {source} as {archive}, with no folders inside",
        "put just {source} into a new zip file {archive} with no folders inside",
    )
    steps = (
        "Open a terminal.",
        "Use zip to pack {source} into {archive}, with no folders inside.",
        "Close the terminal.",
    )


class ZipTwoFiles(_Zip):
    """Two files are packed with zip."""

    takes = {"first": "file", "second": "file"}
    alike = ("first", "second")
    asks = (
        "pack {first} and {second} into a new zip file {archive} with no folders inside",
        "make a zip file {archive} out of {first} and {second}, with no folders inside",
    )
    steps = (
        "Open a terminal.",
        "Use zip to pack {first} and {second} into {archive}, with no folders inside.",
        "Close the terminal.",
    )


class ZipThreeFiles(_Zip):
    """Three files are packed with zip."""

    takes = {"first": "file", "second": "file", "third": "file"}
    asks = (
        "zip {first}, {second} and {third} as {archive}, with no folders inside",
        "put {first}, {second} and {third} into a new zip file {archive} with no folders inside",
    )
    steps = (
        "Open a terminal.",
        "Use zip to pack {first}, {second} and {third} into {archive}, with no folders inside.",
        "Close the terminal.",
    )


class ZipAFolder(Subtask):
    """The files in a folder are packed with zip."""

    app = "lxterminal"
    takes = {"folder": "folder"}
    gives = {"archive": "archive"}
    asks = (
        "zip all the files in {folder} as {archive}, without the folder itself",
        "put everything in {folder} into a new zip file {archive} that has no folders in it",
    )
    steps = (
        "Open a terminal.",
        "Use zip to pack the files in {folder}, without the folder itself, into {archive}.",
        "Close the terminal.",
    )
    demand = "System/Files and Applications/Files"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        path = named(draw, theme, "Downloads", PACKS, ".zip")
        return Bound(takes=takes, gives={"archive": Resource("archive", path, members(takes["folder"]))})

    def work(self, bound: Bound) -> Work:
        folder, archive = bound.takes["folder"], bound.gives["archive"]
        whole = commanded(f"zip -r {quoted(archive)} {quoted(folder)}", archive)
        return Work(
            moves=commanded(f"zip -j {quoted(archive)} {quoted(folder)}/*", archive),
            check=holds_packed(archive, {name: f"{folder.value}/{name}" for name in archive.content}),
            near_misses=(NearMiss(name="with the folder", moves=whole),),
        )
