"""Where nodes are, what text and value they hold and what can be done to them, asked in two waves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from proctor.computers.channels.atspi.ask import ACCESSIBLE, PREFIX, Asker, get, get_extents, get_text
from proctor.computers.channels.atspi.nodes import Details, Placed, Ref, TreeItem
from proctor.computers.channels.dbus.client import MethodCall, Reply, value_of, variant_of
from proctor.observations.bounds import CUT, MAX_LABEL, MAX_TEXT, cut
from proctor.observations.box import Box
from proctor.observations.tree import Value

TEXT = f"{PREFIX}.Text"
VALUE = f"{PREFIX}.Value"
ACTION = f"{PREFIX}.Action"
VALUE_PROPERTIES = ("CurrentValue", "MinimumValue", "MaximumValue", "MinimumIncrement")
MAX_ACTIONS = 8
MAX_ATTRIBUTES = 64
# Buttons and menu items have the Value interface too, and nothing to say in it.
VALUE_ROLES = frozenset({"dial", "level bar", "progress bar", "rating", "scroll bar", "slider", "spin button"})


class Lasting(NamedTuple):
    """What stays true of an item as long as the item itself is unchanged."""

    item: TreeItem
    actions: tuple[str, ...]
    attributes: Mapping[str, str]


Memory = dict[Ref, Lasting]


@dataclass(slots=True)
class _Draft:
    item: TreeItem
    box: Box | None = None
    text: str = ""
    text_length: int = 0
    numbers: dict[str, float] = field(default_factory=dict)
    actions: tuple[str, ...] = ()
    action_count: int = 0
    attributes: Mapping[str, str] = field(default_factory=dict)


def ask_details(
    asker: Asker,
    entries: Iterable[Placed],
    screen: Box,
    memory: Memory,
    known: Mapping[Ref, Details] | None = None,
) -> tuple[dict[Ref, Details], Memory]:
    """Ask about all showing entries; return the details and the memory to pass in the next time.

    A node outside of the screen has no box; `known` gives places and names that need no asking.
    """
    details: dict[Ref, Details] = {}
    drafts: dict[Ref, _Draft] = {}
    kept: Memory = {}
    questions: list[tuple[_Draft, str, MethodCall]] = []
    for entry in entries:
        ref = entry.item.ref
        if known and ref in known:
            told = known[ref]
            details[ref] = told if told.box and told.box.intersect(screen) else Details(text=told.text)
            if ref in memory:
                kept[ref] = memory[ref]
        elif entry.item.showing:
            draft = drafts[ref] = _Draft(entry.item)
            lasting = memory.get(ref)
            remembered = lasting is not None and lasting.item == entry.item
            if lasting and remembered:
                draft.actions, draft.attributes = lasting.actions, lasting.attributes
            questions += _first_questions(draft, web=entry.web, remembered=remembered)
    _ask(asker, questions, screen)
    _ask(asker, [question for draft in drafts.values() for question in _second_questions(draft)], screen)
    for ref, draft in drafts.items():
        details[ref] = Details(draft.box, draft.text, _value(draft.numbers), draft.actions, draft.attributes)
    asked = {ref: Lasting(draft.item, draft.actions, draft.attributes) for ref, draft in drafts.items()}
    return details, {**kept, **asked}


def _first_questions(draft: _Draft, *, web: bool, remembered: bool) -> list[tuple[_Draft, str, MethodCall]]:
    item, ref = draft.item, draft.item.ref
    questions = []
    if "Component" in item.interfaces:
        questions.append((draft, "box", get_extents(ref)))
    if "Text" in item.interfaces:
        questions.append((draft, "length", get(ref, TEXT, "CharacterCount")))
    if "Value" in item.interfaces and item.role in VALUE_ROLES:
        # One by one: asked for all properties at once, Qt 5 crashes.
        questions += [(draft, name, get(ref, VALUE, name)) for name in VALUE_PROPERTIES]
    if "Action" in item.interfaces and not remembered:
        questions.append((draft, "action count", get(ref, ACTION, "NActions")))
    if web and not remembered:
        questions.append((draft, "attributes", MethodCall(*ref, ACCESSIBLE, "GetAttributes")))
    return questions


def _second_questions(draft: _Draft) -> list[tuple[_Draft, str, MethodCall]]:
    ref = draft.item.ref
    questions = [
        (draft, "action", MethodCall(*ref, ACTION, "GetName", "i", (number,)))
        for number in range(min(draft.action_count, MAX_ACTIONS))
    ]
    if draft.text_length > 0:
        # Some toolkits refuse an end beyond the text instead of stopping there.
        questions.append((draft, "text", get_text(ref, MAX_TEXT if draft.text_length > MAX_TEXT else -1)))
    return questions


def _ask(asker: Asker, questions: Sequence[tuple[_Draft, str, MethodCall]], screen: Box) -> None:
    replies = asker.ask([call for _, _, call in questions])
    for (draft, kind, _), reply in zip(questions, replies, strict=True):
        _note(draft, kind, reply, screen)


def _note(draft: _Draft, kind: str, reply: Reply, screen: Box) -> None:
    """Write one answer down; an error or an answer of the wrong type leaves the default."""
    match kind:
        case "box":
            draft.box = box_of(reply, screen)
        case "text":
            text = cut(value_of(reply, "s") or "", MAX_TEXT)
            more = draft.text_length > MAX_TEXT and len(text) == MAX_TEXT
            draft.text = text + CUT if more else text
        case "length":
            draft.text_length = variant_of(reply, "i") or 0
        case "CurrentValue" | "MinimumValue" | "MaximumValue" | "MinimumIncrement":
            number = variant_of(reply, "d")
            if number is not None and math.isfinite(number):
                draft.numbers[kind] = number
        case "action count":
            draft.action_count = variant_of(reply, "i") or 0
        case "action":
            if name := value_of(reply, "s"):
                draft.actions = (*draft.actions, cut(name, MAX_LABEL))
        case "attributes":
            pairs = list((value_of(reply, "a{ss}") or {}).items())[:MAX_ATTRIBUTES]
            draft.attributes = {cut(key, MAX_LABEL): cut(value, MAX_LABEL) for key, value in sorted(pairs)}


def box_of(reply: Reply, screen: Box) -> Box | None:
    """Return the extents in a reply, or None when nothing of them is on screen."""
    box = Box(*(value_of(reply, "(iiii)") or (0, 0, 0, 0)))
    return box if box.intersect(screen) else None


def _value(numbers: Mapping[str, float]) -> Value | None:
    if "CurrentValue" not in numbers:
        return None
    current, minimum, maximum, step = (numbers.get(name, 0.0) for name in VALUE_PROPERTIES)
    return Value(current=current, minimum=minimum, maximum=maximum, step=step)
