"""Two runs task by task: which cases changed sides, and where to look at both."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from proctor.errors import SpecError
from proctor.records import Result

Change = Literal["lost", "won", "same", "void", "missing"]
"""`lost` has fewer clean successes in the second run, `won` more; `void` says nothing in one of the two; `missing` is
in one of them only."""

Case = tuple[str, int, int]
"""Task, seed and wording: what an agent was set in both runs."""


@dataclass(frozen=True, slots=True)
class Side:
    """A case in one of the runs, all attempts together."""

    passed: int
    clean: int
    """Of those that passed, the ones in which nothing else was changed."""
    unclean: int
    """Of those that passed, the ones in which something else was."""
    unknown: int
    """Of those that were scored, the ones in which nobody could look for that."""
    scored: int
    void: int
    shown: Result
    """The attempt to look at: one that passed where most did, one that did not otherwise."""
    digests: frozenset[str]

    @property
    def words(self) -> str:
        """What came of it, for people."""
        if not self.scored:
            return f"void ({self.shown.cause or 'unknown'})" if self.void else "not judged"
        if self.scored == 1:
            effects = ", with side effects" if self.unclean else "" if self.clean else ", side effects unknown"
            return f"passed{effects}" if self.passed else f"failed ({self.shown.stop}, {self.shown.score:g})"
        unclean = f", {self.unclean} with side effects" if self.unclean else ""
        unknown = self.passed - self.clean - self.unclean
        return f"{self.passed} of {self.scored} passed{unclean}" + f", {unknown} with side effects unknown" * (
            unknown > 0
        )


@dataclass(frozen=True, slots=True)
class Pair:
    """One case of both runs."""

    agents: tuple[str, str]
    task: str
    seed: int
    paraphrase: int
    first: Side | None
    second: Side | None

    @property
    def change(self) -> Change:
        """Which way it went."""
        if self.first is None or self.second is None:
            return "missing"
        if not self.first.scored or not self.second.scored:
            return "void"
        # Where nobody could look in one of the two, side effects in the other are no difference.
        known = not (self.first.unknown or self.second.unknown)
        won, now = (self.first.clean, self.second.clean) if known else (self.first.passed, self.second.passed)
        # Shares compared as whole numbers: 1 of 3 is not 0.333.
        before, after = won * self.second.scored, now * self.first.scored
        return "same" if before == after else "won" if after > before else "lost"

    @property
    def task_changed(self) -> bool:
        """Whether the two runs set different tasks under one id."""
        return bool(self.first and self.second and self.first.digests != self.second.digests)


def compare(first: Iterable[Result], second: Iterable[Result], agent: str = "") -> list[Pair]:
    """Return the cases of two runs side by side, agent by agent, in the order of tasks.

    Agents go together by label; where each run has one agent only, these two do. Raises SpecError when none do.
    """
    before, after = _by_agent(first), _by_agent(second)
    return [
        Pair(pair, *case, _side(before[pair[0]].get(case, [])), _side(after[pair[1]].get(case, [])))
        for pair in _agents(list(before), list(after), agent)
        for case in sorted({*before[pair[0]], *after[pair[1]]})
    ]


def _by_agent(results: Iterable[Result]) -> dict[str, dict[Case, list[Result]]]:
    found: dict[str, dict[Case, list[Result]]] = defaultdict(lambda: defaultdict(list))
    for result in results:
        key = result.key
        found[key.agent][key.task, key.seed, key.paraphrase].append(result)
    return found


def _agents(first: Sequence[str], second: Sequence[str], wanted: str) -> Iterator[tuple[str, str]]:
    both = sorted({*first} & {*second})
    if wanted:
        both = [label for label in both if label == wanted]
    elif not both and len(first) == len(second) == 1:
        yield first[0], second[0]
        return
    if not both:
        raise SpecError(
            f"the runs have no agent {wanted!r} in common" if wanted else "the runs have no agent in common",
            remedy=f"the first has: {', '.join(first) or '(none)'}; the second has: {', '.join(second) or '(none)'}",
        )
    yield from ((label, label) for label in both)


def _side(results: list[Result]) -> Side | None:
    if not results:
        return None
    scored = [result for result in results if result.score is not None]
    # As far as anybody knows.
    good = [result.clean is not False for result in scored]
    mostly = 2 * sum(good) > len(scored)
    return Side(
        passed=sum(result.passed for result in scored),
        clean=sum(result.clean is True for result in scored),
        unclean=sum(result.passed and result.clean is False for result in scored),
        unknown=sum(bool(result.collateral_unknown) for result in scored),
        scored=len(scored),
        void=sum(result.void for result in results),
        shown=next((result for result, fine in zip(scored, good, strict=True) if fine == mostly), results[0]),
        digests=frozenset(result.digest for result in results),
    )


def plain(pair: Pair, links: tuple[str, str]) -> dict[str, Any]:
    """Return a pair as plain data, with the addresses of both replays."""
    sides = {
        name: None
        if side is None
        else {
            **{name: getattr(side, name) for name in ("passed", "clean", "scored", "void")},
            "clean_unknown": side.unknown,
            "stop": side.shown.stop,
            "episode": side.shown.folder,
            "replay": link,
        }
        for name, side, link in zip(("first", "second"), (pair.first, pair.second), links, strict=True)
    }
    named = ("task", "seed", "paraphrase", "change", "task_changed")
    return {"agents": list(pair.agents), **{name: getattr(pair, name) for name in named}, **sides}
