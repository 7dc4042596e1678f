"""The task to set what an item of a menu sets."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import PurePosixPath

from proctor.synth.edit_task import slug
from proctor.synth.outline import SettingChange
from proctor.synth.parts import ProposedTask, TaskParts, WrittenKey, WrittenMiss, WrittenMisses, WrittenVerdict
from proctor.tasks.provenance import NamedResource
from proctor.tasks.shelves import expect, hand, make, see
from proctor.taxonomy import APPLICATIONS


def single_changes(changes: Sequence[SettingChange]) -> list[SettingChange]:
    """Return the items that set one thing, in a store where a check can see it, each way once."""
    ways = [change.menu for change in changes]
    return [
        change
        for change in changes
        if ways.count(change.menu) == 1 and change.setting.startswith("/") and isinstance(change.after, bool | str)
    ]


def setting_task(app: str, change: SettingChange, others: Sequence[SettingChange]) -> TaskParts:
    """Return the task to set what an item of a menu sets."""
    *menus, item = change.menu
    program = PurePosixPath((*APPLICATIONS[app].programs, app)[0]).name
    where = " > ".join(menus)
    value = change.after if isinstance(change.after, bool) else str(change.after)
    asked = f'choose "{item}"' if isinstance(value, str) else f'switch "{item}" {"on" if value else "off"}'
    key = hand.menu(list(change.menu))
    misses = [WrittenMiss(name="switched there and back", moves=(key, key))] if isinstance(value, bool) else []
    misses += [
        WrittenMiss(name=f"{other.menu[-1]} instead", moves=(hand.menu(list(other.menu)),))
        for other in others
        if other.setting != change.setting
    ][:2]
    if len(misses) < 2:
        looked = (hand.click(menus[0], role="menu"), hand.press("Escape"))
        misses.append(WrittenMiss(name="only looked at", moves=looked))
    return TaskParts(
        app=app,
        proposal=ProposedTask(
            name=slug(f"{app} {item}"),
            instruction=f"Set up {app}, which is open: {asked} (menu {where}), so that it stays that way.",
            paraphrases=(f"In the open {app}, {asked} for good; it is in the menu {where}.",),
            demand="System/Files and Applications/App Configuration",
            gives=(NamedResource(kind="setting", value=change.setting),),
            setup=(make.launch([program]),),
        ),
        moves=WrittenKey(moves=(key,)),
        route=WrittenKey(moves=(hand.run_code(f"dconf write {change.setting} {_gvariant(value)}"),)),
        verdict=WrittenVerdict(check=expect.setting_is(see.dconf(change.setting), value)),
        misses=WrittenMisses(near_misses=tuple(misses)),
    )


def _gvariant(value: bool | str) -> str:
    return str(value).lower() if isinstance(value, bool) else shlex.quote(f"'{value}'")
