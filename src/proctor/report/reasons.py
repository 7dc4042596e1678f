"""Why an episode ended as it did, in one line that a person reads first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from proctor.errors import RecordError
from proctor.plain_text import one_line
from proctor.store.paths import RunPaths
from proctor.store.read import RecordedEpisode

LONGEST = 300
"""Characters of a reason: agents and programs under examination may have written it."""
_OWN_WORD = ("done", "answered")
"""Stops that say nothing about why an episode failed."""
_DECLINED = "the model declined: "
_REMEDY = "\n  remedy: "


def first_line(error: str) -> str:
    """Return the line of an error that says what happened: of a traceback, the last."""
    lines = error.partition(_REMEDY)[0].strip().splitlines()
    return (lines[-1] if lines[0].startswith("Traceback") else lines[0]).strip() if lines else ""


def void_reason(cause: str, error: str) -> str:
    """Return why an episode says nothing about its agent."""
    said = first_line(error).removeprefix(f"{cause}: ")
    return _short(": ".join(filter(None, [cause or "unknown", said])))


def failure_reason(stop: str, error: str, feedback: Sequence[str]) -> str:
    """Return why an agent failed: what ended the episode, and what was missing."""
    said = first_line(error).removeprefix(_DECLINED) or (first_line(feedback[0]) if feedback else "")
    return _short(": ".join(filter(None, ["" if stop in _OWN_WORD else stop.replace("_", " "), said])))


def read_feedback(run: Path, folder: str) -> tuple[str, ...]:
    """Return what the judge of an episode found missing; nothing where the record does not say."""
    try:
        verdict = RecordedEpisode(RunPaths(run).at(folder)).verdict if folder else None
    except RecordError:
        return ()
    return tuple(verdict.feedback) if verdict else ()


def _short(text: str) -> str:
    text = one_line(text)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
