"""Reading text documents in OpenDocument (.odt) as plain data."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.documents.odt_looks import (
    cell_look,
    frame_look,
    letters_of,
    looks_of_table,
    pages_of,
    paragraph_look,
    things_in,
)
from proctor.vocabulary.formats.guarded_xml import Element
from proctor.vocabulary.formats.office.odf_extras import extras_in
from proctor.vocabulary.formats.office.parse_odf import (
    SILENT,
    Styles,
    border,
    character,
    colour,
    content_of,
    overlaid,
    picture_in,
    plain_text,
    properties_of,
    tenths,
)
from proctor.vocabulary.formats.office.parse_xml import (
    FlatParts,
    PackageParts,
    child,
    children,
    get,
    merge_runs,
    number,
    style_name,
)
from proctor.vocabulary.formats.spreadsheets.cells import column_name
from proctor.vocabulary.formats.visible import PAPER, Look, can_be_read, own_colour, words_of

ALIGNMENTS = {"end": "right", "right": "right", "center": "center", "justify": "justify"}
FIELDS = {
    "text:page-number", "text:page-count", "text:date", "text:time", "text:author-name", "text:title", "text:file-name",
    "text:sequence", "text:bookmark-ref", "text:variable-set", "text:variable-get", "text:placeholder",
}  # fmt: skip
MOST_CELLS = 100_000


def read_odt(parts: PackageParts, label: str) -> dict[str, object]:
    """Return a text document as plain data; what it does not show is told apart. Raises CannotSee."""
    content, body, styles = content_of(parts, label, "text")
    reader = _Reader(styles, parts)
    tracked = child(body, "text:tracked-changes")
    reader.changes_of(tracked)
    reader.flow(body)
    about = properties_of(parts)
    besides = {"properties": {key: value for key, value in about.items() if key != "title"}, **things_in(body, styles)}
    return {
        "format": "flat-odt" if isinstance(parts, FlatParts) else "odt",
        "title": about.get("title", ""),
        "blocks": reader.blocks,
        "pages": pages_of(styles, reader.masters),
        "changes": [change for change in reader.changes.values() if change["text"]],
        "tracking": tracked is not None and get(tracked, "text:track-changes") != "false",
        "comments": reader.comments,
        "pictures": reader.pictures,
        "extras": extras_in(content),
        **{key: value for key, value in besides.items() if value},
    }


@dataclass
class _Reader:
    styles: Styles
    parts: PackageParts
    blocks: list[Look] = field(default_factory=list)
    changes: dict[str, dict[str, str]] = field(default_factory=dict)
    comments: list[dict[str, str]] = field(default_factory=list)
    pictures: list[Look] = field(default_factory=list)
    masters: list[str] = field(default_factory=list)
    open_changes: list[str] = field(default_factory=list)
    unseen: str = ""
    """What the paragraph at hand says and does not show."""
    fields: list[str] = field(default_factory=list)
    """What it says that the program fills in, such as the number of the page."""
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

    def paragraph(self, element: Element, lists: tuple[str, ...] = ()) -> Look:
        name = get(element, "text:style-name")
        styles = self.styles
        looks = styles.properties("paragraph", name, "paragraph")
        if master := styles.attribute("paragraph", name, "style:master-page-name"):
            self.masters.append(master)
        elif not self.masters:
            self.masters.append("Standard")
        runs: list[Look] = []
        outer, self.paper = self.paper, colour(looks.get("fo:background-color", "")) or self.paper
        (before, self.unseen), (fields_before, self.fields) = (self.unseen, ""), (self.fields, [])
        self.runs(element, styles.properties("paragraph", name, "text"), runs)
        besides = {**paragraph_look(looks), "unseen": self.unseen, "fields": self.fields}
        self.paper, self.unseen, self.fields = outer, before, fields_before
        return {
            "kind": "paragraph",
            "text": "".join(run["text"] for run in runs),
            "style": style_name(styles.visible_name("paragraph", name) or name or "Standard"),
            "level": number(get(element, "text:outline-level"), 1) if element.tag == "text:h" else 0,
            "align": ALIGNMENTS.get(looks.get("fo:text-align", "start"), "left"),
            "list": {"level": len(lists), "marks": styles.list_kind(lists[-1], len(lists))} if lists else None,
            "page_break": looks.get("fo:break-before") == "page" or bool(master and self.blocks),
            "runs": merge_runs(runs),
            **{key: value for key, value in besides.items() if value},
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
                if inside.tag in FIELDS:
                    self.fields.append(inside.tag.partition(":")[2])
                self.say(character(inside), looks, runs)
                first = len(runs)
                self.runs(inside, looks, runs)
                if inside.tag == "text:a":
                    runs[first:] = [{**run, "href": get(inside, "xlink:href")} for run in runs[first:]]
            self.say(inside.tail, looks, runs)

    def say(self, text: str | None, looks: dict[str, str], runs: list[dict[str, object]]) -> None:
        if not text:
            return
        for change in self.open_changes:
            if change in self.changes:
                self.changes[change]["text"] += text
        look = self.letters_with(looks)
        if looks.get("text:display") != "none" and can_be_read(letters_of(looks, self.styles), self.paper):
            runs.append({"text": text, **look})
        else:
            self.unseen += text

    def letters(self, element: Element) -> Look:
        """Return how letters look that a paragraph gets."""
        return self.letters_with(self.styles.properties("paragraph", get(element, "text:style-name"), "text"))

    def letters_with(self, looks: dict[str, str]) -> Look:
        look = letters_of(looks, self.styles)
        return {**look, "colour": own_colour(look["colour"], look["highlight"] or self.paper)}

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
            data = picture_in(image, self.parts)
            if data:
                frame = element if element.tag == "draw:frame" else None
                sides = [tenths(get(frame, f"svg:{side}")) for side in ("width", "height")]
                told = {"sha256": hashlib.sha256(data).hexdigest(), "anchor": get(frame, "text:anchor-type")}
                self.pictures.append({"name": get(frame, "draw:name"), **told, "size_mm": sides})
                return  # what follows is the same picture in another form
        outer, self.paper = self.paper, None
        for box in element.iter("draw:text-box"):
            first = len(self.blocks)
            self.flow(box)
            for block in self.blocks[first:]:
                block["frame"] = {"name": get(element, "draw:name"), **frame_look(element, self.styles)}
        self.paper = outer

    def table(self, element: Element) -> dict[str, object]:
        rows: list[list[str]] = []
        looks: dict[str, Look] = {}
        for row in _rows(element):
            cells: list[str] = []
            for cell in children(row, "table:table-cell", "table:covered-table-cell"):
                own = self.styles.properties("table-cell", get(cell, "table:style-name"), "table-cell")
                inner = _Reader(self.styles, self.parts, changes=self.changes, open_changes=self.open_changes)
                ground = colour(own.get("fo:background-color", ""))
                inner.paper = ground or self.paper
                inner.masters.append("")
                inner.flow(cell)
                text = "\n".join(line(block) for block in inner.blocks)
                waiting = [inner.letters(each) for each in children(cell, "text:p", "text:h")]
                if look := cell_look(ground, border(own), inner.blocks, waiting):
                    looks[f"{column_name(len(cells))}{len(rows) + 1}"] = look
                cells += [text] * max(1, number(get(cell, "table:number-columns-repeated"), 1, MOST_CELLS))
                self.pictures += inner.pictures
                self.comments += inner.comments
                self.check_size(len(cells))
            rows += [cells] * max(1, number(get(row, "table:number-rows-repeated"), 1, MOST_CELLS))
            self.check_size(sum(map(len, rows)))
        # Tables that nobody named are numbered as soon as somebody saves them.
        name = re.sub(r"Table\d+\Z", "", get(element, "table:name"))
        return {
            "kind": "table",
            "rows": rows,
            **({"name": name} if name else {}),
            **looks_of_table(looks),
        }

    def check_size(self, cells: int) -> None:
        if cells > MOST_CELLS:
            raise CannotSee("refused", f"{self.parts.label} has a table of more than {MOST_CELLS:,} cells")


def _rows(element: Element) -> Iterator[Element]:
    """Yield the rows of a table, not those of tables in its cells."""
    for inside in element:
        if inside.tag == "table:table-row":
            yield inside
        elif inside.tag in ("table:table-header-rows", "table:table-rows", "table:table-row-group"):
            yield from _rows(inside)


def line(block: Look) -> str:
    """Return what a block says as one text: rows of a table one under the other."""
    if block["kind"] == "table":
        return "\n".join(" | ".join(row) for row in block["rows"])
    return words_of(block["runs"])
