"""The parts of a proposed task, each written by another asking, and the task they make."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from proctor.tasks.call import Call, plain
from proctor.tasks.model import PlainModel, Text
from proctor.tasks.provenance import NamedResource, Provenance

Writer = Literal["propose", "moves", "route", "verdict", "foreign"]
"""Who writes what: the words and the start, two keys, the check, and the near misses."""
ROUTE = "by another route"
"""What the second key is called in a task."""
SUITE = "synth"
LEAST_STEPS = 50


class ProposedTask(PlainModel):
    """What is asked, what it begins with, and what it takes and gives."""

    name: Annotated[str, Field(pattern="^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)]
    instruction: Annotated[str, Field(min_length=20, max_length=1500)]
    paraphrases: Annotated[tuple[Text, ...], Field(min_length=1, max_length=4)]
    demand: str
    takes: Annotated[tuple[NamedResource, ...], Field(max_length=8)] = ()
    gives: Annotated[tuple[NamedResource, ...], Field(min_length=1, max_length=8)]
    setup: Annotated[tuple[Call, ...], Field(min_length=1, max_length=20)]


class WrittenKey(PlainModel):
    """Moves that do the task."""

    moves: Annotated[tuple[Call, ...], Field(min_length=1, max_length=60)]


class WrittenVerdict(PlainModel):
    """How the result is judged, and what may change."""

    check: Call
    expected: Annotated[tuple[Text, ...], Field(max_length=20)] = ()


class WrittenMiss(PlainModel):
    """A tempting way to get it wrong."""

    name: Annotated[str, Field(min_length=3, max_length=120)]
    moves: Annotated[tuple[Call, ...], Field(min_length=1, max_length=60)]


class WrittenMisses(PlainModel):
    """Several of them."""

    near_misses: Annotated[tuple[WrittenMiss, ...], Field(min_length=2, max_length=6)]


@dataclass(frozen=True, kw_only=True)
class TaskParts:
    """Everything of one proposal."""

    app: str
    proposal: ProposedTask
    moves: WrittenKey
    """The key by moves of a person."""
    route: WrittenKey
    """The key by any route."""
    verdict: WrittenVerdict
    misses: WrittenMisses

    def data(self, name: str, provenance: Provenance, scores: dict[str, float] | None = None) -> dict[str, Any]:
        """Return the task as a task file has it.

        Args:
            name: Its name in the suite.
            provenance: Where it comes from.
            scores: What near misses scored that are given a part of the credit, by their names.
        """
        proposal = self.proposal
        domain, scenario, demand = proposal.demand.split("/")
        known = scores or {}
        near: list[dict[str, object]] = [
            {"name": miss.name, "moves": plain_calls(miss.moves), "score": known.get(miss.name, 0.0)}
            for miss in self.misses.near_misses
        ]
        return {
            "id": f"{SUITE}/{name}-v1",
            "instruction": proposal.instruction,
            "paraphrases": list(proposal.paraphrases),
            "setup": plain_calls(proposal.setup),
            "check": self.verdict.check.to_json(),
            "expected": list(self.verdict.expected),
            "solution": plain_calls(self.moves.moves),
            "other_ways": [{"name": ROUTE, "moves": plain_calls(self.route.moves)}],
            "near_misses": near,
            "tags": {"apps": [self.app], "level": 2, "domain": domain, "scenario": scenario, "demand": demand},
            "limits": {"steps": max(LEAST_STEPS, 3 * len(self.moves.moves))},
            "provenance": provenance.model_dump(mode="json"),
        }


def plain_calls(calls: tuple[Call, ...]) -> list[object]:
    """Return calls as plain data."""
    return [plain(call) for call in calls]
