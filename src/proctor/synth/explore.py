"""An outline of an application: its screens, menus and dialogs, and what its menu items change."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from proctor.actions.in_words import label
from proctor.applications import settings_stores
from proctor.computers import open_computer
from proctor.computers.computer import Computer
from proctor.errors import ComputerError, ElementNotFound, HostError, SpecError
from proctor.offline.harvest.catalogue import Looks, Visit, VisitedProgram, open_program, programs_of, visits
from proctor.offline.harvest.safety import MENUS
from proctor.offline.harvest.walk import VisitView, Walk
from proctor.plain_text import one_line
from proctor.store.files import write_whole
from proctor.tasks.call import Call
from proctor.tasks.inside.merge import ABSENT, merge
from proctor.tasks.move_context import MoveContext
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.rest import come_to_rest
from proctor.tasks.shelves import hand, run
from proctor.taxonomy import APPLICATIONS, image_for

SIZE = (1366, 768)
MOST_CHARS = 5_000
"""Of an outline in words."""
MOST_NAMED = 40
"""Elements of one view that are named."""
MOST_TOGGLED = 12
"""Menu items that are tried for what they change."""
_TOGGLES = frozenset({"check menu item", "radio menu item"})


@dataclass(frozen=True, kw_only=True)
class SeenView:
    """One screen, menu or dialog, and what is in it."""

    what: str
    """How it came about, such as `menu File`."""
    elements: tuple[tuple[str, str], ...]
    """Role and name of each."""


@dataclass(frozen=True, kw_only=True)
class SettingChange:
    """What choosing an item of a menu changes."""

    menu: tuple[str, ...]
    """The names along the way to it."""
    file: str
    setting: str
    before: object
    """None where nothing was set."""
    after: object


@dataclass(frozen=True, kw_only=True)
class AppOutline:
    """What there is in an application."""

    app: str
    views: tuple[SeenView, ...] = ()
    changes: tuple[SettingChange, ...] = ()

    def text(self) -> str:
        """Return it as a prompt has it, in words and not too long."""
        lines = [f"- {view.what}: {_names(view)}" for view in self.views if view.elements]
        lines += [
            f"- choosing {' > '.join(change.menu)} sets {change.setting} to {json.dumps(change.after)}"
            for change in self.changes
        ]
        text = one_line("\x00".join(lines)).replace("\N{REPLACEMENT CHARACTER}", "\n")
        return text if len(text) <= MOST_CHARS else f"{text[:MOST_CHARS]}..."

    def names(self) -> str:
        """Return every name in it, one per line."""
        return "\n".join(name for view in self.views for _, name in view.elements)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> AppOutline:
        """Read what was written."""
        views = (SeenView(what=each["what"], elements=tuple(map(tuple, each["elements"]))) for each in data["views"])
        changes = (SettingChange(**{**each, "menu": tuple(each["menu"])}) for each in data["changes"])
        return cls(app=data["app"], views=tuple(views), changes=tuple(changes))


def explore(app: str, folder: Path, backend: str = "sandbox") -> AppOutline:
    """Return the outline of an application, read from a folder where it was made before."""
    path = folder / f"{app}.json"
    if path.is_file():
        try:
            return AppOutline.from_json(json.loads(path.read_text(encoding="utf-8")))
        except (ValueError, KeyError, TypeError) as error:
            raise SpecError(f"the outline {path} is damaged: {error}", remedy="remove the file") from error
    program = _program_of(app, backend)
    views = _look(app, program, backend)
    outline = AppOutline(app=app, views=views, changes=_try_toggles(app, program, views, backend))
    write_whole(folder, path.name, json.dumps(asdict(outline), indent=1, ensure_ascii=False).encode(), durable=True)
    return outline


def open_plain(app: str, backend: str) -> Computer:
    """Return a computer, not started, that has an application and nothing on it."""
    options: dict[str, Any] = {"size": SIZE}
    if backend == "sandbox":
        options |= {"image": image_for([app]), "look": "light", "clock": "2026-03-12T09:30:00"}
    return open_computer(backend, **options)


def _program_of(app: str, backend: str) -> VisitedProgram:
    if backend != "sandbox":
        return VisitedProgram(app, (app,), "notes.txt")
    programs = {PurePosixPath(path).name for path in APPLICATIONS[app].programs} | {app}
    with open_plain(app, backend) as computer:
        found = [each for each in programs_of(computer) if PurePosixPath(each.argv[0]).name in programs]
    if not found:
        raise SpecError(f"no menu entry starts {app}", remedy="name another application; `proctor tasks list` has them")
    return found[0]


def _visit(program: VisitedProgram) -> Visit:
    looks = Looks(sizes=(SIZE,), themes=("light",), scales=(1.0,), locales=("en_US.UTF-8",), looks=("light",))
    (visit,) = visits([program], looks, seed=0, rounds=1)
    return visit


def _look(app: str, program: VisitedProgram, backend: str) -> tuple[SeenView, ...]:
    """Walk through an application as a harvest does; what is seen before it fails is as good."""
    visit, found = _visit(program), []
    with open_plain(app, backend) as computer:
        open_program(computer, visit)
        try:
            for view in Walk(computer, random.Random(app)).views():
                found.append(SeenView(what=label(view.what, ""), elements=tuple(_elements(view))))
        except HostError:
            raise
        except ComputerError as error:
            if not found:
                raise SpecError(f"{app} could not be explored: {error.message}", remedy="try it again") from error
    return tuple(found)


def _elements(view: VisitView) -> Iterator[tuple[str, str]]:
    named = ((node.role, label(node.name, "")) for node in view.targets)
    yield from list(dict.fromkeys((role, name) for role, name in named if name))[:MOST_NAMED]


def _names(view: SeenView) -> str:
    return ", ".join(f"{role} {json.dumps(name, ensure_ascii=False)}" for role, name in view.elements)


# -- what items of menus change -----------------------------------------------------------------------------------


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


def _try_toggles(
    app: str, program: VisitedProgram, views: Sequence[SeenView], backend: str
) -> tuple[SettingChange, ...]:
    """Choose one item after the other and see what that sets."""
    ways = toggles(views)
    if not ways or not settings_stores(app):
        return ()
    found: list[SettingChange] = []
    with open_plain(app, backend) as computer:
        open_program(computer, _visit(program))
        before = _settings(computer, app)
        for way in ways:
            try:
                run(hand.menu(list(way)), MoveContext(computer, lambda _question: ""))
            except ElementNotFound:
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
