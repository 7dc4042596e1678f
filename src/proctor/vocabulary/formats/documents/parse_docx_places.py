"""What a Word document says of places in its text: tab stops, low letters, equations, pictures."""

from __future__ import annotations

from collections.abc import Iterator

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.guard import open_zip
from proctor.vocabulary.formats.guarded_xml import Element
from proctor.vocabulary.formats.office.parse_ooxml import ooxml_parts, pictures, related_part
from proctor.vocabulary.formats.office.parse_xml import PackageParts, child, children, get, number
from proctor.vocabulary.formats.visible import Look

MAIN = "word/document.xml"
MOST_STYLES = 50
TWIPS_PER_MM = 1440 / 25.4
_LETTERS = {"w:tab": "\t", "w:br": "\n", "w:cr": "\n", "w:noBreakHyphen": "-"}
_PICTURES = ("w:drawing", "w:pict")


def docx_as_written(data: bytes, path: str) -> dict[str, object]:
    """Return the paragraphs of a .docx, each with its runs and tab stops, and its tables."""
    with open_zip(data, path) as archive:
        if MAIN not in archive.namelist():
            raise CannotSee("unreadable", f"{path} is not a Word document")
        parts = ooxml_parts(archive, path)
        body = child(parts.xml(MAIN), "w:body")
        if body is None:
            raise CannotSee("unreadable", f"{path} is not a text document")
        styles = _styles(parts)
        section = next(reversed(list(body.iter("w:sectPr"))), None)
        size, margins = child(section, "w:pgSz"), child(section, "w:pgMar")
        width = number(get(size, "w:w")) - number(get(margins, "w:left")) - number(get(margins, "w:right"))
        return {
            "path": path,
            "width_mm": _mm(width),
            "paragraphs": [_paragraph(each, styles) for each in children(body, "w:p")],
            "tables": [
                [[_cell(cell, styles) for cell in row.iter("w:tc")] for row in children(table, "w:tr")]
                for table in children(body, "w:tbl")
            ],
            "equations": [_equation(each) for each in body.iter("m:oMath")] + [""] * _formula_objects(body),
            "pictures": pictures(parts, MAIN, body),
        }


Styles = dict[str, Element]


def _styles(parts: PackageParts) -> Styles:
    path = related_part(parts, MAIN, "styles")
    root = parts.xml(path) if path else None
    return {get(style, "w:styleId"): style for style in children(root, "w:style")}


def _paragraph(paragraph: Element, styles: Styles) -> Look:
    runs = [_run(run) for run in paragraph.iter("w:r")]
    return {
        "text": "".join(run["text"] for run in runs),
        "runs": runs,
        "tabs": _tabs(child(paragraph, "w:pPr"), styles),
        "pictures": sum(1 for tag in _PICTURES for _ in paragraph.iter(tag)),
    }


def _run(run: Element) -> Look:
    about = child(run, "w:rPr")
    colour = get(child(about, "w:color"), "w:val")
    return {
        "text": "".join((each.text or "") if each.tag == "w:t" else _LETTERS.get(each.tag, "") for each in run),
        "place": get(child(about, "w:vertAlign"), "w:val") or _by_position(about),
        "colour": f"#{colour.lower()}" if len(colour) == 6 else None,
    }


def _by_position(about: Element | None) -> str:
    """Return how letters are raised or lowered by a distance, as some programs write it."""
    off = number(get(child(about, "w:position"), "w:val"))
    return "subscript" if off < 0 else "superscript" if off > 0 else "baseline"


def _tabs(about: Element | None, styles: Styles) -> list[Look]:
    """Return the tab stops of a paragraph, those of its styles included, without what is struck off."""
    found: dict[int, str] = {}
    for layer in reversed(list(_layers(about, styles))):
        for stop in children(child(layer, "w:tabs"), "w:tab"):
            found[number(get(stop, "w:pos"))] = get(stop, "w:val", "left")
    usual = {"start": "left", "end": "right"}
    return [
        {"at_mm": _mm(at), "align": usual.get(kind, kind)}
        for at, kind in sorted(found.items())
        if kind != "clear" and not (at == 0 and usual.get(kind, kind) == "left")
    ]


def _layers(about: Element | None, styles: Styles) -> Iterator[Element | None]:
    yield about
    name = get(child(about, "w:pStyle"), "w:val")
    for _ in range(MOST_STYLES):
        if name not in styles:
            return
        yield child(styles[name], "w:pPr")
        name = get(child(styles[name], "w:basedOn"), "w:val")


def _cell(cell: Element, styles: Styles) -> list[Look]:
    return [_paragraph(paragraph, styles) for paragraph in cell.iter("w:p")]


def _equation(formula: Element) -> str:
    """Return what an equation says in one line, without blanks."""
    return "".join("".join((each.text or "").split()) for each in formula.iter("m:t"))


def _formula_objects(body: Element) -> int:
    """Return how many objects of programs for formulas lie in a text."""
    return sum(1 for _ in body.iter("w:object"))


def _mm(twips: int) -> float:
    return round(twips / TWIPS_PER_MM, 1)
