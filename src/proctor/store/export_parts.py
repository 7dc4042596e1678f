"""What several exports do alike: pictures copied once, moments, and texts that every file takes."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from proctor.records import Step, plain
from proctor.store.collection import Recorded
from proctor.store.files import write_new
from proctor.store.read import RecordedEpisode


class PictureCopies:
    """The pictures of one episode, each copied into a folder of the export when it is first named."""

    def __init__(self, episode: RecordedEpisode, out: Path, folder: str) -> None:
        self._episode, self._out, self._folder = episode, out, folder
        self._copied: set[str] = set()

    def place(self, name: str) -> str:
        """Return where a picture of the record lies, relative to the export."""
        if name not in self._copied:
            (self._out / self._folder).mkdir(parents=True, exist_ok=True)
            write_new(str(self._out / self._folder), name, self._episode.picture(name))
            self._copied.add(name)
        return f"{self._folder}/{name}"


def about_step(step: Step) -> dict[str, object]:
    """Return what people said of a step and did in it; empty where only an agent acted.

    `instruction` is what the step is for, `meant` what was asked for or recorded before a person put the action in its
    place, `by` who acted where that was not the agent.
    """
    found = {name: plain(getattr(step, name)) for name in ("instruction", "meant", "by")}
    return {name: value for name, value in found.items() if value}


def about_people(item: Recorded) -> dict[str, object]:
    """Return who did an episode by hand, what was edited in it later, and what reviewers say of it."""
    refined, reviews = item.episode.header.refined, [plain(review) for review in item.reviews]
    helped = item.result.human_figures if item.result.assisted else {}
    found = {"person": item.person, "refined": plain(refined) if refined else None, "reviews": reviews, "help": helped}
    return {name: value for name, value in found.items() if value}


def moment(at: float | None) -> str | None:
    """Return seconds since the epoch as an ISO time; None for what is no moment."""
    try:
        return None if at is None else datetime.fromtimestamp(at, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return None


def whole_text(value: object) -> object:
    """Return plain data whose texts hold no halves of surrogate pairs, which hardly any reader takes."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {whole_text(name): whole_text(inner) for name, inner in value.items()}
    return [whole_text(inner) for inner in value] if isinstance(value, list | tuple) else value
