"""Points in what models write: pairs, boxes, JSON, tags and calls, in many shapes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from proctor.models.answer_text import answer_part
from proctor.plain_text import compose


class FoundPoints(NamedTuple):
    """What was found in a reply."""

    x: float = 0.0
    y: float = 0.0
    shape: str = ""
    """How it was written, such as `pair` or `JSON`; a box stands for its centre."""
    space: str = ""
    """The space, where the shape itself says it; otherwise that which was asked for holds."""
    refused: bool = False
    problem: str = ""


_N = r"[-+]?(?:\d{1,7}(?:\.\d{0,12})?|\.\d{1,12})"
_SEP = r"\s{0,4}[,;\s]\s{0,4}"
_LOCS = re.compile(r"<loc_?(\d{1,4})>\s{0,2}<loc_?(\d{1,4})>(?:\s{0,2}<loc_?(\d{1,4})>\s{0,2}<loc_?(\d{1,4})>)?")
_ATTRIBUTES = re.compile(
    rf"<points?\s[^<>]{{0,80}}?x1?\s*=\s*[\"']?({_N})[\"']?\s[^<>]{{0,40}}?y1?\s*=\s*[\"']?({_N})", re.I
)
_TAG = re.compile(
    r"<\|?(?P<tag>point|points|box|bbox|click|coord|coordinate|coordinates|answer|position|location|ref_box|box_start|"
    r"point_start|object_ref)(?:_?start)?\|?>(?P<body>[^<]{1,200})<",
    re.IGNORECASE,
)
_PERCENT = re.compile(rf"({_N})\s?%\s{{0,4}}(?:[,;]|and|from the left|x|,?\s)?[^\d%]{{0,30}}?({_N})\s?%", re.IGNORECASE)
_CALL = re.compile(
    r"(?:click|tap|press|moveTo|move_to|moveto|doubleClick|double_click|rightClick|left_click|right_click|touch|select|"
    r"dragTo|long_press|hover|mouse_move)\s{0,2}\((?P<body>[^()]{0,60}(?:\([^()]{0,60}\))?[^()]{0,60})\)"
)
_BRACKETS = re.compile(rf"[(\[{{]\s{{0,4}}({_N}){_SEP}({_N})(?:{_SEP}({_N}){_SEP}({_N}))?\s{{0,4}},?\s?[)\]}}]")
_TWO_PAIRS = re.compile(
    rf"[(\[]\s{{0,4}}({_N}){_SEP}({_N})\s{{0,4}}[)\]]\s{{0,4}},?\s{{0,4}}[(\[]\s{{0,4}}({_N}){_SEP}({_N})\s{{0,4}}[)\]]"
)
_GAP = r"[^\w.+-]"
"""What may stand between a word and its number; signs and points belong to the number."""
_AXIS = r"\b(?:c|cent(?:er|re)_?)?{0}(?:[- ]?coordinate)?\b" + _GAP + "{{0,6}}"
_NAMED = re.compile(rf"{_AXIS.format('x')}({_N})[^\d]{{0,24}}?{_AXIS.format('y')}({_N})", re.IGNORECASE)
_NAMED_BOX = re.compile(
    rf"\bx_?1{_GAP}{{1,4}}({_N}){_GAP}{{1,4}}y_?1{_GAP}{{1,4}}({_N}){_GAP}{{1,4}}"
    rf"x_?2{_GAP}{{1,4}}({_N}){_GAP}{{1,4}}y_?2{_GAP}{{1,4}}({_N})",
    re.IGNORECASE,
)
_CORNERS = re.compile(
    rf"\btop[- ]left\b[^\d()\[\]]{{0,24}}[(\[]\s?({_N}){_SEP}({_N})\s?[)\]][^\d()\[\]]{{0,24}}"
    rf"\bbottom[- ]right\b[^\d()\[\]]{{0,24}}[(\[]\s?({_N}){_SEP}({_N})",
    re.IGNORECASE,
)
_AT = re.compile(rf"\bat\s(?:position\s|about\s|pixel\s|coordinates?\s)?({_N})\s?(?:,|and|x)\s?({_N})", re.IGNORECASE)
_COMMAND = re.compile(rf"\b(?:mousemove|tap|click)\s(?:on\s|at\s)?({_N})(?:\s?,\s?|\s)({_N})(?![\w.%])", re.IGNORECASE)
_UNIT = re.compile(r"(?<=\d)\s?(?:\((?:px|pixels?)\)|(?:px|pixels?)\b)", re.IGNORECASE)
_ANSWER = re.compile(r"\banswer[\s*_`\"']{0,4}(?::|=|\bis\b)[\s*_`\"':]{0,6}", re.IGNORECASE)
_BARE = re.compile(rf"({_N}){_SEP}({_N})(?:{_SEP}({_N}){_SEP}({_N}))?")
_LABEL = re.compile(
    rf"^.{{0,40}}?(?:answer|point|coordinates?|position|location|click|output){_GAP}{{1,4}}(?:(?:is|are){_GAP}{{1,4}})?",
    re.IGNORECASE | re.DOTALL,
)
_NUMBER = re.compile(_N)
_JSON = re.compile(r"[{\[]")
_REFUSAL = re.compile(
    r"\b(?:(?:not|\w{2,5}n't) (?:found|present|visible|there|on the screen|in the (?:picture|image|screenshot)|"
    r"available|exist|applicable)|no (?:such|match(?:es|ing)?\b|(?:\w+ )?elements? (?:match|fit|on the|in the)\w*)|"
    r"nothing (?:on|in|fits|matches)\b|absent|impossible|"
    r"(?:can ?not|can't|could not|couldn't|unable to) (?:be )?(?:find|found|locate|located|see)|"
    r"refus(?:e|al|ed)|infeasible|there is no|none|null|n/a)\b",
    re.IGNORECASE,
)


def find_point(reply: str) -> FoundPoints:
    """Return the point that a reply gives, the last of several; plainer shapes come later."""
    text, problem = answer_part(reply)
    if problem:
        return FoundPoints(problem=problem)
    text = _plain(text)
    # What is said after `Answer:` counts before what is noted below it, such as the range of the coordinates.
    marks = list(_ANSWER.finditer(text))[-1:]
    for part in (*(text[mark.end() :].partition("\n")[0][:_MOST_LINE] for mark in marks), text):
        for shapes in _TIERS:
            found = [each for shape in shapes for each in shape(part)]
            if found:
                _, point = max(found, key=lambda each: each[0])
                return point._replace(refused=point.x < 0 and point.y < 0)
    if said := _REFUSAL.search(text):
        return FoundPoints(refused=True, shape=f"words: {said[0]}")
    return FoundPoints(problem="there is no point in it")


def _plain(text: str) -> str:
    text = compose(text, "NFKC").replace("\N{MINUS SIGN}", "-").replace("\N{EN DASH}", "-")
    text = text.replace("\N{IDEOGRAPHIC COMMA}", ",").replace("\\(", "(").replace("\\)", ")")
    return _UNIT.sub("", text)


Placed = tuple[int, FoundPoints]


def _numbers(place: int, given: tuple[str | None, ...] | list[str], shape: str, space: str = "") -> Iterator[Placed]:
    values = [float(each) for each in given if each is not None]
    if len(values) >= 4:
        x, y = (values[0] + values[2]) / 2, (values[1] + values[3]) / 2
        yield place, FoundPoints(x, y, f"{shape}, box", space)
    elif len(values) >= 2:
        yield place, FoundPoints(values[0], values[1], shape, space)


def _locations(text: str) -> Iterator[Placed]:
    for match in _LOCS.finditer(text):
        yield from _numbers(match.end(), match.groups(), "location tokens", "0-999")


def _attributes(text: str) -> Iterator[Placed]:
    # Models that write <point x= y=> count in per cent of the picture.
    for match in _ATTRIBUTES.finditer(text):
        yield from _numbers(match.end(), match.groups(), "tag with attributes", "percent")


def _tags(text: str) -> Iterator[Placed]:
    for match in _TAG.finditer(text):
        if "%" not in match["body"]:
            yield from _numbers(match.end(), _NUMBER.findall(_without_names(match["body"]))[:4], "tag")


def _calls(text: str) -> Iterator[Placed]:
    for match in _CALL.finditer(text):
        numbers = _NUMBER.findall(_without_names(match["body"]))
        # What follows a point in a call is a button, a count or a time, unless all four are a box.
        boxed = "box" in match["body"] and len(numbers) >= 4
        yield from _numbers(match.end(), numbers[:4] if boxed else numbers[:2], "call")


def _without_names(body: str) -> str:
    """Return a body without names that hold digits, such as `x1=`, and numbers for other things."""
    body = re.sub(r"\b(?:button|clicks|duration|interval|count|times|label|text)\s?[=:]\s?[^,)]{0,30}", " ", body)
    return re.sub(r"[A-Za-z_]\w{0,20}\s?[=:]", " ", body)


def _percents(text: str) -> Iterator[Placed]:
    for match in _PERCENT.finditer(text):
        yield from _numbers(match.end(), match.groups(), "per cent", "percent")


def _objects(text: str) -> Iterator[Placed]:
    decoder, end = json.JSONDecoder(), 0
    for tried, match in enumerate(_JSON.finditer(text)):
        if match.start() < end or tried > _MOST_TRIES:
            continue
        try:
            value, end = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            continue
        # A bare list is left to the shapes for brackets: it is one of them.
        if isinstance(value, dict) or (isinstance(value, list) and any(isinstance(each, dict) for each in value)):
            for given, space in _in_json(value):
                yield from _numbers(end, given, "JSON", space)


_MOST_TRIES = 100
_MOST_LINE = 2_000
"""Characters after `Answer:` that are looked at first."""
_POINT_KEYS = (
    "point", "point_2d", "points", "coordinate", "coordinates", "coords", "coord", "position", "location", "click",
    "click_point", "target", "center", "centre", "pos", "xy", "start_point", "bbox", "bbox_2d", "box", "bounding_box",
    "start_box", "answer",
)  # fmt: skip
_PAIRS = (
    ("x", "y"), ("X", "Y"), ("click_x", "click_y"), ("x1", "y1", "x2", "y2"), ("xmin", "ymin", "xmax", "ymax"),
    ("x_min", "y_min", "x_max", "y_max"), ("left", "top", "right", "bottom"),
)  # fmt: skip
_CORNERS_AND_SIZES = (("left", "top", "width", "height"), ("x", "y", "width", "height"))
_ROWS_FIRST = "box_2d"
"""Gemini's own shape: top, left, bottom, right, each from 0 to 1000."""


def _in_json(value: object, depth: int = 0) -> Iterator[tuple[list[str], str]]:
    if depth > 12:
        return
    if isinstance(value, list):
        for each in value:
            yield from _in_json(each, depth + 1)
    if not isinstance(value, dict):
        return
    for sides in _CORNERS_AND_SIZES:
        if set(sides) <= value.keys() and (box := _numbers_of(value, sides)):
            left, top, width, height = map(float, box)
            yield [str(left), str(top), str(left + width), str(top + height)], ""
            return
    for names in reversed(_PAIRS):
        if set(names) <= value.keys() and (given := _numbers_of(value, names)):
            yield given, ""
            return
    for key, inner in value.items():
        if key == _ROWS_FIRST and len(given := _sequence(inner)) == 4:
            yield [given[1], given[0], given[3], given[2]], "0-1000"
        elif str(key).lower() in _POINT_KEYS and (given := _sequence(inner)):
            yield given, ""
        else:
            yield from _in_json(inner, depth + 1)


def _numbers_of(value: dict[str, object], names: tuple[str, ...]) -> list[str]:
    found = [_number(value[name]) for name in names]
    return [each for each in found if each is not None] if None not in found else []


def _sequence(value: object) -> list[str]:
    if isinstance(value, str):
        return _NUMBER.findall(value)[:4] if len(value) < 200 else []
    while isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]
    if isinstance(value, list) and len(value) in (2, 4):
        if all(isinstance(each, list) and len(each) == 2 for each in value):
            value = [number for each in value for number in each]
        found = [_number(each) for each in value]
        return [each for each in found if each is not None] if None not in found else []
    return []


def _number(value: object) -> str | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    text = str(value).strip()
    return text if _NUMBER.fullmatch(text) else None


def _pairs(text: str) -> Iterator[Placed]:
    taken: set[int] = set()
    for match in _CORNERS.finditer(text):
        taken |= set(range(match.start(), match.end()))
        yield from _numbers(match.end() + 1, match.groups(), "pair of corners")
    for match in _TWO_PAIRS.finditer(text):
        # Both of its pairs would be found again; the second begins where its bracket is.
        taken |= {match.start(), text.rfind(text[match.start()], match.start(), match.end())}
        yield from _numbers(match.end(), match.groups(), "pair of pairs")
    for match in _BRACKETS.finditer(text):
        if match.start() not in taken:
            yield from _numbers(match.end(), match.groups(), "pair")


def _find_named(text: str) -> Iterator[Placed]:
    for pattern in (_NAMED, _NAMED_BOX, _AT, _COMMAND):
        for match in pattern.finditer(text):
            yield from _numbers(match.end(), match.groups(), "named")


def _bare(text: str) -> Iterator[Placed]:
    """Yield numbers that are the whole reply, or all that follows a word such as `Answer:`."""
    # A full stop before a number is a part of it, one after it is not.
    stripped = text.strip().lstrip(_QUOTES).rstrip(_QUOTES + ".")
    for body in (stripped, _LABEL.sub("", stripped, count=1), stripped.splitlines()[-1] if stripped else ""):
        if match := _BARE.fullmatch(body.lstrip(_QUOTES).rstrip(_QUOTES + ".()")):
            yield from _numbers(match.end(), match.groups(), "bare numbers")


_QUOTES = "`*$\"' \n"
_TIERS = ((_locations, _attributes, _tags, _calls, _objects), (_percents,), (_pairs,), (_find_named,), (_bare,))
"""Shapes that cannot be meant otherwise come first; within one tier the last one in the reply counts."""
