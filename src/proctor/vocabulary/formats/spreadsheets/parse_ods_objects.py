"""What lies upon the cells of OpenDocument sheets: comments, rules, charts, pictures and shapes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from proctor.vocabulary.formats.guarded_xml import Element
from proctor.vocabulary.formats.office.parse_odf import millimetres, picture_in
from proctor.vocabulary.formats.office.parse_xml import PackageParts, child, children, get
from proctor.vocabulary.formats.spreadsheets.cells import plain_formula, plain_range
from proctor.vocabulary.formats.spreadsheets.parse_ods_charts import chart
from proctor.vocabulary.formats.spreadsheets.parse_ods_styles import SheetStyles
from proctor.vocabulary.formats.visible import Look

_DRAWN = ("draw:custom-shape", "draw:rect", "draw:ellipse", "draw:line", "draw:connector", "draw:polygon", "draw:path",
          "draw:polyline", "draw:circle", "draw:control")  # fmt: skip


def lines_of(element: Element) -> str:
    """Return the paragraphs in an element, one in each line."""
    return "\n".join("".join(paragraph.itertext()) for paragraph in element.iter("text:p"))


def comment(cell: Element, address: str) -> Look | None:
    """Return the comment of a cell."""
    found = child(cell, "office:annotation")
    if found is None:
        return None
    author = child(found, "dc:creator")
    shown = get(found, "office:display") == "true"
    told = {"name": address, "text": lines_of(found), "author": (author.text or "") if author is not None else ""}
    return {**told, "shown": True} if shown else told


def objects_on(table: Element, parts: PackageParts) -> Iterator[tuple[str, Look]]:
    """Yield what is drawn on a sheet, each with its kind: charts, pictures and shapes."""
    for holder in _holders(table):
        for drawn in _flat(holder):
            if drawn.tag == "draw:frame":
                yield from _in_frame(drawn, parts)
            elif drawn.tag in _DRAWN:
                text = "\n".join("".join(line.itertext()) for line in drawn.iter("text:p"))
                kind = get(child(drawn, "draw:enhanced-geometry"), "draw:type") or drawn.tag.partition(":")[2]
                yield "shapes", {"name": get(drawn, "draw:name"), "kind": kind, "text": text, **_place(drawn)}


def _holders(table: Element) -> Iterator[Element]:
    for element in table.iter():
        if element.tag in ("table:shapes", "table:table-cell") and len(element):
            yield element


def _flat(holder: Element) -> Iterator[Element]:
    for each in holder:
        if each.tag in ("draw:g", "draw:a"):
            yield from _flat(each)
        else:
            yield each


def _in_frame(frame: Element, parts: PackageParts) -> Iterator[tuple[str, Look]]:
    about = {"name": get(frame, "draw:name")}
    for element in children(frame, "draw:object"):
        path = f"{get(element, 'xlink:href').removeprefix('./')}/content.xml"
        found = chart(parts.xml(path)) if path in parts else None
        if found:
            yield "charts", {**about, **found, **_place(frame)}
            return
    for image in children(frame, "draw:image"):
        held = picture_in(image, parts)
        yield "pictures", {**about, "sha256": hashlib.sha256(held).hexdigest(), **_place(frame)}
        return
    if child(frame, "draw:text-box") is not None:
        yield "shapes", {**about, "kind": "text box", "text": lines_of(frame), **_place(frame)}


def _place(drawn: Element) -> Look:
    size = [millimetres(get(drawn, f"svg:{side}")) for side in ("width", "height")]
    return {"size_mm": [None if side is None else round(side) for side in size]}


def rules_for(book: Element) -> dict[str, dict[str, str]]:
    """Return what cells may hold, by the names that they use for it."""
    found = {}
    for rule in book.iter("table:content-validation"):
        told = {"condition": get(rule, "table:condition").removeprefix("of:")}
        told["blank"] = get(rule, "table:allow-empty-cell", "true")
        for part in ("help", "error"):
            message = child(rule, f"table:{part}-message")
            if message is not None and (text := " ".join([get(message, "table:title"), lines_of(message)]).strip()):
                told[part] = text
        found[get(rule, "table:name")] = told
    return found


def conditions_on(table: Element, styles: SheetStyles) -> Iterator[Look]:
    """Yield the areas whose looks depend on what they hold."""
    for group in table.iter("calcext:conditional-format"):
        area = plain_range(get(group, "calcext:target-range-address")).rpartition("!")[2]
        rules: list[Look] = []
        for rule in group:
            told: Look = {"kind": rule.tag.rpartition(":")[2]}
            if value := get(rule, "calcext:value"):
                told["value"] = plain_formula(value).removeprefix("=")
            if name := get(rule, "calcext:apply-style-name"):
                told["look"] = styles.look(name)
            rules.append(told)
        yield {"name": area, "rules": rules}


def names_in(holder: Element) -> list[dict[str, str]]:
    """Return the ranges and formulas that have a name."""
    named = child(holder, "table:named-expressions")
    found = [
        {"name": get(each, "table:name"), "refers_to": plain_range(get(each, "table:cell-range-address"))}
        for each in children(named, "table:named-range")
    ]
    found += [
        {"name": get(each, "table:name"), "refers_to": plain_formula(get(each, "table:expression"))}
        for each in children(named, "table:named-expression")
    ]
    return sorted(found, key=lambda each: each["name"])
