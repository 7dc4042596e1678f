"""Explores an application as a harvest does, and makes the outline of it."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path, PurePosixPath
from typing import Any

from proctor.actions.in_words import label
from proctor.computers import open_computer
from proctor.computers.computer import Computer
from proctor.errors import ComputerError, HostError, SpecError
from proctor.offline.harvest.catalogue import Looks, Visit, VisitedProgram, open_program, programs_of, visits
from proctor.offline.harvest.walk import VisitView, Walk
from proctor.store.files import write_whole
from proctor.synth.outline import AppOutline, SeenView
from proctor.synth.toggle import toggles, try_toggles
from proctor.taxonomy import APPLICATIONS, image_for

SIZE = (1366, 768)
MOST_NAMED = 40
"""Elements of one view that are named."""


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
    with open_plain(app, backend) as computer:
        open_program(computer, _visit(program))
        outline = AppOutline(app=app, views=views, changes=try_toggles(computer, app, toggles(views)))
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
