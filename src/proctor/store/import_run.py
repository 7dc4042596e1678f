"""Somebody else's trajectories, read into a record that appears only when it is complete."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from proctor.errors import SpecError
from proctor.store.files import folder_at_once
from proctor.store.imports import IMPORTS
from proctor.store.run import RunRecord
from proctor.version import VERSION


@dataclass(frozen=True, kw_only=True, slots=True)
class Trajectories:
    """What somebody else recorded, as it lies on disk."""

    file: Path
    images: Path
    """Where its pictures lie."""
    agent: str
    """Whom the trajectories are of, as reports name it."""
    limit: int | None = None
    """How many are taken at most."""
    on_episode: Callable[[], None] = lambda: None
    """Called after each."""


@dataclass
class Imported:
    """What came of an import."""

    episodes: int = 0
    unread: int = 0
    """Steps whose code could not be read; they are kept as text."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Trajectories that were not taken, by the reason."""


def import_run(
    file: Path,
    form: str,
    out: Path,
    *,
    images: Path | None = None,
    agent: str = "",
    limit: int | None = None,
    on_episode: Callable[[], None] = lambda: None,
) -> Imported:
    """Make a run of a file of somebody else's trajectories.

    Args:
        file: What they are in.
        form: The name of its form; see IMPORTS.
        out: A folder that does not exist yet.
        images: Where the pictures lie; `images` beside the file, or its own folder, when None.
        agent: Whom the trajectories are of, as reports name it; as the form is named when empty.
        limit: Take at most so many.
        on_episode: Called after each.

    Raises:
        SpecError: The folder exists already, or not one trajectory could be taken.
    """
    read = _open_form(form)
    beside = file.parent / "images"
    folder = images or (beside if beside.is_dir() else file.parent)
    found = Trajectories(file=file, images=folder, agent=agent or form, limit=limit, on_episode=on_episode)
    came = Imported()
    with folder_at_once(out) as part:
        with RunRecord.create(part, {"proctor": VERSION, "imported": {"form": form, "file": file.name}}) as run:
            read(found, run, came)
            run.seal()
        if not came.episodes:
            why = "; ".join(f"{reason}: {count}" for reason, count in came.left_out.items()) or "it is empty"
            raise SpecError(
                f"no trajectory of {file} could be read ({why})", remedy="name a file of this form, and its pictures"
            )
    return came


def _open_form(form: str) -> Callable[[Trajectories, RunRecord, Imported], None]:
    """Return what reads a form; `module:function` is that alone."""
    found = IMPORTS.get(form)
    read = getattr(found, "read", found)
    if not callable(read):
        raise SpecError(f"import {form!r} cannot read", remedy="name a module with read(trajectories, run, found)")
    return cast(Callable[[Trajectories, RunRecord, Imported], None], read)
