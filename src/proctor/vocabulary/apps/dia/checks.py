"""Checks on Dia diagrams."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.vocabulary.apps.dia.parse import LONE_TEXT, area, lies_on


@CHECKS.register
def diagram_texts(of: Seen, texts: list[str], in_shapes: bool = False) -> Finding:
    """The objects of a diagram carry exactly these texts, in any order.

    Ignores blanks and objects without text. A text that lies upon a shape is that shape's. With `in_shapes`, texts that
    stand alone are not enough, and each shape has a place of its own.
    """
    found = sorted(item["text"] for item in of["objects"] if item["text"])
    wanted = sorted(" ".join(text.split()) for text in texts)
    problems = [f"The text {text!r} is missing from {of['path']}." for text in wanted if text not in found]
    problems += [f"The text {text!r} should not be in {of['path']}." for text in found if text not in wanted]
    if not problems and found != wanted:
        problems.append(f"{of['path']} holds some of its texts more than once.")
    faint = (item["text"] for item in of["objects"] if item["text"] and not item.get("shown", True))
    problems += [f"The text {text!r} in {of['path']}, or its shape, cannot be seen." for text in faint]
    if in_shapes:
        alone = [item["text"] for item in of["objects"] if item["text"] and item["kind"] == LONE_TEXT]
        problems += [f"The text {text!r} in {of['path']} stands in no shape." for text in alone]
        problems += _unseen(of)
    return unless(problems)


def _unseen(of: Any) -> Iterator[str]:
    """Yield which shapes with a text have no size, or overlap."""
    labelled = [item for item in of["objects"] if item["text"] and item["box"]]
    yield from (
        f"The shape {item['text']!r} in {of['path']} has no size." for item in labelled if not area(item["box"])
    )
    for one, other in combinations(labelled, 2):
        if lies_on(one["box"], other["box"]) or lies_on(other["box"], one["box"]):
            yield f"The shapes {one['text']!r} and {other['text']!r} in {of['path']} overlap."


@CHECKS.register
def diagram_links(of: Seen, links: list[tuple[str, str]], either_way: bool = False, arrows: bool = False) -> Finding:
    """The lines of a diagram connect exactly these texts; with `arrows`, headed at the end only."""
    if arrows and (headless := [line for line in of["lines"] if line.get("arrow") != "to"]):
        ends = "both its ends" if headless[0].get("arrow") == "both" else "neither of its ends"
        return wrong(f"A line of {of['path']} has an arrow head at {ends}.")
    if any(not line.get("shown", True) for line in of["lines"]):
        return wrong(f"A line of {of['path']} cannot be seen.")
    names = {item["id"]: item["text"] for item in of["objects"]}
    found = sorted((names.get(line["from"], ""), names.get(line["to"], "")) for line in of["lines"])
    wanted = sorted((start, end) for start, end in links)
    if either_way:
        found, wanted = (sorted(tuple(sorted(pair)) for pair in pairs) for pairs in (found, wanted))
    if found == wanted:
        return right()
    shown, expected = (", ".join(f"{a or '?'} to {b or '?'}" for a, b in pairs) for pairs in (found, wanted))
    return wrong(f"{of['path']} connects {shown or 'nothing'}, expected {expected}.")
