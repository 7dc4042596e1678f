"""Number formats of OpenDocument, written as the codes that people type."""

from __future__ import annotations

import re

from proctor.vocabulary.formats.guarded_xml import Element
from proctor.vocabulary.formats.office.parse_odf import Styles
from proctor.vocabulary.formats.office.parse_xml import child, children, get
from proctor.vocabulary.formats.office.parse_xml import number as whole
from proctor.vocabulary.formats.spreadsheets.number_formats import GENERAL, MOST_DECIMALS, number_format

_DATE_PARTS = {
    "number:year": "y", "number:month": "m", "number:day": "d", "number:hours": "h", "number:minutes": "m",
    "number:seconds": "s",
}  # fmt: skip
_CONDITION = re.compile(r"value\(\)\s*(>=|>|<=|<|!?=)\s*(-?[\d.]+)")
_PLAIN = re.compile(r"[-+/ ():.,%€£$]*")


def describe_format(styles: Styles, name: str) -> dict[str, object]:
    """Return what a number format means, as `number_format` of its code does."""
    style = styles.data.get(name)
    kind = style.tag.removeprefix("number:").removesuffix("-style") if style is not None else ""
    if style is None or kind == "number" and _code(styles, style) == GENERAL:
        return {"kind": "general"}
    if kind in ("date", "time"):
        return {"kind": kind, "code": "".join(_date_part(part) for part in style)}
    if kind == "boolean":
        return {"kind": kind}
    code = _code(styles, style)
    found = number_format(code)
    if kind == "text":
        return {"kind": "text"} if code == "@" else {"kind": "text", "pattern": code}
    symbol = child(style, "number:currency-symbol")
    if kind in ("number", "currency", "percentage"):
        found["kind"] = kind
        figures = child(style, "number:number")
        found["decimals"] = min(whole(get(figures, "number:decimal-places")), MOST_DECIMALS)
        found["grouping"] = get(figures, "number:grouping") == "true"
        found["pattern"] = code
    if symbol is not None:
        found["symbol"] = symbol.text or ""
    return found


def _code(styles: Styles, style: Element) -> str:
    """Return the code of a format; what it maps other values to comes before what it says itself."""
    mapped = {}
    for each in children(style, "style:map"):
        found = _CONDITION.fullmatch(get(each, "style:condition").strip())
        other = styles.data.get(get(each, "style:apply-style-name"))
        if found and other is not None and other is not style:
            mapped[found[1]] = "".join(_part(part) for part in other)
    own = "".join(_part(part) for part in style)
    if not mapped:
        return own
    positive = mapped.get(">=", mapped.get(">", own))
    negative = mapped.get("<", own)
    if len(mapped) == 1:
        return f"{positive};{own}" if "<" not in mapped else f"{own};{negative}"
    if style.tag == "number:text-style":
        return f"{positive};{negative};{mapped.get('=', '')};{own}"
    return f"{positive};{negative};{own}"


def _part(part: Element) -> str:
    if part.tag == "number:number":
        return _figures(part)
    if part.tag == "number:scientific-number":
        exponent = "0" * max(1, whole(get(part, "number:min-exponent-digits"), 2, 9))
        return f"{_figures(part)}E+{exponent}"
    if part.tag == "number:fraction":
        return "# ?/?"
    if part.tag == "number:text":
        text = part.text or ""
        return text if _PLAIN.fullmatch(text) else f'"{text}"'
    if part.tag == "number:currency-symbol":
        return f"[${part.text or ''}]"
    if part.tag == "style:text-properties" and part.get("fo:color"):
        return {"#ff0000": "[RED]"}.get(get(part, "fo:color").lower(), f"[{get(part, 'fo:color').lower()}]")
    return {"number:text-content": "@"}.get(part.tag, "")


def _figures(part: Element) -> str:
    places = part.get("number:decimal-places")
    least = min(whole(get(part, "number:min-integer-digits")), MOST_DECIMALS)
    if places is None and part.tag == "number:number" and "number:min-decimal-places" not in part.attrib:
        return GENERAL if least <= 1 and get(part, "number:grouping") != "true" else "0" * least
    digits = "0" * least or "#"
    if get(part, "number:grouping") == "true":
        digits = "#," + digits.rjust(3, "#")
    decimals = min(whole(places), MOST_DECIMALS)
    fixed = min(whole(part.get("number:min-decimal-places"), decimals), decimals)
    factor = whole(get(part, "number:display-factor"), 1)
    scale = (len(str(max(factor, 1))) - 1) // 3
    written = digits + ("." + "0" * fixed + "#" * (decimals - fixed) if decimals else "")
    return written + "," * scale


def _date_part(part: Element) -> str:
    if part.tag == "number:text":
        return part.text or ""
    if part.tag not in _DATE_PARTS:
        return ""
    long, spelled = get(part, "number:style") == "long", get(part, "number:textual") == "true"
    if part.tag == "number:year":
        return "yyyy" if long else "yy"
    return _DATE_PARTS[part.tag] * (1 + long + 2 * spelled)
