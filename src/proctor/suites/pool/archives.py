"""Subtasks on archives in Xarchiver, File Roller and the terminal."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence

from proctor.errors import SpecError
from proctor.graphs.compose.equip import text_of
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.suites.parts.programs import base, close_window, full, new_path, open_file, quote_path, start_program
from proctor.suites.parts.ways import by_python, by_shell
from proctor.suites.pool.folders import above, content_of, members
from proctor.suites.pool.terminal import run_in_terminal
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import NearMiss, Way

PACKS = ("pack", "bundle", "parcel")
TAR = ".tar.gz"
ASIDE = ("Desktop", "Public")
"""Folders in which nothing else is put."""


def holds_packed(archive: Resource, sources: Mapping[str, str]) -> Call:
    """Return the check that an archive, of the kind its name says, holds just these files."""
    form = TAR if archive.value.endswith(TAR) else posixpath.splitext(archive.value)[1]
    packed = [
        expect.same_content(see.archived(archive.value, name), see.digest(source)) for name, source in sources.items()
    ]
    seen = see.archive(archive.value)
    return expect.all_of(
        [expect.archive_format(seen, form[1:]), expect.archive_holds(seen, dict.fromkeys(sources), flat=True), *packed]
    )


def _of_empty_files(command: str, names: Iterable[str]) -> Way:
    """Return the cheat that works on files which have the right names and nothing in them."""
    return by_shell(
        "empty files of those names", "mkdir -p /tmp/empty", "cd /tmp/empty", f"touch {' '.join(names)}", "cd", command
    )


class PackAFile(Subtask):
    """A file is packed into a new archive next to it."""

    version = 4
    app = "file-roller"
    takes = {"source": "file"}
    gives = {"archive": "archive"}
    asks = (
        "compress {source} into a new archive {archive} with no folders inside",
        "make a compressed archive {archive} that has only {source} in it and no folders",
    )
    brief = "compress {source} as {archive} without folders"
    steps = ("Compress {source} with File Roller.", "Call the archive {archive} and create it.")
    demand = "System/Files and Applications/Files"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        path = new_path(draw, theme, above(takes["source"]).value, PACKS, TAR)
        return Bound(takes=takes, gives={"archive": Resource("archive", path, content_of(takes["source"]))})

    def work(self, bound: Bound) -> Work:
        source, archive = bound.takes["source"], bound.gives["archive"]
        stem = base(archive).removesuffix(TAR)

        def asked_for(name: str) -> tuple[Call, ...]:
            # It proposes this ending, and the folder that the file is in.
            return (
                *start_program(f"file-roller -d {quote_path(source)}", "/^Compress$/"),
                hand.press("ctrl+a"),
                hand.type(name),
                hand.click("/^Create$/", role="push button", window="/^Compress$/"),
                hand.await_window("/^Compress$/", gone=True),
            )

        return Work(
            moves=(*asked_for(stem), hand.await_saved(archive.value), hand.await_window(stem, gone=True)),
            check=holds_packed(archive, {base(source): source.value}),
            near_misses=(NearMiss(name="under another name", moves=asked_for("archive")),),
            other_ways=(
                by_shell(
                    "by the command line",
                    f"tar czf {quote_path(archive)} -C {quote_path(above(source))} ./{base(source)}",
                ),
                by_python(
                    "by Python",
                    f"import tarfile\nwith tarfile.open({archive.value!r}, 'w:gz') as archive:\n"
                    f"    archive.add({source.value!r}, {base(source)!r})\n",
                ),
            ),
            cheats=(
                by_shell("the file itself under that name", f"cp {quote_path(source)} {quote_path(archive)}"),
                _of_empty_files(f"tar czf {quote_path(archive)} -C /tmp/empty .", [base(source)]),
                by_shell(
                    "not compressed", f"tar cf {quote_path(archive)} -C {quote_path(above(source))} {base(source)}"
                ),
            ),
        )


def _is_unpacked(path: str, archive: Resource, member: str) -> Call:
    """Return the check that a file is what an archive holds."""
    # Unpacking may give a text other ends of lines.
    if text := _texts(archive).get(member):
        return expect.text_is(see.text(path), text_of(text))
    return expect.same_content(see.digest(path), see.archived(archive.value, member))


def _texts(archive: Resource) -> dict[str, list[str]]:
    """Return the lines of the texts in an archive, by name."""
    return {
        name: lines
        for name, lines in members(archive).items()
        if name.endswith(".txt") and isinstance(lines, list) and all(isinstance(line, str) for line in lines)
    }


class UnpackAnArchive(Subtask):
    """An archive is unpacked into a new folder."""

    version = 3
    app = "file-roller"
    takes = {"archive": "archive"}
    gives = {"folder": "folder"}
    asks = (
        "unpack {archive} into a new folder {folder}",
        "extract everything in {archive} to a new folder {folder}",
    )
    brief = "unpack {archive} into a new folder {folder}"
    steps = ("Open {archive} in File Roller.", "Extract all files to the new folder {folder}.", "Close File Roller.")
    demand = "System/Files and Applications/Files"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        path = new_path(draw, theme, "Documents", ("unpacked", "extracted", "contents"), "")
        return Bound(takes=takes, gives={"folder": Resource("folder", path, members(takes["archive"]))})

    def work(self, bound: Bound) -> Work:
        archive, folder = bound.takes["archive"], bound.gives["folder"]
        names = list(folder.content)

        def extract_to(folder: str) -> tuple[Call, ...]:
            return (
                *open_file("file-roller", archive),
                hand.press("ctrl+e"),
                hand.await_window("/^Extract$/"),
                hand.press("ctrl+l"),
                hand.type(folder),
                hand.click("/^Extract$/", role="push button", window="/^Extract$/"),
                hand.await_element("Extraction completed", role="label", timeout_sec=20),
                hand.press("Return"),
                hand.await_element("Extraction completed", role="label", gone=True),
                *close_window(base(archive), "ctrl+w"),
            )

        same = [_is_unpacked(f"{folder.value}/{name}", archive, name) for name in names]
        return Work(
            moves=extract_to(full(folder)),
            check=expect.all_of([expect.folder_holds(see.folder(folder.value, deep=True), exactly=names), *same]),
            near_misses=(NearMiss(name="into another folder", moves=extract_to(f"{full(folder)}-new")),),
            other_ways=(
                by_shell("by the command line", f"unzip -q {quote_path(archive)} -d {quote_path(folder)}"),
                by_python("by Python", f"import shutil\nshutil.unpack_archive({archive.value!r}, {folder.value!r})\n"),
            ),
            cheats=(
                _of_empty_files(f"cp -r /tmp/empty {quote_path(folder)}", names),
                by_shell(
                    "the archive in the folder",
                    f"mkdir {quote_path(folder)}",
                    f"cp {quote_path(archive)} {quote_path(folder)}",
                ),
                by_shell(
                    "only the first of them", f"unzip -q {quote_path(archive)} {names[0]} -d {quote_path(folder)}"
                ),
            ),
        )


class TakeATextOut(Subtask):
    """One text file is taken out of an archive."""

    version = 3
    app = "xarchiver"
    takes = {"archive": "archive"}
    gives = {"text": "text_file"}
    asks = (
        "extract only {member} from {archive} and save it as {text}",
        "take the text file {member} out of {archive} and put it at {text}",
    )
    brief = "take {member} out of {archive} as {text}"
    steps = ("Open {archive} in Xarchiver.", "Select {member} and extract it as {text}.", "Close Xarchiver.")
    demand = "System/Files and Applications/Files"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        texts = _texts(takes["archive"])
        if not texts:
            raise SpecError(f"there is no text in {takes['archive'].value}", remedy="give it another archive")
        member = theme.among("member", draw, sorted(texts))
        text = Resource("text_file", f"{draw.choice(ASIDE)}/{member}", texts[member])
        return Bound(takes=takes, gives={"text": text}, params={"member": member})

    def work(self, bound: Bound) -> Work:
        archive, text, member = bound.takes["archive"], bound.gives["text"], bound.params["member"]

        def extract_to(folder: str) -> tuple[Call, ...]:
            return (
                *open_file("xarchiver", archive),
                hand.click(f"/^{member}$/", role="table cell"),
                hand.press("ctrl+e"),
                hand.await_window("Extract files"),
                hand.type(full(Resource("folder", folder))),
                hand.click("/^Extract$/", role="push button", window="Extract files"),
                hand.await_window("Extract files", gone=True),
                hand.await_file(f"{folder}/{member}"),
                *close_window("xarchiver"),
            )

        return Work(
            moves=extract_to(above(text).value),
            check=_is_unpacked(text.value, archive, member),
            near_misses=(NearMiss(name="into another folder", moves=extract_to("Downloads")),),
            other_ways=(
                by_shell("by the command line", f"unzip -p {quote_path(archive)} {member} > {quote_path(text)}"),
                by_python(
                    "by Python",
                    f"import zipfile\nzipfile.ZipFile({archive.value!r}).extract({member!r}, {above(text).value!r})\n",
                ),
            ),
            cheats=(
                by_shell("everything in it", f"unzip -q {quote_path(archive)} -d {quote_path(above(text))}"),
                by_shell("an empty file", f"touch {quote_path(text)}"),
                by_shell("the archive under that name", f"cp {quote_path(archive)} {quote_path(text)}"),
            ),
        )


class _Zip(Subtask):
    """Files are packed with zip."""

    version = 4
    app = "lxterminal"
    gives = {"archive": "archive"}
    demand = "System/Files and Applications/Files"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        content = content_of(*(takes[port] for port in self.takes))
        path = new_path(draw, theme, "Downloads", PACKS, ".zip")
        return Bound(takes=takes, gives={"archive": Resource("archive", path, content)})

    def work(self, bound: Bound) -> Work:
        sources, archive = [bound.takes[port] for port in self.takes], bound.gives["archive"]
        files = " ".join(quote_path(source) for source in sources)
        return Work(
            moves=run_in_terminal(f"zip -j {quote_path(archive)} {files}", archive),
            check=holds_packed(archive, {base(source): source.value for source in sources}),
            near_misses=(
                NearMiss(
                    name="with their folders", moves=run_in_terminal(f"zip {quote_path(archive)} {files}", archive)
                ),
            ),
            other_ways=_ways_to_zip(archive, [source.value for source in sources]),
            cheats=_cheats_at_zipping(archive, [source.value for source in sources]),
        )


def _ways_to_zip(archive: Resource, paths: Sequence[str]) -> tuple[Way, ...]:
    names = " ".join(posixpath.basename(path) for path in paths)
    return (
        by_python(
            "by Python",
            f"import os, zipfile\nwith zipfile.ZipFile({archive.value!r}, 'w', zipfile.ZIP_DEFLATED) as archive:\n"
            f"    for path in {list(paths)!r}:\n        archive.write(path, os.path.basename(path))\n",
        ),
        by_shell("from inside the folder", f"cd {posixpath.dirname(paths[0])}", f"zip -q ~/{archive.value} {names}"),
    )


def _cheats_at_zipping(archive: Resource, paths: Sequence[str]) -> tuple[Way, ...]:
    names = [posixpath.basename(path) for path in paths]
    return (
        _of_empty_files(f"zip -qj {quote_path(archive)} /tmp/empty/*", names),
        by_shell(
            "a tar archive under that name",
            f"tar cf {quote_path(archive)} -C {posixpath.dirname(paths[0])} {' '.join(names)}",
        ),
        by_shell(
            "something else with them",
            "echo x > /tmp/x",
            f"zip -qj {quote_path(archive)} {' '.join(paths)} /tmp/x",
        ),
        by_python(
            "an empty folder with them",
            f"import os, zipfile\nwith zipfile.ZipFile({archive.value!r}, 'w') as archive:\n"
            "    archive.writestr('more/', '')\n"
            f"    for path in {list(paths)!r}:\n        archive.write(path, os.path.basename(path))\n",
        ),
    )


class ZipAFile(_Zip):
    """A file is packed with zip."""

    takes = {"source": "file"}
    asks = (
        "zip {source} as {archive}, with no folders inside",
        "put just {source} into a new zip file {archive} with no folders inside",
    )
    brief = "zip only {source} as {archive} without folders"
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
    brief = "zip {first} and {second} as {archive} without folders"
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
    brief = "zip {first}, {second} and {third} as {archive} without folders"
    steps = (
        "Open a terminal.",
        "Use zip to pack {first}, {second} and {third} into {archive}, with no folders inside.",
        "Close the terminal.",
    )


class ZipAFolder(Subtask):
    """The files in a folder are packed with zip."""

    version = 4
    app = "lxterminal"
    takes = {"folder": "folder"}
    gives = {"archive": "archive"}
    asks = (
        "zip all the files in {folder} as {archive}, without the folder itself",
        "put everything in {folder} into a new zip file {archive} that has no folders in it",
    )
    brief = "zip the files in {folder} as {archive} without folders"
    steps = (
        "Open a terminal.",
        "Use zip to pack the files in {folder}, without the folder itself, into {archive}.",
        "Close the terminal.",
    )
    demand = "System/Files and Applications/Files"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        path = new_path(draw, theme, "Downloads", PACKS, ".zip")
        return Bound(takes=takes, gives={"archive": Resource("archive", path, members(takes["folder"]))})

    def work(self, bound: Bound) -> Work:
        folder, archive = bound.takes["folder"], bound.gives["archive"]
        whole = run_in_terminal(f"zip -r {quote_path(archive)} {quote_path(folder)}", archive)
        return Work(
            moves=run_in_terminal(f"zip -j {quote_path(archive)} {quote_path(folder)}/*", archive),
            check=holds_packed(archive, {name: f"{folder.value}/{name}" for name in archive.content}),
            near_misses=(NearMiss(name="with the folder", moves=whole),),
            other_ways=_ways_to_zip(archive, [f"{folder.value}/{name}" for name in archive.content]),
            cheats=_cheats_at_zipping(archive, [f"{folder.value}/{name}" for name in archive.content]),
        )
