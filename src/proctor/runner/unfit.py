"""Episodes that cannot be held: who cannot meet whom, and how that is said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from proctor.errors import SpecError

MOST_NAMED = 5
"""Tasks that a reason names; the rest are counted."""


@dataclass(frozen=True)
class Unfit:
    """An episode that cannot be held, and why not."""

    task: str
    seed: int
    agent: str
    why: str


def refusal(unfit: Iterable[Unfit], episodes: int) -> SpecError:
    """Return the error that says who cannot meet whom, each reason with the tasks that it holds for."""
    listed = "".join(f"\n  - {line}" for line in reasons(unfit))
    left = "add --skip-unfit to go on without them" if episodes else "choose other tasks, agents or another computer"
    return SpecError(f"some of this run cannot be held:{listed}", remedy=left)


def reasons(unfit: Iterable[Unfit]) -> Iterator[str]:
    """Yield each reason once, with the tasks that it holds for."""
    tasks: dict[str, dict[str, None]] = {}
    for one in unfit:
        for why in one.why.split("; "):
            tasks.setdefault(why, {})[one.task] = None
    for why, ids in tasks.items():
        more = f" and {len(ids) - MOST_NAMED} more" if len(ids) > MOST_NAMED else ""
        yield f"{why} ({', '.join(list(ids)[:MOST_NAMED])}{more})"
