"""Why episodes say nothing or came to nothing: a line for each cause, an example, what to do."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from proctor.records import Result

_REMEDY = re.compile(r"\n\s*remedy: (.+)")
_NAME = re.compile(r"[A-Za-z_][\w.]*")
_IN_PROSE = ("the model kept answering in prose", "the model wrote prose")
"""How a refusal by prose begins; the second in records of earlier versions."""
_LONGEST = 300
"""Characters of an example: agents and programs under examination may have written it."""

_REMEDIES = {
    "computer": "`proctor doctor` says what this machine lacks; with fewer computers at a time (-n), each has more",
    "host": "the host ran out of resources; see `proctor doctor`, or run fewer computers at a time (-n)",
    "setup": "`proctor tasks prove TASK` shows whether the task can be set up on this machine",
    "spec": "correct what the error names, and start again",
    "model": "check the model's server, and start again once it answers",
    "filtered": "the provider's filter withheld replies; ask the provider, or choose another model",
    "check": "report it with the record; `proctor runs regrade RUN` judges again once the check is fixed",
    "worker": "its replay shows what is known; a worker that was killed may have run out of memory: try fewer (-n)",
    "client": "the client left in the middle: have it end each episode, or leave these out",
    "defect": "a bug in Proctor: report it with the traceback in the record",
}
_CRASHED = "the traceback and what it printed are in its replay (`proctor view RUN`), and in EPISODE/agent.txt"
_BROKEN = "its replay (`proctor view RUN`) shows what it did before"
_UNREADABLE = "its replay (`proctor view RUN`) shows each reply and what it was told"
_UNCLEAR = "replies not understood"
_NOTHING = {
    "unknown actions": "unknown action",
    "places outside the screen": "outside the",
    "replies cut off": "cut off",
    "actions not allowed": "not allowed",
}
"""What agents do wrong turn after turn, and what they are told then."""


@dataclass
class EndingGroup:
    """Episodes that ended alike, by no verdict on the task."""

    kind: str
    """`void`, or the stop of an episode that its agent ended by failing."""
    cause: str
    """Whose failure, or the class of the error."""
    example: str
    task: str
    folder: str
    remedy: str
    episodes: int = 0
    agents: list[str] = field(default_factory=list)

    def words(self, run: Path) -> str:
        """Return it as one line."""
        quoted = shlex.quote(str(run))
        remedy = self.remedy.replace("RUN", quoted).replace("EPISODE", shlex.quote(str(run / self.folder)))
        number = f"{self.episodes} episode{'' if self.episodes == 1 else 's'}"
        return (
            f"{self.kind.replace('_', ' ')} ({self.cause}): {number} of {', '.join(self.agents)}, such as {self.task}: "
            f"{self.example} - {remedy}"
        )


def endings(results: Iterable[Result]) -> list[EndingGroup]:
    """Return one ending for each cause of voids and each kind of crash, the most frequent first."""
    found: dict[tuple[str, str], EndingGroup] = {}
    for result in results:
        for kind, cause in _causes(result):
            ending = found.get((kind, cause))
            if ending is None:
                ending = found[kind, cause] = _first(kind, cause, result)
            ending.episodes += 1
            if result.key.agent not in ending.agents:
                ending.agents.append(result.key.agent)
    return sorted(found.values(), key=lambda ending: -ending.episodes)


def _causes(result: Result) -> Iterator[tuple[str, str]]:
    if result.void:
        yield "void", result.cause or "unknown"
    elif result.stop == "agent_error":
        name, colon, _ = result.error.partition(":")
        crashed = "agent_crash" in result.modes or (colon and _NAME.fullmatch(name))
        yield ("crash", name) if crashed and colon else ("nothing done", _why_nothing(result.error))
    elif result.stop == "refused":
        yield "refused", "only prose" if result.error.startswith(_IN_PROSE) else "the model declined"
    elif result.stop == "silent":
        yield "silent", "empty replies"
    elif str(result.stop) == "broke_the_computer":
        yield "broke_the_computer", "the agent"


def _why_nothing(error: str) -> str:
    """Return what was wrong with turns that held nothing which could be carried out."""
    return next((title for title, sign in _NOTHING.items() if sign in error), _UNCLEAR)


def _first(kind: str, cause: str, result: Result) -> EndingGroup:
    said = _REMEDY.search(result.error)
    own = _CRASHED if kind == "crash" else _BROKEN if kind == "broke_the_computer" else _UNREADABLE
    remedy = said.group(1) if said else _REMEDIES.get(cause, own) if kind == "void" else own
    # The last line of a traceback says what happened, the first of anything else.
    lines = _REMEDY.sub("", result.error).strip().removeprefix(f"{cause}: ").splitlines() or ["no reason is recorded"]
    line = lines[-1] if lines[0].startswith("Traceback") else lines[0]
    return EndingGroup(kind, cause, line[:_LONGEST], result.key.task, result.folder, remedy[:_LONGEST])
