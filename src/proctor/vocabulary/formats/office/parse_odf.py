"""Styles of OpenDocument files, resolved with their parents and the defaults."""

from __future__ import annotations

import base64
import binascii
import functools
import re
import zipfile
from collections.abc import Callable, Iterator

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.guarded_xml import Element
from proctor.vocabulary.formats.office.parse_xml import FlatParts, PackageParts, child, children, get, number

OASIS = "urn:oasis:names:tc:opendocument:xmlns"
PREFIXES = {
    **{f"{OASIS}:{name}:1.0": name for name in ("office", "style", "text", "table", "meta", "presentation")},
    **{f"{OASIS}:{name}:1.0": name for name in ("chart", "config", "script", "form")},
    f"{OASIS}:animation:1.0": "anim",
    f"{OASIS}:drawing:1.0": "draw",
    f"{OASIS}:datastyle:1.0": "number",
    "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0": "calcext",
    f"{OASIS}:xsl-fo-compatible:1.0": "fo",
    f"{OASIS}:svg-compatible:1.0": "svg",
    f"{OASIS}:smil-compatible:1.0": "smil",
    "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0": "loext",
    "http://openoffice.org/2009/table": "tableooo",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://www.w3.org/1999/xlink": "xlink",
    "http://www.w3.org/XML/1998/namespace": "xml",
}
MILLIMETRES = {"mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72, "pc": 25.4 / 6, "px": 25.4 / 96}
NOUNS = {
    "text": "text document", "spreadsheet": "spreadsheet", "presentation": "presentation", "drawing": "drawing",
}  # fmt: skip
ABOUT = {
    "dc:title": "title", "dc:subject": "subject", "meta:initial-creator": "author", "dc:description": "description",
    "meta:keyword": "keywords",
}  # fmt: skip
SILENT = {"text:note", "office:annotation-end", "text:ruby-text", "text:tracked-changes", "text:sequence-decls"}
"""Elements whose text is not part of the paragraph they stand in."""
SIDES = ("top", "bottom", "left", "right")
MOST_SPACES = 10_000
MOST_PARENTS = 50
"""How far up parents are followed; a style that is its own ancestor must not keep us for ever."""


def odf_parts(archive: zipfile.ZipFile, label: str) -> PackageParts:
    """Return the parts of an OpenDocument file."""
    return PackageParts(archive, label, PREFIXES)


def content_of(parts: PackageParts, label: str, kind: str) -> tuple[Element, Element, Styles]:
    """Return content, body and styles of an OpenDocument file of a kind (`text`...)."""
    content = parts.xml("content.xml")
    body = child(content, "office:body", f"office:{kind}")
    if body is None:
        raise CannotSee("unreadable", f"{label} is not a {NOUNS[kind]}")
    return content, body, Styles(content, parts.xml("styles.xml") if "styles.xml" in parts else None)


def properties_of(parts: PackageParts) -> dict[str, str]:
    """Return what is said about a document as a whole: title, subject, author and the like."""
    meta = child(parts.xml("meta.xml"), "office:meta") if "meta.xml" in parts else None
    found = {name: "; ".join("".join(each.itertext()) for each in children(meta, tag)) for tag, name in ABOUT.items()}
    return {name: text for name, text in found.items() if text}


def picture_in(image: Element, parts: PackageParts) -> bytes:
    """Return the picture that an element shows; nothing where it lies outside the file."""
    if (href := get(image, "xlink:href")) in parts:
        return parts.read(href)
    held = child(image, "office:binary-data")
    try:
        return base64.b64decode((held.text or "") if held is not None else "")
    except binascii.Error:
        return b""


def flat_parts(data: bytes, label: str) -> FlatParts | None:
    """Return the parts of an OpenDocument file that is one XML file; None where it is something else."""
    if b"office:document" not in data[:4096] or not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return None
    return FlatParts(data, label, PREFIXES)


class Styles:
    """All styles of one document, those of its content before those of its style sheet."""

    def __init__(self, content: Element, sheet: Element | None) -> None:
        self.sheet = sheet
        self._named: dict[tuple[str, str], Element] = {}
        self._defaults: dict[str, Element] = {}
        self._lists: dict[str, Element] = {}
        self._fonts: dict[str, str] = {}
        self._found: dict[tuple[str, str, str], dict[str, str]] = {}
        self.data: dict[str, Element] = {}
        """Formats of numbers, by name."""
        self.gradients: dict[str, Element] = {}
        """What shapes are filled with besides plain colours, by name."""
        for root in (sheet, content):
            for group in children(root, "office:styles", "office:automatic-styles", "office:font-face-decls"):
                self._add(group)

    def _add(self, group: Element) -> None:
        for style in group:
            name, family = get(style, "style:name"), get(style, "style:family")
            if style.tag == "style:style":
                self._named[family, name] = style
            elif style.tag == "style:default-style":
                self._defaults[family] = style
            elif style.tag == "text:list-style":
                self._lists[name] = style
            elif style.tag == "style:font-face":
                self._fonts[name] = get(style, "svg:font-family").strip("'\"")
            elif style.tag.startswith("number:"):
                self.data[name] = style
            elif style.tag.startswith("draw:") and style.get("draw:name"):
                self.gradients[get(style, "draw:name")] = style

    def chain(self, family: str, name: str) -> Iterator[Element]:
        """Yield a style and those it builds on, itself first."""
        for _ in range(MOST_PARENTS):
            style = self._named.get((family, name))
            if style is None:
                return
            yield style
            name = get(style, "style:parent-style-name")

    def visible_name(self, family: str, name: str) -> str:
        """Return the style as a person chose it: automatic styles stand for the named one they build on."""
        for style in self.chain(family, name):
            # Automatic styles are those that the style sheet does not offer.
            if self._is_common(style):
                return get(style, "style:display-name") or get(style, "style:name")
        return get(next(self.chain(family, name), None), "style:parent-style-name")

    @functools.cached_property
    def _common(self) -> set[int]:
        return {id(style) for style in children(child(self.sheet, "office:styles"))}

    def _is_common(self, style: Element) -> bool:
        return id(style) in self._common

    def properties(self, family: str, name: str, kind: str) -> dict[str, str]:
        """Return the properties of a kind (`text`...) that a style has with all it builds on."""
        key = (family, name, kind)
        if key not in self._found:
            self._found[key] = self._properties(family, name, kind)
        return self._found[key]

    def _properties(self, family: str, name: str, kind: str) -> dict[str, str]:
        found: dict[str, str] = {}
        elements = [*self.chain(family, name)]
        default = self._defaults.get(family)
        for style in [*([default] if default is not None else []), *reversed(elements)]:
            found = overlaid(found, dict(getattr(child(style, f"style:{kind}-properties"), "attrib", {})))
        return found

    def attribute(self, family: str, name: str, attribute: str) -> str:
        """Return an attribute of a style, from the nearest one that has it."""
        return next((get(style, attribute) for style in self.chain(family, name) if style.get(attribute)), "")

    def font(self, properties: dict[str, str]) -> str:
        """Return the family of a font."""
        name = properties.get("style:font-name", "")
        return self._fonts.get(name, name) or properties.get("fo:font-family", "").strip("'\"")

    def list_kind(self, name: str, level: int) -> str:
        """Return what stands before the items of a list: `bullet`, `number` or nothing."""
        for entry in children(self._lists.get(name)):
            if number(get(entry, "text:level")) == level:
                if entry.tag == "text:list-level-style-bullet" or entry.tag.endswith("-image"):
                    return "bullet"
                return "number" if get(entry, "style:num-format") else ""
        return "bullet"


def overlaid(under: dict[str, str], over: dict[str, str]) -> dict[str, str]:
    """Return properties with others laid over them; sizes in per cent are of what lies under."""
    both = {**under, **over}
    size = over.get("fo:font-size", "")
    if size.endswith("%"):
        below = points(under.get("fo:font-size", "12pt")) or 12.0
        both["fo:font-size"] = f"{below * (_amount(size[:-1]) or 100.0) / 100}pt"
    # A colour that is left to the screen hides the one below, and the other way round.
    if over.get("style:use-window-font-color") == "true":
        both.pop("fo:color", None)
    return both


def tenths(text: str) -> float | None:
    """Return a length in tenths of a millimetre, which is as exactly as programs keep it."""
    length = millimetres(text)
    return None if length is None else round(length, 1)


def points(text: str) -> float | None:
    """Return a length in points."""
    length = millimetres(text)
    return None if length is None else round(length * 72 / 25.4, 1)


def millimetres(text: str) -> float | None:
    """Return a length in millimetres; None when it is none."""
    found = re.fullmatch(r"\s*(-?[0-9.]+)\s*([a-z]+)\s*", text)
    if found is None or found[2] not in MILLIMETRES:
        return None
    amount = _amount(found[1])
    return None if amount is None else round(amount * MILLIMETRES[found[2]], 2)


def _amount(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def border(properties: dict[str, str]) -> str | dict[str, str] | None:
    """Return the lines around something: one text where all sides are alike, else one a side."""
    around = properties.get("fo:border", "")
    sides = {side: _line(properties.get(f"fo:border-{side}", around)) for side in SIDES}
    drawn = {side: line for side, line in sides.items() if line}
    if len(drawn) == len(SIDES) and len(set(drawn.values())) == 1:
        return drawn["top"]
    return drawn or None


def _line(text: str) -> str:
    """Return a line as `solid #000000 0.75pt`: programs round the width as they like."""
    parts = text.split()
    if len(parts) != 3 or "none" in parts:
        return ""
    width = points(parts[0])
    return f"{parts[1]} {parts[2].lower()} {round((width or 0) * 4) / 4:g}pt"


def colour(text: str) -> str | None:
    """Return a colour as `#rrggbb` in small letters; None when it is left open."""
    return text.lower() if re.fullmatch("#[0-9a-fA-F]{6}", text) else None


def plain_text(element: Element, left_out: Callable[[Element], bool] = lambda element: False) -> str:
    """Return the text of a paragraph without looks and without elements that are to be left out."""
    text = element.text or ""
    for inside in element:
        if inside.tag not in SILENT and inside.tag != "office:annotation" and not left_out(inside):
            text += character(inside) or plain_text(inside, left_out)
        text += inside.tail or ""
    return text


def character(element: Element) -> str:
    """Return the blanks, tab or line break that an element stands for."""
    if element.tag == "text:s":
        return " " * max(1, number(get(element, "text:c"), 1, MOST_SPACES))
    return {"text:tab": "\t", "text:line-break": "\n"}.get(element.tag, "")
