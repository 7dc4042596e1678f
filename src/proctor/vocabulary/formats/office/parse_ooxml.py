"""What texts and presentations in Office Open XML share: relations between parts, and toggles."""

from __future__ import annotations

import hashlib
import posixpath
import zipfile
from typing import Any

from proctor.vocabulary.formats.guarded_xml import Element
from proctor.vocabulary.formats.office.parse_xml import PackageParts, child, children, get

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
            (f"officeDocument{year}/relationships", "r"),
        )
    },
    f"{_FORMATS}/package/2006/relationships": "rel",
    f"{_FORMATS}/package/2006/metadata/core-properties": "cp",
    f"{_FORMATS}/markup-compatibility/2006": "mc",
    "http://purl.org/dc/elements/1.1/": "dc",
}


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


def title(parts: PackageParts) -> str:
    """Return the title in the document's properties."""
    if "docProps/core.xml" not in parts:
        return ""
    found = child(parts.xml("docProps/core.xml"), "dc:title")
    return (found.text or "") if found is not None else ""


def is_on(element: Element | None, attribute: str) -> bool:
    """Tell whether a toggle such as bold is on: it is when it stands there without a value."""
    return element is not None and get(element, attribute, "true").lower() not in ("false", "0", "off", "none")


def pictures(parts: PackageParts, part: str, element: Element) -> list[dict[str, Any]]:
    """Return the pictures in an element of a part."""
    targets = relations(parts, part)
    found = []
    for blip in element.iter("a:blip"):
        _, path = targets.get(get(blip, "r:embed"), ("", ""))
        if path in parts:
            found.append({"name": path, "sha256": hashlib.sha256(parts.read(path)).hexdigest()})
    return found
