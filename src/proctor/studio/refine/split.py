"""Taking one action, as plain data, apart into two, and joining several into one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from proctor.actions.action import from_json
from proctor.errors import AgentError, SpecError

NEAR = 4
"""Pixels within which two clicks are at one place."""
WRITTEN = {"Return": "\n", "Enter": "\n", "KP_Enter": "\n", "Tab": "\t", "space": " "}
"""Keys that a text can hold."""

Plain = dict[str, Any]


def read_action(action: object) -> Plain:
    """Return an action as it is recorded; raises SpecError that says what is wrong with it."""
    try:
        return from_json(action).to_json()
    except AgentError as error:
        raise SpecError(f"this is no action: {error.message}", remedy="write it as the record does") from error


def split(action: Plain, at: float) -> tuple[Plain, Plain]:
    """Return two actions that do the same one after the other; raises SpecError where that cannot be.

    `at` counts characters of a text, clicks, notches of the wheel, or seconds of a wait.
    """
    kind = action.get("type")
    parts: tuple[Plain, Plain]
    match kind:
        case "type":
            text, cut = str(action.get("text", "")), int(at)
            _inside(cut, len(text), "characters")
            parts = ({"text": text[:cut]}, {"text": text[cut:]})
        case "click":
            count, cut = int(action.get("count", 1)), int(at)
            _inside(cut, count, "clicks")
            parts = ({"count": cut}, {"count": count - cut})
        case "scroll":
            axis = "dy" if action.get("dy") else "dx"
            notches, cut = int(action.get(axis, 0)), int(at)
            _inside(cut, abs(notches), "notches")
            sign = 1 if notches > 0 else -1
            others = {"dx": 0} if axis == "dy" else {}  # a wheel that turned both ways turns the other with the first
            parts = ({axis: sign * cut}, {**others, axis: notches - sign * cut})
        case "wait":
            seconds = float(action.get("seconds", 1.0))
            if not 0 < at < seconds:
                raise SpecError(f"a wait of {seconds:g} s cannot be split at {at:g}", remedy="name a time within it")
            parts = ({"seconds": round(at, 3)}, {"seconds": round(seconds - at, 3)})
        case _:
            raise SpecError(
                f"a {_words(kind)} cannot be split", remedy="texts, several clicks, scrolling and waits can"
            )
    first, second = (read_action({**action, **part}) for part in parts)
    return first, second


def _inside(cut: int, count: int, what: str) -> None:
    if not 0 < cut < count:
        raise SpecError(f"{count} {what} cannot be split at {cut}", remedy="name a place between its first and last")


def join(actions: Sequence[Plain]) -> Plain:
    """Return one action that does what several did; raises SpecError where there is none."""
    joined = dict(actions[0])
    if joined.get("type") == "press" and joined.get("keys") in WRITTEN:
        joined = {"type": "type", "text": WRITTEN[joined["keys"]]}
    for action in actions[1:]:
        joined = _join_two(joined, dict(action))
    return read_action(joined)


def _join_two(one: Plain, other: Plain) -> Plain:
    kinds = (one.get("type"), other.get("type"))
    if kinds == ("type", "press") and other.get("keys") in WRITTEN:
        return {**one, "text": str(one.get("text", "")) + WRITTEN[other["keys"]]}
    if kinds == ("type", "type"):
        return {**one, "text": str(one.get("text", "")) + str(other.get("text", ""))}
    if kinds == ("wait", "wait"):
        return {**one, "seconds": round(float(one.get("seconds", 1.0)) + float(other.get("seconds", 1.0)), 3)}
    if kinds == ("move", "move"):
        return other
    same = _same(one, other)
    if kinds == ("click", "click") and same:
        return {**one, "count": int(one.get("count", 1)) + int(other.get("count", 1))}
    if kinds == ("scroll", "scroll") and same:
        return {**one, **{axis: int(one.get(axis, 0)) + int(other.get(axis, 0)) for axis in ("dx", "dy")}}
    raise SpecError(
        f"a {_words(kinds[0])} and a {_words(kinds[1])} cannot be one step",
        remedy="join texts, waits, or clicks and scrolling at one place",
    )


def _same(one: Plain, other: Plain) -> bool:
    return _rest(one) == _rest(other) and _near(one, other)


def _rest(action: Plain) -> Plain:
    return {name: value for name, value in action.items() if name in ("button", "modifiers")}


def _near(one: Plain, other: Plain) -> bool:
    if one.get("x") is None or other.get("x") is None:
        return one.get("x") is other.get("x")
    return all(abs(float(one[axis]) - float(other[axis])) <= NEAR for axis in "xy")


def _words(kind: object) -> str:
    return str(kind or "step without an action").replace("_", " ")


def effective(actions: Sequence[Plain]) -> list[Plain]:
    """Return what a row of actions does, however it was cut into steps.

    Two rows that are the same by this leave the computer the same, so that a verdict on one is one on the other.
    """
    found: list[Plain] = []
    for action in actions:
        kept = {name: value for name, value in action.items() if name != "given"}
        if kept.get("type") in ("wait", "move"):
            continue
        last = found[-1] if found and found[-1].get("type") == kept.get("type") else None
        if last is not None and (kept.get("type") == "type" or (kept.get("type") == "scroll" and _same(last, kept))):
            found[-1] = _join_two(last, kept)
        elif kept.get("type") == "click":
            found += [{**kept, "count": 1}] * int(kept.get("count", 1))
        else:
            found.append(kept)
    return found
