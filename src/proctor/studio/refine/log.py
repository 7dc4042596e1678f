"""Every version that people made of a demonstration, in one file that only grows.

`RUN/versions.jsonl` holds a line for each edit, with all steps of the version that it made; going back and forth adds
lines too. So nothing that was ever saved is lost, and what a crash left of a last line takes no other with it. Each
names the sums of the recording it is about, and counts only while they are still the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from proctor.errors import RecordError, SpecError
from proctor.store.paths import place_in_run, run_of
from proctor.store.reviews import sums_of
from proctor.store.versions import OutOfDate, Version, VersionLog
from proctor.studio.refine.edits import words
from proctor.studio.refine.steps import State, original, state_from_json, state_to_json

FILE = "versions.jsonl"


@dataclass(frozen=True, kw_only=True, slots=True)
class VersionLine:
    """One line of the file."""

    number: int
    by: str = ""
    at: float = 0.0
    what: str = ""
    """In words."""
    same_as: int | None = None
    """The version whose steps these are again, after going back or forth; None for one that is new."""
    edit: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Versions:
    """All versions of a demonstration as they stand."""

    lines: tuple[VersionLine, ...]
    states: dict[int, State]
    """The steps of every version, by its number; 0 is the recording itself."""
    number: int
    """Of the last line; 0 where nothing was saved."""
    past: tuple[int, ...]
    """To which versions undoing leads, the next one last."""
    future: tuple[int, ...]
    """To which versions redoing leads, the next one last."""

    @property
    def now(self) -> State:
        """The steps as they are now."""
        return self.states[self.number]

    def state(self, number: int) -> State:
        """Return the steps of a version; raises SpecError where there is no such."""
        found = self.states.get(number)
        if found is None:
            raise SpecError(f"there is no version {number}", remedy=f"there are versions up to {self.number}")
        return found

    def line(self, number: int) -> VersionLine:
        """Return what was saved as a version; the recording itself is version 0."""
        return next(
            (line for line in self.lines if line.number == number), VersionLine(number=0, what="as it was recorded")
        )


class Refinements:
    """The versions of one demonstration; several people and processes may add at once."""

    def __init__(self, episode: Path, count: int) -> None:
        """Open the versions of a demonstration, a folder whose record has so many lines."""
        self.episode = episode
        self._count = count
        run = run_of(episode)
        self.key = place_in_run(episode)
        self.sums = sums_of(run, self.key)
        if not self.sums:
            raise RecordError(f"{episode} is not finished", remedy="wait until the episode has ended")
        self._log = VersionLog(run / FILE)

    def read(self) -> Versions:
        """Return all that was saved; lines that make no sense, or are of another recording, are left out."""
        lines: list[VersionLine] = []
        states: dict[int, State] = {0: original(self._count)}
        past: list[int] = []
        future: list[int] = []
        head = number = 0
        for version in self._log.every(self.key):
            number = version.number
            act, back = version.data.get("act"), version.data.get("as")
            state = self._state(version, states)
            if state is None or number in states:
                states.setdefault(number, states[head])
                continue
            states[number] = state
            if act == "undo" and past:
                future.append(head)
                head = past.pop()
            elif act == "redo" and future:
                past.append(head)
                head = future.pop()
            else:
                past.append(head)
                head, future = number, []
            lines.append(_line(version, back if isinstance(back, int) else None))
        return Versions(tuple(lines), states, number, tuple(past), tuple(future))

    def save(self, seen: int, state: State, edit: Mapping[str, object], *, by: str, save: str = "") -> int:
        """Add a version made by an edit and return its number; raises OutOfDate for one saved meanwhile."""
        data: dict[str, object] = {"act": "edit", "edit": dict(edit), "steps": state_to_json(state)}
        return self._save(seen, data, by=by, save=save)

    def undo(self, seen: int, *, by: str, save: str = "") -> int:
        """Go back to the version before; raises SpecError where there is none."""
        found = self.read()
        if not found.past:
            raise SpecError("there is nothing to undo", remedy="edit something first")
        return self._save(seen, {"act": "undo", "as": found.past[-1]}, by=by, save=save)

    def redo(self, seen: int, *, by: str, save: str = "") -> int:
        """Go to the version that was left by undoing; raises SpecError where there is none."""
        found = self.read()
        if not found.future:
            raise SpecError("there is nothing to redo", remedy="undo something first")
        return self._save(seen, {"act": "redo", "as": found.future[-1]}, by=by, save=save)

    def restore(self, seen: int, number: int, *, by: str, save: str = "") -> int:
        """Make an earlier version the newest one, which can itself be undone."""
        self.read().state(number)
        edit = {"do": "restore", "version": number}
        return self._save(seen, {"act": "restore", "as": number, "edit": edit}, by=by, save=save)

    def _save(self, seen: int, data: dict[str, object], *, by: str, save: str) -> int:
        found = self._log.find(self.key)
        if found is None and seen:
            raise OutOfDate(Version(key=self.key, number=0, data={}))
        return self._log.save(self.key, seen, {**data, "sums": self.sums}, by=by, save=save).number

    def _state(self, version: Version, states: Mapping[int, State]) -> State | None:
        if version.data.get("sums") != self.sums:
            return None
        back = version.data.get("as")
        if isinstance(back, int):
            return states.get(back)
        found = state_from_json(version.data.get("steps"))
        fits = found is not None and all(step.of or step.line < self._count for step in found)
        return found if fits else None


def _line(version: Version, back: int | None) -> VersionLine:
    act, given = version.data.get("act"), version.data.get("edit")
    edit = given if isinstance(given, dict) else {}
    said = {"undo": f"undone: as version {back}", "redo": f"done again: as version {back}"}.get(str(act), words(edit))
    return VersionLine(number=version.number, by=version.by, at=version.at, what=said, same_as=back, edit=edit)
