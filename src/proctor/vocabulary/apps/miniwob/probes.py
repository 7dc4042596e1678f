"""Probes that ask a page of MiniWoB++ what it wants and how it was done."""

from __future__ import annotations

import json
import math

from proctor.errors import ComputerError, ComputerLost, HostError, SpecError
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.apps.miniwob import pages

_GOAL = "(() => { const said = core.getUtterance(); return typeof said === 'string' ? said : said.utterance; })()"


@PROBES.register_live()
def miniwob_goal(context: ProbeContext, name: str) -> str:
    """The instruction of a MiniWoB++ page, in its own words."""
    said = _ask(context, name, _GOAL)
    if not isinstance(said, str) or not said.strip():
        raise CannotSee("unreadable", f"the page {name!r} does not say what it asks for")
    return " ".join(said.split())


@PROBES.register_live()
def miniwob_reward(context: ProbeContext, name: str) -> dict[str, object]:
    """How a page of MiniWoB++ rates what was done: whether it is over, its raw reward, and why."""
    said = _outcome(context, name)
    numbers = [said.get("raw"), said.get("reward")] if isinstance(said, dict) else [None]
    if not isinstance(said, dict) or not all(map(_is_number, numbers)):
        raise CannotSee("unreadable", f"the page {name!r} does not say how it was done")
    reason = str(said.get("reason") or "")[:500]
    return {"done": said.get("done") is True, "raw": said["raw"], "reward": said["reward"], "reason": reason}


def _is_number(said: object) -> bool:
    return isinstance(said, int | float) and math.isfinite(said)


def _outcome(context: ProbeContext, name: str) -> object:
    """Return how the problem first ended, wherever its page has gone since; otherwise how it stands."""
    shown = context.computer.parts.pages
    noted = shown.first_note(pages.OUTCOME) if shown else None
    if noted is None:
        standing = _ask(context, name, f"window.{pages.BEGUN} === true ? {pages.REWARD} : 'anew'")
        if standing == "anew":
            raise CannotSee("absent", f"the page {name!r} was loaded anew, so that its problem is gone")
        return standing
    try:
        return json.loads(noted)
    except ValueError:
        return None


def _ask(context: ProbeContext, name: str, script: str) -> object:
    shown = context.computer.parts.pages
    if shown is None:
        raise SpecError("MiniWoB++ needs a computer with web pages", remedy="choose the computer 'browser'")
    try:
        if shown.address().partition("#")[0].partition("?")[0] != pages.address(name):
            raise CannotSee("absent", f"the page {name!r} is not open any more")
        return shown.evaluate(script)
    except (ComputerLost, HostError):
        raise
    except ComputerError as error:
        raise CannotSee("unreadable", f"the page {name!r} does not answer: {error.message}") from error
