"""What the items of menus set: each is chosen, and the settings before and after are compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from proctor.applications import settings_stores
from proctor.computers.computer import Computer
from proctor.errors import NotReady
from proctor.offline.harvest.safety import MENUS
from proctor.synth.outline import SeenView, SettingChange
from proctor.tasks.call import Call
from proctor.tasks.inside.merge import ABSENT, merge
from proctor.tasks.move_context import MoveContext
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.rest import come_to_rest
from proctor.tasks.shelves import hand, run

MOST_TOGGLED = 12
"""Menu items that are tried for what they change."""
_TOGGLES = frozenset({"check menu item", "radio menu item"})


def toggles(views: Sequence[SeenView]) -> list[tuple[str, ...]]:
    """Return the ways to the items of menus that switch something, by their names."""
    inside: dict[str, tuple[str, ...]] = {}
    found = []
    for view in views:
        kind, _, name = view.what.partition(" ")
        if kind != "menu":
            continue
        way = (*inside.get(name, ()), name)
        inside |= {below: way for role, below in view.elements if role in MENUS and below != name}
        found += [(*way, item) for role, item in view.elements if role in _TOGGLES]
    return found[:MOST_TOGGLED]


def try_toggles(computer: Computer, app: str, ways: Sequence[tuple[str, ...]]) -> tuple[SettingChange, ...]:
    """Choose one item after the other in an application that is open, and see what that sets."""
    if not ways or not settings_stores(app):
        return ()
    found: list[SettingChange] = []
    before = _settings(computer, app)
    for way in ways:
        try:
            run(hand.menu(list(way)), MoveContext(computer, lambda _question: ""))
        except NotReady:
            # It is not there any more, or not to be chosen now.
            run(hand.press("Escape", times=3), MoveContext(computer, lambda _question: ""))
            continue
        after = _settings(computer, app)
        found += _changes(way, before, after)
        before = after
    return tuple(found)


def _settings(computer: Computer, app: str) -> object:
    come_to_rest(computer)
    return run(Call("probe", "application_settings", {"app": app}), ProbeContext(computer))


def _changes(way: tuple[str, ...], before: object, after: object) -> Iterator[SettingChange]:
    for each in merge(before, after).differences:
        item = _setting_in(before, after, each.place)
        if item is not None:
            held = (None if each.before is ABSENT else each.before, None if each.after is ABSENT else each.after)
            old, new = (value.get("value") if isinstance(value, dict) else value for value in held)
            yield SettingChange(menu=way, file=item["file"], setting=item["name"], before=old, after=new)


def _setting_in(before: object, after: object, place: Sequence[str]) -> dict[str, Any] | None:
    """Return the setting that a difference is about; None for anything else, such as noise."""
    if len(place) < 2 or place[0] != "settings":
        return None
    for state in (after, before):
        for item in state.get("settings", ()) if isinstance(state, dict) else ():
            if place[1] in (item["name"], item["id"], item["id"][:60]):
                return item  # type: ignore[no-any-return]
    return None
