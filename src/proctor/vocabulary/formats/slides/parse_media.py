"""Pictures and sound on the slides of a presentation in Office Open XML, taken out of the file."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from urllib.parse import unquote

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.guard import open_zip
from proctor.vocabulary.formats.guarded_xml import Element
from proctor.vocabulary.formats.office.parse_ooxml import ooxml_parts, relations
from proctor.vocabulary.formats.office.parse_xml import PackageParts, child, children, get
from proctor.vocabulary.formats.pictures import parse as pictures
from proctor.vocabulary.formats.slides.parse_as_written import MAIN, designs_of
from proctor.vocabulary.formats.sound import parse as sounds
from proctor.vocabulary.formats.visible import Look


def preload() -> None:
    """Load what pictures and recordings are read with."""
    pictures.preload()
    sounds.preload()


def picture_of_slide(data: bytes, path: str, number: int, behind: bool) -> Look:
    """Return what the first picture on a slide shows, or the one behind everything on it."""
    parts, place = _slide(data, path, number)
    for part in (place, *designs_of(parts, place)) if behind else (place,):
        root, targets = parts.xml(part), relations(parts, part)
        for blip in _blips(root, behind):
            held = targets.get(get(blip, "r:embed"), ("", ""))[1]
            if held in parts:
                return pictures.describe(f"{posixpath.basename(held)} in {path}", parts.read(held))
    raise CannotSee("absent", f"slide {number} of {path} has no picture {'behind' if behind else 'on'} it")


def sound_of_slide(data: bytes, path: str, number: int) -> Look:
    """Return what is heard on a slide; where the sound lies in another file, only `linked`, its path."""
    parts, place = _slide(data, path, number)
    for part, linked in _sounds(parts, place):
        if linked:
            return {"linked": linked}
        if part in parts:
            return sounds.listen(f"{posixpath.basename(part)} in {path}", parts.read(part))
    raise CannotSee("absent", f"slide {number} of {path} has no sound")


def _slide(data: bytes, path: str, number: int) -> tuple[PackageParts, str]:
    archive = open_zip(data, path)
    if MAIN not in archive.namelist():
        raise CannotSee("unreadable", f"{path} is not a PowerPoint presentation")
    parts = ooxml_parts(archive, path)
    targets = relations(parts, MAIN)
    places = [targets.get(get(each, "r:id"), ("", ""))[1] for each in children(child(parts.xml(MAIN), "p:sldIdLst"))]
    if number > len(places) or places[number - 1] not in parts:
        raise CannotSee("absent", f"{path} has no slide {number}")
    return parts, places[number - 1]


def _blips(root: Element, behind: bool) -> Iterator[Element]:
    if behind:
        ground = child(root, "p:cSld", "p:bg")
        yield from ground.iter("a:blip") if ground is not None else ()
    else:
        for shape in root.iter("p:pic"):
            yield from shape.iter("a:blip")


def _sounds(parts: PackageParts, place: str) -> Iterator[tuple[str, str]]:
    """Yield the sounds of a slide: parts of the file, or paths of others."""
    folder, _, name = place.rpartition("/")
    listing = f"{folder}/_rels/{name}.rels"
    for each in children(parts.xml(listing)) if listing in parts else ():
        kind, target = get(each, "Type").rpartition("/")[2], get(each, "Target")
        if kind not in ("audio", "media"):
            continue
        if get(each, "TargetMode") == "External" and "://" in target:
            yield "", unquote(target.removeprefix("file://")) if target.startswith("file:///") else ""
        elif get(each, "TargetMode") != "External":
            yield relations(parts, place)[get(each, "Id")][1], ""
