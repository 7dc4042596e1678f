"""Reading text documents in OpenDocument (.odt) as plain data."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.guarded_xml import Element
from proctor.vocabulary.formats.office.parse_odf import (
    SILENT,
    Styles,
    character,
    colour,
    millimetres,
    odf_parts,
    overlaid,
    plain_text,
    points,
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
from proctor.vocabulary.formats.visible import PAPER, can_be_read

ALIGNMENTS = {"end": "right", "right": "right", "center": "center", "justify": "justify"}
MOST_CELLS = 100_000


def read_odt(archive: zipfile.ZipFile, label: str) -> dict[str, object]:
    """Return a text document as plain data, without what it does not show, or raise CannotSee."""
    parts = odf_parts(archive, label)
    content = parts.xml("content.xml")
    body = child(content, "office:body", "office:text")
    if body is None:
        raise CannotSee("unreadable", f"{label} is not a text document")
    sheet = parts.xml("styles.xml") if "styles.xml" in parts else None
    reader = _Reader(Styles(content, sheet), parts)
    reader.changes_of(child(body, "text:tracked-changes"))
    reader.flow(body)
    return {
        "format": "odt",
        "title": _title(parts),
        "blocks": reader.blocks,
        "pages": reader.pages(),
        "changes": [change for change in reader.changes.values() if change["text"]],
        "comments": reader.comments,
        "pictures": reader.pictures,
    }


def _title(parts: PackageParts) -> str:
    meta = child(parts.xml("meta.xml"), "office:meta", "dc:title") if "meta.xml" in parts else None
    return "".join(meta.itertext()) if meta is not None else ""


@dataclass
class _Reader:
    styles: Styles
    parts: PackageParts
    blocks: list[dict[str, Any]] = field(default_factory=list)
    changes: dict[str, dict[str, str]] = field(default_factory=dict)
    comments: list[dict[str, str]] = field(default_factory=list)
    pictures: list[dict[str, str]] = field(default_factory=list)
    masters: list[str] = field(default_factory=list)
    open_changes: list[str] = field(default_factory=list)
    paper: str | None = PAPER
    """The colour that letters stand on; None where that is not known."""

    def changes_of(self, tracked: Element | None) -> None:
        for region in children(tracked, "text:changed-region"):
            for change in children(region, "text:insertion", "text:deletion", "text:format-change"):
                author = child(change, "office:change-info", "dc:creator")
                kept = "\n".join(plain_text(paragraph) for paragraph in children(change, "text:p", "text:h"))
                self.changes[get(region, "text:id") or get(region, "xml:id")] = {
                    "kind": change.tag.partition(":")[2],
                    "author": (author.text or "") if author is not None else "",
                    "text": kept or ("(format)" if change.tag == "text:format-change" else ""),
                }

    def flow(self, element: Element, lists: tuple[str, ...] = ()) -> None:
        """Go through what follows one another: paragraphs, lists, tables, and sections holding those."""
        for inside in element:
            if inside.tag in ("text:p", "text:h"):
                self.blocks.append(self.paragraph(inside, lists))
            elif inside.tag == "text:list":
                name = get(inside, "text:style-name") or (lists[-1] if lists else "")
                for item in children(inside, "text:list-item", "text:list-header"):
                    self.flow(item, (*lists, name))
            elif inside.tag == "table:table":
                self.blocks.append(self.table(inside))
            elif inside.tag in ("text:section", "text:table-of-content", "text:index-body", "text:index-title"):
                if get(inside, "text:display") != "none":
                    self.flow(inside, lists)
            else:
                self.mark(inside)
                if inside.tag in ("draw:frame", "draw:a", "draw:g"):
                    self.frame(inside)

    def paragraph(self, element: Element, lists: tuple[str, ...] = ()) -> dict[str, Any]:
        name = get(element, "text:style-name")
        styles = self.styles
        looks = styles.properties("paragraph", name, "paragraph")
        if master := styles.attribute("paragraph", name, "style:master-page-name"):
            self.masters.append(master)
        elif not self.masters:
            self.masters.append("Standard")
        runs: list[dict[str, Any]] = []
        outer, self.paper = self.paper, colour(looks.get("fo:background-color", "")) or self.paper
        self.runs(element, styles.properties("paragraph", name, "text"), runs)
        self.paper = outer
        return {
            "kind": "paragraph",
            "text": "".join(run["text"] for run in runs),
            "style": style_name(styles.visible_name("paragraph", name) or name or "Standard"),
            "level": number(get(element, "text:outline-level"), 1) if element.tag == "text:h" else 0,
            "align": ALIGNMENTS.get(looks.get("fo:text-align", "start"), "left"),
            "list": {"level": len(lists), "marks": styles.list_kind(lists[-1], len(lists))} if lists else None,
            "page_break": looks.get("fo:break-before") == "page" or bool(master and self.blocks),
            "runs": merge_runs(runs),
        }

    def runs(self, element: Element, looks: dict[str, str], runs: list[dict[str, object]]) -> None:
        self.say(element.text, looks, runs)
        for inside in element:
            if inside.tag == "text:span":
                own = self.styles.properties("text", get(inside, "text:style-name"), "text")
                self.runs(inside, overlaid(looks, own), runs)
            elif inside.tag == "office:annotation":
                self.comment(inside)
            elif inside.tag.startswith("draw:"):
                self.frame(inside)
            elif inside.tag not in SILENT:
                self.mark(inside)
                self.say(character(inside), looks, runs)
                self.runs(inside, looks, runs)
            self.say(inside.tail, looks, runs)

    def say(self, text: str | None, looks: dict[str, str], runs: list[dict[str, object]]) -> None:
        if not text:
            return
        for change in self.open_changes:
            if change in self.changes:
                self.changes[change]["text"] += text
        look = self.look(looks)
        if looks.get("text:display") != "none" and can_be_read(look, self.paper):
            runs.append({"text": text, **look})

    def look(self, properties: dict[str, str]) -> dict[str, object]:
        weight = properties.get("fo:font-weight", "normal")
        return {
            "bold": weight == "bold" or number(weight) >= 600,
            "italic": properties.get("fo:font-style") in ("italic", "oblique"),
            "underline": properties.get("style:text-underline-style", "none") != "none",
            "strike": properties.get("style:text-line-through-style", "none") != "none",
            "size": points(properties.get("fo:font-size", "")),
            "font": self.styles.font(properties),
            "colour": colour(properties.get("fo:color", "")),
            "highlight": colour(properties.get("fo:background-color", "")),
        }

    def mark(self, element: Element) -> None:
        change = get(element, "text:change-id")
        if element.tag == "text:change-start":
            self.open_changes.append(change)
        elif element.tag == "text:change-end" and change in self.open_changes:
            self.open_changes.remove(change)

    def comment(self, element: Element) -> None:
        author = child(element, "dc:creator")
        text = "\n".join(plain_text(paragraph) for paragraph in element.iter("text:p"))
        self.comments.append({"author": (author.text or "") if author is not None else "", "text": text})

    def frame(self, element: Element) -> None:
        """Note the pictures of a frame, and take the texts in boxes for blocks of their own."""
        for image in element.iter("draw:image"):
            href = get(image, "xlink:href")
            if href in self.parts:
                self.pictures.append({"name": href, "sha256": hashlib.sha256(self.parts.read(href)).hexdigest()})
                return  # what follows is the same picture in another form
        outer, self.paper = self.paper, None
        for box in element.iter("draw:text-box"):
            self.flow(box)
        self.paper = outer

    def table(self, element: Element) -> dict[str, object]:
        rows: list[list[str]] = []
        for row in _rows(element):
            cells: list[str] = []
            for cell in children(row, "table:table-cell", "table:covered-table-cell"):
                inner = _Reader(
                    self.styles, self.parts, changes=self.changes, open_changes=self.open_changes, paper=None
                )
                inner.masters.append("")
                inner.flow(cell)
                text = "\n".join(line(block) for block in inner.blocks)
                cells += [text] * max(1, number(get(cell, "table:number-columns-repeated"), 1, MOST_CELLS))
                self.pictures += inner.pictures
                self.comments += inner.comments
                self.check_size(len(cells))
            rows += [cells] * max(1, number(get(row, "table:number-rows-repeated"), 1, MOST_CELLS))
            self.check_size(sum(map(len, rows)))
        return {"kind": "table", "rows": rows}

    def check_size(self, cells: int) -> None:
        if cells > MOST_CELLS:
            raise CannotSee("refused", f"{self.parts.label} has a table of more than {MOST_CELLS:,} cells")

    def pages(self) -> list[dict[str, object]]:
        sheet = self.styles.sheet
        masters = {get(page, "style:name"): page for page in children(child(sheet, "office:master-styles"))}
        layouts = {
            get(layout, "style:name"): child(layout, "style:page-layout-properties")
            for layout in children(child(sheet, "office:automatic-styles"), "style:page-layout")
        }
        wanted = [name for name in self.masters if name in masters] or list(masters)[:1]
        return [_page(masters[name], layouts.get(get(masters[name], "style:page-layout-name"))) for name in wanted]


def _rows(element: Element) -> Iterator[Element]:
    """Yield the rows of a table, not those of tables in its cells."""
    for inside in element:
        if inside.tag == "table:table-row":
            yield inside
        elif inside.tag in ("table:table-header-rows", "table:table-rows", "table:table-row-group"):
            yield from _rows(inside)


def _page(master: Element, layout: Element | None) -> dict[str, object]:
    width, height = (millimetres(get(layout, f"fo:page-{side}")) for side in ("width", "height"))
    around = get(layout, "fo:margin")
    margins = {
        side: millimetres(get(layout, f"fo:margin-{side}", around)) for side in ("top", "bottom", "left", "right")
    }

    def part(name: str) -> str:
        found = (child(master, f"style:{name}{which}") for which in ("", "-first", "-left"))
        shown = [each for each in found if each is not None and get(each, "style:display", "true") != "false"]
        return "\n".join(plain_text(paragraph) for each in shown for paragraph in each.iter("text:p"))

    return {
        "width_mm": width,
        "height_mm": height,
        "orientation": "landscape" if (width or 0) > (height or 0) else "portrait",
        "margins_mm": margins,
        "header": part("header"),
        "footer": part("footer"),
    }


def line(block: dict[str, Any]) -> str:
    """Return a block as one text: rows of a table one under the other."""
    if block["kind"] == "table":
        return "\n".join(" | ".join(row) for row in block["rows"])
    return str(block["text"])
