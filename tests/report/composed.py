"""Made-up results of composed tasks."""

from __future__ import annotations

from typing import Any

from proctor.records import Result
from tests.report.records import result

LEVELS = ("easy", "medium", "hard")


def composed(agent: str, task: str, coverage: float | None, consistency: float | None = None, **fields: Any) -> Result:
    """Return the result of a composed task; void without coverage, and with undefined consistency without any."""
    nodes = fields.pop("nodes", 3)
    labels = {"instruction": LEVELS[(nodes > 2) + (nodes > 4)], "shape": "graph", **fields.pop("labels", {})}
    metrics: dict[str, float] = {}
    if coverage is not None:
        metrics = {"coverage": coverage, "completion": coverage, "result": float(coverage == 1), "action_match": 0.25}
        metrics["instruction"] = float(nodes)
        if consistency is not None:
            metrics |= {"consistency": consistency, "consistency_of_completed": 1.0}
    return result(agent, f"graph/{task}-v1", coverage, labels=labels, metrics=metrics, **fields)
