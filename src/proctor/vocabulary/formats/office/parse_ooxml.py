"""What texts and presentations in Office Open XML share: relations between parts, and toggles."""

from __future__ import annotations

import hashlib
import posixpath
import zipfile
from typing import Any

from proctor.vocabulary.formats.guarded_xml import Element
from proctor.vocabulary.formats.office.parse_xml import PackageParts, child, children, get, number

_FORMATS = "http://schemas.openxmlformats.org"
_STRICT = "http://purl.oclc.org/ooxml"
PREFIXES = {
    **{
        f"{base}/{path}": prefix
        for base, year in ((_FORMATS, "/2006"), (_STRICT, ""))
        for path, prefix in (
            (f"wordprocessingml{year}/main", "w"),
            (f"presentationml{year}/main", "p"),
            (f"drawingml{year}/main", "a"),
            (f"drawingml{year}/chart", "c"),
            (f"officeDocument{year}/math", "m"),
            (f"drawingml{year}/wordprocessingDrawing", "wp"),
            (f"officeDocument{year}/relationships", "r"),
        )
    },
    f"{_FORMATS}/package/2006/relationships": "rel",
    f"{_FORMATS}/package/2006/metadata/core-properties": "cp",
    f"{_FORMATS}/markup-compatibility/2006": "mc",
    "http://purl.org/dc/elements/1.1/": "dc",
}


EMU_PER_MM = 36_000
ABOUT = {
    "dc:title": "title", "dc:subject": "subject", "dc:creator": "author", "dc:description": "description",
    "cp:keywords": "keywords",
}  # fmt: skip


def ooxml_parts(archive: zipfile.ZipFile, label: str) -> PackageParts:
    """Return the parts of an Office Open XML file."""
    return PackageParts(archive, label, PREFIXES)


def relations(parts: PackageParts, part: str) -> dict[str, tuple[str, str]]:
    """Return what a part points to: kind and name of the target, by the id it uses for it."""
    folder, _, name = part.rpartition("/")
    listing = f"{folder}/_rels/{name}.rels"
    if listing not in parts:
        return {}
    found = {}
    for relation in children(parts.xml(listing)):
        target = get(relation, "Target")
        path = target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))
        found[get(relation, "Id")] = (get(relation, "Type").rpartition("/")[2], path)
    return found


def related_part(parts: PackageParts, part: str, kind: str) -> str | None:
    """Return the part of a kind that a part points to; None when there is none."""
    return next((path for each, path in relations(parts, part).values() if each == kind and path in parts), None)


def properties_of(parts: PackageParts) -> dict[str, str]:
    """Return what is said about a document as a whole: title, subject, author and the like."""
    root = parts.xml("docProps/core.xml") if "docProps/core.xml" in parts else None
    found = {name: child(root, tag) for tag, name in ABOUT.items()}
    return {name: each.text for name, each in found.items() if each is not None and each.text}


def is_on(element: Element | None, attribute: str) -> bool:
    """Tell whether a toggle such as bold is on: it is when it stands there without a value."""
    return element is not None and get(element, attribute, "true").lower() not in ("false", "0", "off", "none")


def pictures(parts: PackageParts, part: str, element: Element) -> list[dict[str, Any]]:
    """Return the pictures in an element of a part."""
    targets = relations(parts, part)
    found = []
    for holder in element.iter():
        if holder.tag not in ("wp:inline", "wp:anchor", "p:pic"):
            continue
        extent = child(holder, "wp:extent")
        extent = child(holder, "p:spPr", "a:xfrm", "a:ext") if extent is None else extent
        name = next((get(each, "name") for each in holder.iter() if each.tag in ("wp:docPr", "p:cNvPr")), "")
        for blip in holder.iter("a:blip"):
            _, path = targets.get(get(blip, "r:embed"), ("", ""))
            if path in parts:
                sides = [round(number(get(extent, side)) / EMU_PER_MM, 1) for side in ("cx", "cy")]
                digest = hashlib.sha256(parts.read(path)).hexdigest()
                found.append(
                    {"name": name, "sha256": digest, "anchor": holder.tag.rpartition(":")[2], "size_mm": sides}
                )
    return found
