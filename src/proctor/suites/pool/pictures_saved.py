"""Subtasks that save pictures as they are, in another format or under another name."""

from __future__ import annotations

from collections.abc import Mapping

from proctor.errors import SpecError
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.suites.parts.programs import base, close_window, full, named_in_dialog, new_path, open_file, quote_path
from proctor.suites.parts.ways import by_hand, by_pillow, by_shell
from proctor.suites.pool.pictures import DEMAND, FORMATS, content_of_picture, ending_of, looks, plain
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import NearMiss


class ConvertPicture(Subtask):
    """A picture is saved in another format."""

    app = "eog"
    takes = {"source": "image"}
    gives = {"picture": "image"}
    asks = (
        "convert {source} to a {format} file and save it as {picture}",
        "save {source} in {format} format as {picture}",
        "make a {format} version of {source} named {picture}",
    )
    brief = "convert {source} to {format} as {picture}"
    steps = ("Open {source} in the image viewer.", "Save it in {format} format as {picture}.", "Close the viewer.")
    demand = DEMAND
    version = 2

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        source = takes["source"]
        endings: dict[str, str] = {FORMATS[ending]: ending for ending in FORMATS if ending != ending_of(source)}
        ending = endings[theme.among("format", draw, endings)]
        path = new_path(draw, theme, "Pictures", ("converted", "version", "for-the-web"), ending)
        picture = Resource("image", path, plain(content_of_picture(source)))
        return Bound(takes=takes, gives={"picture": picture}, params={"format": FORMATS[ending]})

    def work(self, bound: Bound) -> Work:
        source, picture = bound.takes["source"], bound.gives["picture"]
        same = Resource("image", f"{picture.value}{ending_of(source)}")
        shown = (*open_file("eog", source), hand.press("ctrl+shift+s"))
        return Work(
            moves=(*shown, *named_in_dialog("Save Image", picture), *close_window(base(picture), "ctrl+w")),
            check=looks(picture),
            near_misses=(NearMiss(name="in the old format", moves=(*shown, *named_in_dialog("Save Image", same))),),
            other_ways=(
                by_pillow("by Python", source.value, picture.value, "picture.convert('RGB')"),
                by_hand("by another program", hand.run_code(_saved_by_gtk(source, picture), "python")),
            ),
            cheats=(
                by_shell("only renamed", f"cp {quote_path(source)} {quote_path(picture)}"),
                by_pillow("without its mark", source.value, picture.value, _without_mark(source)),
                by_pillow("half as large", source.value, picture.value, "picture.convert('RGB').reduce(2)"),
            ),
        )


class CopyPicture(Subtask):
    """A picture is saved under another name, unchanged."""

    app = "ristretto"
    takes = {"source": "image"}
    gives = {"picture": "image"}
    asks = (
        "save a copy of the picture {source} as {picture}",
        "keep an unchanged copy of the picture {source} under the name {picture}",
    )
    brief = "copy the picture {source} to a file named {picture}"
    steps = ("Open {source} in Ristretto.", "Save a copy of it as {picture}.", "Close Ristretto.")
    demand = "System/Files and Applications/Files"
    version = 3

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        source = takes["source"]
        if ending_of(source) not in FORMATS:
            raise SpecError(f"{source.value} has a format that is not looked at", remedy="give it another picture")
        path = new_path(draw, theme, "Documents", ("picture", "illustration", "figure"), ending_of(source))
        return Bound(takes=takes, gives={"picture": Resource("image", path, plain(content_of_picture(source)))})

    def work(self, bound: Bound) -> Work:
        source, picture = bound.takes["source"], bound.gives["picture"]
        elsewhere = Resource("image", picture.value.replace("Documents/", "Pictures/"))
        shown = (*open_file("ristretto", source), hand.press("ctrl+s"))
        return Work(
            moves=(*shown, *named_in_dialog("Save copy", picture), *close_window("Image Viewer")),
            check=expect.all_of([looks(picture), expect.not_linked(see.digest(picture.value))]),
            near_misses=(NearMiss(name="in another folder", moves=(*shown, *named_in_dialog("Save copy", elsewhere))),),
            other_ways=(
                by_shell("by the command line", f"cp {quote_path(source)} {quote_path(picture)}"),
                by_shell("by the desktop's own command", f"gio copy {quote_path(source)} {quote_path(picture)}"),
            ),
            cheats=(
                by_shell("moved instead of copied", f"mv {quote_path(source)} {quote_path(picture)}"),
                by_shell("a link to it", f"ln -s {full(source)} {quote_path(picture)}"),
                by_shell("a hard link", f"cp -l {quote_path(source)} {quote_path(picture)}"),
                by_shell("an empty file", f"touch {quote_path(picture)}"),
                by_shell("only its beginning", f"head -c 120 {quote_path(source)} > {quote_path(picture)}"),
            ),
            # It would tell that there is no service for thumbnails.
            setup=(make.xfconf("ristretto", "/errors/missing-thumbnailer", "false", "bool"),),
        )


def _saved_by_gtk(source: Resource, picture: Resource) -> str:
    """Return code that saves a picture in another format as programs of the desktop do."""
    form = FORMATS[ending_of(picture)].lower()
    return (
        "import gi\ngi.require_version('GdkPixbuf', '2.0')\nfrom gi.repository import GdkPixbuf\n"
        f"GdkPixbuf.Pixbuf.new_from_file({source.value!r}).savev({picture.value!r}, {form!r}, [], [])\n"
    )


def _without_mark(source: Resource) -> str:
    known = content_of_picture(source)
    return f"Image.new('RGB', ({known['width']}, {known['height']}), {known['colour']!r})"
