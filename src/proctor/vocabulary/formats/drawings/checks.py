"""Checks on vector drawings and diagrams."""

from __future__ import annotations

import re
from collections import Counter
from typing import Annotated, Any

from pydantic import Field

from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.words import short

Colour = Annotated[str, Field(pattern=r"^(#[0-9a-f]{6}|none)$")]

Count = Annotated[int, Field(ge=0)]
_NUMBER = re.compile(r"-?\d{1,9}(?:\.\d{1,9})?")


@CHECKS.register
def drawing_has_shape(
    of: Seen, kind: str | None = None, fill: Colour | None = None, id: str | None = None, count: Count | None = None
) -> Finding:
    """A drawing shows a shape of this kind, fill and id, or exactly this many of them."""
    wanted = {"kind": kind, "fill": fill, "id": id}
    found = [shape for shape in of["shapes"] if all(value in (None, shape[key]) for key, value in wanted.items())]
    shown = [shape for shape in found if shape.get("shown", True) or fill == "#ffffff"]
    if len(found) == count or (count is None and shown):
        return right()
    said = ", ".join(f"{key} {value}" for key, value in wanted.items() if value is not None) or "any kind"
    expected = "at least one" if count is None else str(count)
    seen = "" if len(shown) == len(found) else f", of which {len(found) - len(shown)} cannot be seen"
    return wrong(f"{of['path']} has {len(found)} shapes ({said}){seen}; expected {expected}.")


@CHECKS.register
def drawing_text(of: Seen, text: str, times: Count = 1) -> Finding:
    """A drawing shows this text this many times, each as a separate text, in any font and position."""
    wanted = " ".join(text.split())
    texts = [shape for shape in of["shapes"] if shape["kind"] == "text" and shape.get("legible", True)]
    found = sum(shape["text"] == wanted for shape in texts)
    return right() if found == times else wrong(f"{of['path']} shows the text {wanted!r} {found} times, not {times}.")


@CHECKS.register
def drawing_texts_are(of: Seen, texts: list[str]) -> Finding:
    """A drawing shows exactly these texts where they can be read, and nothing else.

    Each is a text of its own or a line of one; ignores their order, blanks, font and place on the page.
    """
    missing = Counter(" ".join(text.split()) for text in texts)
    problems = []
    for shape in of["shapes"]:
        said = next((each for each in ([shape["text"]], shape.get("lines", [])) if not Counter(each) - missing), None)
        if shape["kind"] != "text" or said is None:
            problems.append(f"{of['path']} should not have the {shape['kind']} {short(shape['text'])}.")
        elif not shape.get("legible", True):
            problems.append(f"The text {short(shape['text'])} in {of['path']} cannot be read.")
        else:
            missing -= Counter(said)
    return unless([*problems, *(f"{of['path']} does not show the text {short(text)}." for text in missing.elements())])


@CHECKS.register
def drawing_keeps(of: Seen, shapes: list[dict[str, Any]], within: float = 1.0) -> Finding:
    """A drawing still has these shapes, by their ids, as described.

    Their kind, fill, stroke, opacity, effects (such as clipping), box, corners, text and its size in pixels.
    """
    by_id = {shape["id"]: shape for shape in of["shapes"]}
    problems = []
    for wanted in shapes:
        found = by_id.get(wanted["id"])
        if found is None:
            problems.append(f"The shape {wanted['id']!r} is missing from {of['path']}.")
            continue
        for key, value in wanted.items():
            if not _same(found.get(key), value, within):
                problems.append(f"The {key} of the shape {wanted['id']!r} is {found.get(key)}, expected {value}.")
    return unless(problems)


@CHECKS.register
def drawing_size(of: Seen, width: float, height: float, within: float = 0.5) -> Finding:
    """A drawing has this size in pixels and shows all of itself, neither shifted nor scaled."""
    found = [*_numbers(of["width"]), *_numbers(of["height"])]
    view = _numbers(of["view"]) if of.get("view") else [0.0, 0.0, *found]
    if _same(found, [width, height], within) and _same(view, [0, 0, width, height], within):
        return right()
    shown = f", of which it shows {of['view']}" if of.get("view") else ""
    return wrong(f"{of['path']} is {of['width']} x {of['height']}{shown}; expected {width:g} x {height:g}, all shown.")


@CHECKS.register
def drawing_count(of: Seen, shapes: Count) -> Finding:
    """A drawing has exactly this many shapes and texts."""
    found = len(of["shapes"])
    return right() if found == shapes else wrong(f"{of['path']} has {found} shapes, expected {shapes}.")


def _same(found: Any, wanted: Any, within: float) -> bool:
    if isinstance(wanted, list | tuple):
        return (
            found is not None
            and len(found) == len(wanted)
            and all(abs(one - other) <= within for one, other in zip(found, wanted, strict=True))
        )
    return bool(found == wanted)


def _numbers(text: str) -> list[float]:
    """Return the numbers of a measure; none where its unit is not that of the screen."""
    plain = text.replace("px", " ").replace(",", " ").split()
    return [float(each) for each in plain] if all(_NUMBER.fullmatch(each) for each in plain) else []
