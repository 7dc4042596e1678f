"""What the large sets are to have, whose episodes they are made from, and what a made one has."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

GOALS: dict[str, dict[str, int]] = {
    "ground": {"samples": 5_000, "applications": 30},
    "idm": {"transitions": 500, "sequences": 150},
    "critic": {"trajectories": 300},
}
AGENTS = {"idm": ("oracle,tree=on",), "critic": ("oracle", "oracle,miss=1")}
"""Whose episodes it is made from: answer keys, and of the near misses that come with every task as many as there are
successes, since others would be left out for balance."""
SEEDS = {"idm": 1, "critic": 2}
"""Variants of each task of core that are enough: an attempt has many transitions, and is one success or failure."""


def shortfalls(name: str, has: dict[str, int]) -> list[str]:
    """Return what a set has less of than it is to have."""
    return [f"{has[what]} {what} where {least} are wanted" for what, least in GOALS[name].items() if has[what] < least]


def counts_of(folder: Path, name: str) -> dict[str, int]:
    """Return what a made set has of that which its goals speak of."""
    lines = (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    rows: list[dict[str, object]] = [json.loads(line) for line in lines]
    if name == "ground":
        return {"samples": len(rows), "applications": len({row["application"] for row in rows})}
    if name == "critic":
        sides = Counter(bool(row["is_success"]) for row in rows)
        return {"trajectories": len(rows), "successes": sides[True], "failures": sides[False]}
    several = sum("actions" in row for row in rows)
    return {"transitions": len(rows) - several, "sequences": several}
