"""What a cell of an OpenDocument spreadsheet holds, and what it shows."""

from __future__ import annotations

from collections.abc import Callable

from proctor.vocabulary.formats.guarded_xml import Element
from proctor.vocabulary.formats.office.parse_odf import plain_text
from proctor.vocabulary.formats.office.parse_xml import children, get
from proctor.vocabulary.formats.spreadsheets.cells import plain_formula
from proctor.vocabulary.formats.spreadsheets.number_formats import shown_as, shown_date
from proctor.vocabulary.formats.spreadsheets.parse_ods_styles import SheetStyles
from proctor.vocabulary.formats.spreadsheets.shape import number
from proctor.vocabulary.formats.visible import Look

KINDS = {"float": "number", "string": "text"}


def times(element: Element, attribute: str) -> int:
    """Return how often something is repeated or how far it reaches; at least once."""
    return max(1, int(get(element, attribute, "1")))


def held_by(element: Element, styles: SheetStyles) -> Callable[[Look], Look] | None:
    """Return what tells what a cell holds and shows, given how it looks; None where it holds nothing."""
    kind, formula = get(element, "office:value-type"), get(element, "table:formula")
    if not kind and not formula:
        return None
    lines = list(children(element, "text:p"))
    text = "\n".join(plain_text(line) for line in lines)
    held: Look = {**_value(element, kind, formula, text)}
    if formula:
        held["formula"] = plain_formula(formula)
    if pieces := _pieces(lines, styles):
        held["pieces"] = pieces
    if links := [get(link, "xlink:href") for line in lines for link in line.iter("text:a")]:
        held["links"] = links

    def tell(look: Look) -> Look:
        shown = text if lines else display_of(held, look)
        return held if shown is None or _is_plain(held, shown) else {**held, "shown": shown}

    return tell


def display_of(held: Look, look: Look) -> str | None:
    """Return what a cell shows whose file does not say; None for what it holds, or if unknown."""
    style, value = look.get("format", {}), held["value"]
    if held["kind"] == "date" and style.get("kind") == "date" and isinstance(value, str):
        return shown_date(style["code"], value)
    if held["kind"] == "error" or "pattern" not in style:
        return None
    return shown_as(style["pattern"], value)


def _is_plain(held: Look, shown: str) -> bool:
    """Tell whether a cell shows just what it holds."""
    value = held["value"]
    if isinstance(value, bool):
        return shown.casefold() == str(value).casefold()
    if isinstance(value, int | float):
        try:
            return abs(float(shown) - value) <= 1e-12 * max(1.0, abs(value))
        except ValueError:
            return False
    return value is None or shown == value


def _value(element: Element, kind: str, formula: str, text: str) -> Look:
    found: Look = {"kind": KINDS.get(kind, kind) or "empty", "value": None}
    if get(element, "calcext:value-type") == "error" or (formula and text.startswith(("#", "Err:"))):
        return {"kind": "error", "value": text}
    if kind in ("float", "percentage", "currency"):
        found["value"] = number(get(element, "office:value"))
    elif kind == "date":
        found["value"] = get(element, "office:date-value").removesuffix("T00:00:00")
    elif kind == "time":
        found["value"] = _time(get(element, "office:time-value"))
    elif kind == "boolean":
        found["value"] = get(element, "office:boolean-value") == "true"
    elif kind:
        found["value"] = element.get("office:string-value", text)
    return found


def _time(duration: str) -> str:
    hours, _, rest = duration.removeprefix("PT").partition("H")
    minutes, _, seconds = rest.partition("M")
    return f"{int(hours or 0):02}:{int(minutes or 0):02}:{int(float(seconds.rstrip('S') or 0)):02}"


def _pieces(lines: list[Element], styles: SheetStyles) -> list[dict[str, str]]:
    """Return the pieces of a text that look otherwise than their cell."""
    found = []
    for line in lines:
        for span in line.iter("text:span"):
            own = styles.styles.properties("text", get(span, "text:style-name"), "text")
            told = {key.partition(":")[2]: own[key] for key in _TOLD if key in own}
            if told and (text := plain_text(span)):
                found.append({"text": text, **told})
    return found


_TOLD = ("fo:font-weight", "fo:font-style", "fo:color", "fo:font-size", "style:text-underline-style",
         "style:text-line-through-style", "style:font-name")  # fmt: skip
