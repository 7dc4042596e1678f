"""Reading text documents in Office Open XML (.docx) as plain data."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.documents.docx_looks import paragraph_look, things_in
from proctor.vocabulary.formats.documents.odt_looks import cell_look, looks_of_table
from proctor.vocabulary.formats.documents.parse_odt import line
from proctor.vocabulary.formats.guarded_xml import Element
from proctor.vocabulary.formats.office.parse_ooxml import (
    is_on,
    ooxml_parts,
    pictures,
    properties_of,
    related_part,
    relations,
)
from proctor.vocabulary.formats.office.parse_xml import (
    PackageParts,
    child,
    children,
    get,
    merge_runs,
    number,
    style_name,
)
from proctor.vocabulary.formats.spreadsheets.cells import column_name
from proctor.vocabulary.formats.visible import PAPER, Look, can_be_read, own_colour

MAIN = "word/document.xml"
MOST_PARENTS = 50
ALIGNMENTS = {"right": "right", "end": "right", "center": "center", "both": "justify", "distribute": "justify"}
CHARACTERS = {"w:tab": "\t", "w:br": "\n", "w:cr": "\n", "w:noBreakHyphen": "-"}
HOLDERS = {"w:hyperlink", "w:smartTag", "w:sdt", "w:sdtContent", "w:fldSimple", "w:ins", "w:moveTo", "w:customXml"}
"""What may stand around runs or paragraphs without changing what they say."""
LOOKS = {
    "w:b": "bold", "w:i": "italic", "w:u": "underline", "w:strike": "strike", "w:dstrike": "strike",
    "w:vanish": "hidden",
}  # fmt: skip
HIGHLIGHTS = {
    "yellow": "#ffff00", "green": "#00ff00", "cyan": "#00ffff", "magenta": "#ff00ff", "blue": "#0000ff",
    "red": "#ff0000", "black": "#000000", "white": "#ffffff", "lightGray": "#c0c0c0", "darkGray": "#808080",
}  # fmt: skip


def read_docx(archive: zipfile.ZipFile, label: str) -> dict[str, object]:
    """Return a text document as plain data, without what it does not show, or raise CannotSee."""
    parts = ooxml_parts(archive, label)
    body = child(parts.xml(MAIN), "w:body")
    if body is None:
        raise CannotSee("unreadable", f"{label} is not a text document")
    reader = _Reader(parts, _Styles(parts))
    reader.flow(body)
    properties = properties_of(parts)
    return {
        "format": "docx",
        "title": properties.pop("title", ""),
        "blocks": reader.blocks,
        "pages": _pages(parts, body),
        "changes": reader.changes,
        "tracking": _tracks_changes(parts),
        "comments": _comments(parts),
        "pictures": pictures(parts, MAIN, body),
        **{key: value for key, value in {"properties": properties, **things_in(parts, MAIN, body)}.items() if value},
    }


def _tracks_changes(parts: PackageParts) -> bool:
    """Tell whether changes are marked from now on."""
    path = related_part(parts, MAIN, "settings")
    return is_on(child(parts.xml(path), "w:trackRevisions") if path else None, "w:val")


class _Styles:
    def __init__(self, parts: PackageParts) -> None:
        self._parts = parts
        path = related_part(parts, MAIN, "styles")
        self._root = parts.xml(path) if path else None
        self._named = {get(style, "w:styleId"): style for style in children(self._root, "w:style")}
        path = related_part(parts, MAIN, "numbering")
        self._lists = parts.xml(path) if path else None

    @cached_property
    def _default(self) -> str:
        for name, style in self._named.items():
            if get(style, "w:type") == "paragraph" and is_on(style, "w:default") and style.get("w:default"):
                return name
        return ""

    def chain(self, name: str) -> list[Element]:
        found: list[Element] = []
        style = self._named.get(name or self._default)
        while style is not None and len(found) < MOST_PARENTS:
            found.append(style)
            style = self._named.get(get(child(style, "w:basedOn"), "w:val"))
        return found

    def visible_name(self, name: str) -> str:
        """Return how a style is called in lists to choose from."""
        return next((get(child(style, "w:name"), "w:val") for style in self.chain(name)), "") or name or "Normal"

    def paragraph(self, own: Element | None, *path: str, having: str = "") -> Element | None:
        """Return a property of a paragraph, its own or that of its nearest style."""
        if (found := child(own, *path)) is not None and (not having or get(found, having)):
            return found
        for style in self.chain(get(child(own, "w:pStyle"), "w:val")):
            if (found := child(style, "w:pPr", *path)) is not None and (not having or get(found, having)):
                return found
        return child(self._root, "w:docDefaults", "w:pPrDefault", "w:pPr", *path)

    def looks(self, paragraph: Element | None, run: Element | None) -> Look:
        layers = [child(self._root, "w:docDefaults", "w:rPrDefault", "w:rPr")]
        for name, sort in (
            (get(child(paragraph, "w:pStyle"), "w:val"), "p"),
            (get(child(run, "w:rStyle"), "w:val"), "r"),
        ):
            if name or sort == "p":
                layers += [child(style, "w:rPr") for style in reversed(self.chain(name))]
        look: Look = dict.fromkeys(("bold", "italic", "underline", "strike", "hidden"), False)
        look |= {"size": None, "font": "", "colour": None, "highlight": None}
        for layer in [*layers, run]:
            for element in children(layer):
                _apply(element, look)
                if element.tag == "w:rFonts" and (theme := get(element, "w:asciiTheme")):
                    look["font"] = self._theme.get(theme[:5], look["font"])
        return look

    @cached_property
    def _theme(self) -> dict[str, str]:
        """Return the fonts that a theme names, for headings (`major`) and for the rest (`minor`)."""
        path = related_part(self._parts, MAIN, "theme")
        fonts = child(self._parts.xml(path) if path else None, "a:themeElements", "a:fontScheme")
        return {kind: get(child(fonts, f"a:{kind}Font", "a:latin"), "typeface") for kind in ("major", "minor")}

    def marks(self, list_id: str, level: int) -> str:
        """Return what stands before the items of a list: `bullet`, `number` or nothing."""
        for entry in children(self._lists, "w:num"):
            if get(entry, "w:numId") == list_id:
                abstract = get(child(entry, "w:abstractNumId"), "w:val")
                for kind in children(self._lists, "w:abstractNum"):
                    if get(kind, "w:abstractNumId") == abstract:
                        return _marks(kind, level)
        return ""


def _marks(kind: Element, level: int) -> str:
    for entry in children(kind, "w:lvl"):
        if number(get(entry, "w:ilvl")) == level:
            name = get(child(entry, "w:numFmt"), "w:val")
            return {"bullet": "bullet", "none": ""}.get(name, "number")
    return ""


def _apply(element: Element, look: dict[str, object]) -> None:
    value = get(element, "w:val")
    if element.tag in LOOKS:
        look[LOOKS[element.tag]] = is_on(element, "w:val")
    elif element.tag == "w:sz":
        look["size"] = number(value) / 2 or None
    elif element.tag == "w:rFonts":
        look["font"] = get(element, "w:ascii") or look["font"]
    elif element.tag == "w:color":
        look["colour"] = f"#{value.lower()}" if len(value) == 6 else None
    elif element.tag == "w:highlight":
        look["highlight"] = HIGHLIGHTS.get(value)
    elif element.tag == "w:shd":
        fill = get(element, "w:fill")
        look["highlight"] = f"#{fill.lower()}" if len(fill) == 6 else None


@dataclass
class _Reader:
    parts: PackageParts
    styles: _Styles
    blocks: list[Look] = field(default_factory=list)
    changes: list[dict[str, str]] = field(default_factory=list)
    breaks: bool = False
    """Whether what follows begins a page."""
    broken: bool = False
    """Whether a page begins inside the paragraph at hand."""
    unseen: str = ""
    """What the paragraph at hand says and does not show."""
    paper: str | None = PAPER
    """The colour that letters stand on; None where that is not known."""

    @cached_property
    def targets(self) -> dict[str, tuple[str, str]]:
        """What the text points to, by its ids."""
        return relations(self.parts, MAIN)

    def flow(self, element: Element) -> None:
        """Go through what follows one another: paragraphs, tables, and what holds those."""
        for inside in element:
            if inside.tag == "w:p":
                self.blocks.append(self.paragraph(inside))
            elif inside.tag == "w:tbl":
                self.blocks.append(self.table(inside))
            elif inside.tag in HOLDERS:
                self.flow(inside)

    def paragraph(self, element: Element) -> Look:
        own = child(element, "w:pPr")
        self.broken = False
        starts_page, self.breaks = self.breaks or is_on(self.styles.paragraph(own, "w:pageBreakBefore"), "w:val"), False
        runs: list[Look] = []
        self.unseen = ""
        for run, change, link in _runs(element):
            first = len(runs)
            self.run(run, change, own, runs)
            if link is not None:
                href = self.targets.get(get(link, "r:id"), ("", ""))[1] or f"#{get(link, 'w:anchor')}"
                runs[first:] = [{**each, "href": href} for each in runs[first:]]
        besides = {**paragraph_look(self.styles.paragraph, own), "unseen": self.unseen}
        name = style_name(self.styles.visible_name(get(child(own, "w:pStyle"), "w:val")))
        level = number(get(self.styles.paragraph(own, "w:outlineLvl"), "w:val"), 9)
        return {
            "kind": "paragraph",
            "text": "".join(run["text"] for run in runs),
            "style": name,
            "level": level + 1 if 0 <= level < 9 else 0,
            "align": ALIGNMENTS.get(get(self.styles.paragraph(own, "w:jc"), "w:val"), "left"),
            "list": self.list_place(own),
            "page_break": starts_page or self.broken,
            "runs": merge_runs(runs),
            **{key: value for key, value in besides.items() if value},
        }

    def list_place(self, own: Element | None) -> dict[str, object] | None:
        list_id = get(self.styles.paragraph(own, "w:numPr", "w:numId"), "w:val")
        level = number(get(self.styles.paragraph(own, "w:numPr", "w:ilvl"), "w:val"))
        marks = self.styles.marks(list_id, level)
        return {"level": level + 1, "marks": marks} if marks else None

    def run(self, element: Element, change: Element | None, own: Element | None, runs: list[dict[str, object]]) -> None:
        text, deleted = "", ""
        for inside in element:
            if inside.tag == "w:br" and get(inside, "w:type") == "page":
                self.breaks = True
            elif inside.tag == "w:t":
                text += inside.text or ""
            elif inside.tag == "w:delText":
                deleted += inside.text or ""
            else:
                text += CHARACTERS.get(inside.tag, "")
        removed = change is not None and change.tag in ("w:del", "w:moveFrom")
        if change is not None and (text or deleted):
            kind = "deletion" if removed else "insertion"
            self.changes.append({"kind": kind, "author": get(change, "w:author"), "text": text + deleted})
        if text and not removed:
            self.broken, self.breaks = self.broken or self.breaks, False
            look = self.styles.looks(own, child(element, "w:rPr"))
            shade = get(self.styles.paragraph(own, "w:shd"), "w:fill")
            paper = f"#{shade.lower()}" if len(shade) == 6 else self.paper
            seen = can_be_read(look, paper)
            look.pop("hidden")
            if seen:
                runs.append({"text": text, **look, "colour": own_colour(look["colour"], look["highlight"] or paper)})
            else:
                self.unseen += text

    def table(self, element: Element) -> dict[str, object]:
        rows: list[list[str]] = []
        looks: dict[str, Look] = {}
        for row in _inside(element, "w:tr"):
            cells: list[str] = []
            for cell in _inside(row, "w:tc"):
                shade = get(child(cell, "w:tcPr", "w:shd"), "w:fill")
                ground = f"#{shade.lower()}" if len(shade) == 6 else None
                inner = _Reader(self.parts, self.styles, paper=ground or self.paper)
                inner.flow(cell)
                if look := cell_look(ground, None, inner.blocks):
                    looks[f"{column_name(len(cells))}{len(rows) + 1}"] = look
                cells.append("\n".join(line(block) for block in inner.blocks))
                self.changes += inner.changes
            rows.append(cells)
        return {"kind": "table", "rows": rows, **looks_of_table(looks)}


def _inside(element: Element, name: str) -> Iterator[Element]:
    for inside in element:
        if inside.tag == name:
            yield inside
        elif inside.tag in HOLDERS:
            yield from _inside(inside, name)


def _runs(
    element: Element, change: Element | None = None, link: Element | None = None
) -> Iterator[tuple[Element, Element | None, Element | None]]:
    """Yield the runs of a paragraph, each with the recorded change and the link it belongs to."""
    for inside in element:
        if inside.tag == "w:r":
            yield inside, change, link
        elif inside.tag in HOLDERS or inside.tag in ("w:del", "w:moveFrom"):
            marks = inside.tag in ("w:ins", "w:del", "w:moveTo", "w:moveFrom")
            yield from _runs(inside, inside if marks else change, inside if inside.tag == "w:hyperlink" else link)


def _pages(parts: PackageParts, body: Element) -> list[dict[str, object]]:
    targets = relations(parts, MAIN)
    pages: list[dict[str, object]] = []
    texts = {"header": "", "footer": ""}
    for section in body.iter("w:sectPr"):
        for part in texts:
            named = [get(reference, "r:id") for reference in children(section, f"w:{part}Reference")]
            paths = [targets.get(name, ("", ""))[1] for name in named]
            if paths:  # a section without its own has those of the one before
                lines = (_plain(parts.xml(path)) for path in paths if path in parts)
                texts[part] = "\n".join(text for text in lines if text)
        size, margins = child(section, "w:pgSz"), child(section, "w:pgMar")
        width, height = (_millimetres(get(size, f"w:{side}")) for side in ("w", "h"))
        pages.append(
            {
                "width_mm": width,
                "height_mm": height,
                "orientation": "landscape" if (width or 0) > (height or 0) else "portrait",
                "margins_mm": {
                    side: _millimetres(get(margins, f"w:{side}")) for side in ("top", "bottom", "left", "right")
                },
                **texts,
                **({"columns": columns} if (columns := number(get(child(section, "w:cols"), "w:num"))) > 1 else {}),
            }
        )
    return pages


def _plain(root: Element) -> str:
    lines = []
    for paragraph in root.iter("w:p"):
        lines.append("".join(text.text or "" for run, *_ in _runs(paragraph) for text in run.iter("w:t")))
    return "\n".join(lines)


def _millimetres(twips: str) -> float | None:
    return round(number(twips) * 25.4 / 1440, 1) if twips else None


def _comments(parts: PackageParts) -> list[dict[str, str]]:
    path = related_part(parts, MAIN, "comments")
    return [
        {"author": get(comment, "w:author"), "text": _plain(comment)}
        for comment in children(parts.xml(path) if path else None, "w:comment")
    ]
