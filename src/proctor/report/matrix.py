"""OS-MAP's matrix: how broadly an agent performs (scopes S1 to S3) at each automation level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from proctor.report.episodes import SCOPE_PARTS, Episodes
from proctor.taxonomy import DEMANDS

THRESHOLD = 0.5
"""OS-MAP speaks of a performance threshold and names no number; half of the scored episodes is ours."""

SCOPES = ("S1", "S2", "S3")
"""Narrow, within a domain, general."""


@dataclass(frozen=True, slots=True)
class ScopeCell:
    """How far an agent comes in one scope at one level."""

    reached: int
    """Scenarios for S1, domains for S2 and S3, in which it is good enough."""
    examined: int
    holds: bool


@dataclass(frozen=True, slots=True)
class Matrix:
    """One agent's matrix."""

    agent: str
    cells: Mapping[tuple[str, str], ScopeCell]
    """By level and scope, such as `("L2", "S1")`; only levels that were examined."""

    @property
    def levels(self) -> tuple[str, ...]:
        """Which levels were examined."""
        return tuple(sorted({level for level, _ in self.cells}))

    def plain(self) -> dict[str, Any]:
        """Return it as plain data."""
        cells = [
            {"level": level, "scope": scope, "holds": cell.holds, "reached": cell.reached, "examined": cell.examined}
            for (level, scope), cell in self.cells.items()
        ]
        return {"agent": self.agent, "cells": cells}


def explanation(threshold: float) -> str:
    """Return how the matrix is to be read."""
    return (
        f"Threshold: {100 * threshold:g} % of an agent's scored episodes are successes, clean ones where clean success "
        "is compared (OS-MAP names no number). "
        "S1: in at least one scenario. S2: in at least one domain, in two or more of its scenarios and most of those "
        f"examined (in the only one where a domain has one). S3: S2 in most of the {len(DEMANDS)} domains. "
        "Cells count the scenarios (S1) or domains (S2, S3) that reach it; a tick says that the scope holds."
    )


def matrices(episodes: Episodes, threshold: float = THRESHOLD) -> tuple[Matrix, ...]:
    """Return each agent's matrix; no cells when tasks carry no level and demand."""
    passed, scored = episodes.split("scope")
    won, tried = passed.sum(axis=2), scored.sum(axis=2)
    found = []
    for agent, name in enumerate(episodes.agents):
        levels: dict[str, dict[str, dict[str, bool]]] = {}
        for place, label in enumerate(episodes.labels["scope"].names):
            if tried[agent, place]:
                level, domain, scenario = label.split(SCOPE_PARTS)
                good = bool(won[agent, place] >= threshold * tried[agent, place])
                levels.setdefault(level, {}).setdefault(domain, {})[scenario] = good
        cells = {
            (level, scope): cell
            for level, domains in sorted(levels.items())
            for scope, cell in _scopes(domains).items()
        }
        found.append(Matrix(name, cells))
    return tuple(found)


def _scopes(domains: Mapping[str, Mapping[str, bool]]) -> dict[str, ScopeCell]:
    good = sum(sum(scenarios.values()) for scenarios in domains.values())
    examined = sum(len(scenarios) for scenarios in domains.values())
    broad = sum(_broad(domain, scenarios) for domain, scenarios in domains.items())
    return {
        "S1": ScopeCell(good, examined, good > 0),
        "S2": ScopeCell(broad, len(domains), broad > 0),
        "S3": ScopeCell(broad, len(DEMANDS), 2 * broad > len(DEMANDS)),
    }


def _broad(domain: str, scenarios: Mapping[str, bool]) -> bool:
    good = sum(scenarios.values())
    least = min(2, len(DEMANDS.get(domain, ("", ""))))
    return good >= least and 2 * good > len(scenarios)
