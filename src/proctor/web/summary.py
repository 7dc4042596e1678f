"""Figures of a run for its pages: a row for each episode, and how each agent fares so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from proctor.records import EpisodeKey, Result
from proctor.report.grid import Feedback, GridEpisode, GridOutcome, ResultGrid, make_grid
from proctor.report.statistics import Rate, clean_rate
from proctor.report.words import NO_PRICE
from proctor.web.episodes import ListedEpisode


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """How one agent fares."""

    agent: str
    rate: Rate
    """Of clean success over the episodes in which somebody could look for side effects, with that of success."""
    unclean: int
    gaming: bool
    """Whether it tries to score without doing the work."""
    void: int
    unjudged: int
    running: int
    cost_usd: float | None
    """Of every try; None where a model without a known price was asked."""
    tokens: int
    earlier: int = 0
    """Void tries that a later try took the place of; they cost, and count nowhere else."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Filter:
    """Which episodes to show; what is empty lets everything through."""

    agent: str = ""
    task: str = ""
    outcome: str = ""
    stop: str = ""
    mode: str = ""

    def takes(self, entry: ListedEpisode) -> bool:
        """Tell whether an episode is wanted."""
        result = entry.result
        return (
            self.agent in ("", entry.key.agent)
            and self.task.lower() in entry.key.task.lower()
            and self.outcome in ("", outcome(entry))
            and self.stop in ("", result.stop if result else None)
            and (not self.mode or (result is not None and self.mode in result.modes))
        )


def outcome(entry: ListedEpisode) -> GridOutcome:
    """Return what came of an episode in a word."""
    if entry.result is None:
        return "running" if entry.running else "interrupted"
    return entry.result.outcome


def last_tries(entries: Iterable[ListedEpisode]) -> list[ListedEpisode]:
    """Return each episode once, as its last try left it, in the order they came."""
    last: dict[EpisodeKey, ListedEpisode] = {}
    for entry in entries:
        before = last.get(entry.key)
        if before is None or entry.retry >= before.retry:
            last[entry.key] = entry
    chosen = {entry.id for entry in last.values()}
    return [entry for entry in entries if entry.id in chosen]


def grid_of_entries(entries: Sequence[ListedEpisode], root: Path, feedback: Feedback) -> ResultGrid:
    """Return the grid of a run as it is now."""
    return make_grid([_grid_episode(entry, root) for entry in last_tries(entries)], feedback)


def _grid_episode(entry: ListedEpisode, root: Path) -> GridEpisode:
    result = entry.result
    # A void try may have failed before there was anything to record.
    recorded = result is None or result.folder
    found = GridEpisode(
        task=entry.key.task,
        agent=entry.key.agent,
        outcome=outcome(entry),
        run=root,
        folder=entry.folder.relative_to(root).as_posix() if recorded else "",
        tries=entry.retry + 1,
    )
    if result is None:
        return found
    return replace(
        found,
        score=result.score,
        stop=result.stop,
        cause=result.cause or "",
        error=result.error,
        unclean=result.passed and result.clean is False,
        assisted=result.assisted,
    )


def standings(entries: Iterable[ListedEpisode]) -> list[Standing]:
    """Return how each agent fares, by name; only the last try at an episode counts."""
    by_agent: dict[str, list[ListedEpisode]] = {}
    for entry in entries:
        by_agent.setdefault(entry.key.agent, []).append(entry)
    return [_standing_of(agent, found) for agent, found in sorted(by_agent.items())]


def _standing_of(agent: str, tries: Sequence[ListedEpisode]) -> Standing:
    entries = last_tries(tries)
    asked = [entry.result for entry in tries if entry.result]
    scored = [entry for entry in entries if outcome(entry) in ("passed", "failed")]
    results = [entry.result for entry in entries if entry.result]
    tried = Counter(entry.key.task for entry in scored)
    won = Counter(entry.key.task for entry in scored if outcome(entry) == "passed")
    clean = Counter(entry.key.task for entry in scored if entry.result and entry.result.clean)
    known = Counter(entry.key.task for entry in scored if entry.result and not entry.result.collateral_unknown)
    counts = (np.array([found[task] for task in tried], dtype=np.int64) for found in (clean, won, tried, known))
    return Standing(
        agent=agent,
        rate=clean_rate(*counts),
        unclean=sum(result.passed and result.clean is False for result in results),
        gaming=any(result.goal == "game" for result in results),
        void=sum(outcome(entry) == "void" for entry in entries),
        unjudged=sum(outcome(entry) == "unjudged" for entry in entries),
        running=sum(entry.running for entry in entries),
        cost_usd=_cost(asked),
        tokens=sum(result.input_tokens + result.output_tokens for result in asked),
        earlier=len(tries) - len(entries),
    )


def _cost(results: Sequence[Result]) -> float | None:
    if any(result.cost_usd is None and result.calls for result in results):
        return None
    return sum(result.cost_usd or 0.0 for result in results)


def row(entry: ListedEpisode, run_id: str) -> dict[str, object]:
    """Return an episode as a row of the table."""
    key, result = entry.key, entry.result
    found: dict[str, object] = {
        "id": entry.id,
        # A void try may have failed before there was anything to record.
        "url": f"/replay/{run_id}/{entry.id}" if result is None or result.folder else "",
        "task": key.task,
        "agent": key.agent,
        "case": _case(entry),
        "outcome": outcome(entry),
    }
    if result is None:
        return found
    return found | {
        **{name: getattr(result, name) for name in ("score", "steps", "turns")},
        "stop": result.cause and f"{result.stop}: {result.cause}" or result.stop,
        "modes": ", ".join(result.modes),
        "seconds": round(result.seconds - result.human_seconds, 1),
        "assisted": f"a person acted in its place, for {result.human_seconds:.0f} s" if result.assisted else "",
        "tokens": result.input_tokens + result.output_tokens,
        "cost": NO_PRICE if result.cost_usd is None and result.calls else result.cost_usd,
        "clean": _CLEAN[result.clean] if result.passed else "",
        "collateral": None if result.collateral_unknown else sum(result.collateral.values()),
        "flags": ", ".join(sorted(result.flags)),
    }


_CLEAN = {True: "clean", False: "with side effects", None: "side effects unknown"}


def percent(each: Standing) -> str:
    """Return clean success with its interval in words, and success where it differs."""
    rate = each.rate
    success = rate.beside or rate
    if success.value is None:
        none = "no score: all void" if each.void else "not judged" if each.unjudged else "no score yet"
        return "no score yet" if each.running else none
    if rate.value is None:
        text = f"success {_figure(success.value, success)}"
    elif (rate.passed, rate.episodes) == (success.passed, success.episodes):
        text = _figure(rate.value, rate)
    else:
        text = f"clean {_figure(rate.value, rate)}, success {success.value:.0%}"
    return text.replace("%", " %")


def _figure(value: float, rate: Rate) -> str:
    low, high = rate.interval
    return f"{value:.0%} ({low * 100:.0f} to {high * 100:.0f})"


def _case(entry: ListedEpisode) -> str:
    key = entry.key
    parts = [
        f"seed {key.seed}",
        f"try {key.sample + 1}" * bool(key.sample),
        f"wording {key.paraphrase}" * bool(key.paraphrase),
        "unproven" if entry.result and entry.result.unproven else "",
    ]
    return ", ".join(filter(None, [*parts, f"retry {entry.retry}" * bool(entry.retry)]))
