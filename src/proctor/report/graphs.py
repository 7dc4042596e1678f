"""How much of composed tasks was covered and in what order, by capability, complexity and shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from proctor.graphs.mathematics.capabilities import Capability, profile
from proctor.graphs.mathematics.constraints import Constraint
from proctor.report.cells import Cell, ReportTable
from proctor.report.episodes import Episodes, Mask
from proctor.report.statistics import Mean, mean_of_shares

FIGURES: Mapping[str, str] = {
    "coverage": "coverage rate (CR)",
    "consistency": "logical consistency (LC)",
    "consistency_by_dependencies": "LC as in the paper",
    "consistency_of_completed": "LC of what was completed",
    "completion": "completion ratio",
    "result": "success by the result alone",
    "action_match": "action match score",
    "done_differently": "done differently",
}
"""The figures that stand side by side, by their names in a result."""
SPLIT: Mapping[str, str] = {"coverage": "coverage rate", "consistency": "logical consistency"}
"""Those that are broken down."""
COMPLEXITIES: Mapping[str, str] = {
    "dependency": "edges",
    "branch": "width",
    "instruction": "subtasks",
    "knowledge": "categories",
    "hierarchy": "depth",
}
"""The dimensions of complexity in the order of OmniBench's Table 5, and what each counts."""
LEVELS = ("easy", "medium", "hard")
CAPABILITIES = (
    "parallel-planning", "long-range-planning", "cross-domain-decision-making", "sequential-decision-making",
    "subtask-identification", "dependency-identification", "long-sequence-reasoning", "long-instruction-following",
    "domain-specific-knowledge", "cross-domain-knowledge",
)  # fmt: skip
"""In the order of OmniBench's Table 4."""

_SIZE = "instruction"
"""The figure of a result that says how many subtasks there were."""
_SIDE_BY_SIDE = (
    "Means over scored episodes of composed tasks, with intervals (95 %) clustered by task. Coverage weighs each "
    "completed subtask by its depth, completion counts all alike. Consistency is how often the next completed subtask "
    "was in the same application, over how often that is in the best admitted order; in the paper, over the best order "
    "of the dependencies, even one in which something is lost before it is used. Where no order has any, it is "
    "undefined and the episode is left out of its mean; n=6 says that it is defined in 6. What was done differently, "
    "in another application than the subtask's, counts as completed; consistency goes by the applications that were "
    "seen, the paper's by those that were meant. Coverage and consistency "
    "look at the graph, success at the result alone, and the action match score at how close the actions were to the "
    "answer key's."
)


_MEANINGS: Mapping[str, str] = {
    "disjoint": "The ten capabilities of OmniBench, made disjoint; a task may examine none of them.",
    "paper": "The ten capabilities as in OmniBench's Table 12: a task may examine several, and some are the same set.",
}


def graph_tables(episodes: Episodes, capabilities: str = "disjoint") -> tuple[ReportTable, ...]:
    """Return the tables on composed tasks; none when no composed task was scored."""
    if "coverage" not in episodes.amounts["metrics"]:
        return ()
    return (
        _side_by_side(episodes),
        *(_by_capability(episodes, figure, _masks(episodes, capabilities), capabilities) for figure in SPLIT),
        *(_by_complexity(episodes, figure) for figure in SPLIT),
        _by_shape(episodes),
    )


def abbreviation(capability: str) -> str:
    """Return the initials of a capability, such as LRP."""
    return "".join(word[:1] for word in capability.split("-")).upper()


def _side_by_side(episodes: Episodes) -> ReportTable:
    composed, agents = _composed_mask(episodes), range(len(episodes.agents))
    mine = [composed & (episodes.agent == agent) for agent in agents]
    rows: list[tuple[Cell, ...]] = [
        ("scored episodes", *(int((which & ~episodes.void).sum()) for which in mine)),
        ("void, left out", *(int((which & episodes.void).sum()) for which in mine)),
    ]
    rows += [(title, *(_mean(episodes, figure, which) for which in mine)) for figure, title in FIGURES.items()]
    undefined = np.isnan(_figure(episodes, "consistency")) & ~episodes.void
    rows.append(("LC undefined, left out", *(int((which & undefined).sum()) for which in mine)))
    head = ("figure", *episodes.agents)
    return ReportTable("graphs", "Task graphs", head, tuple(rows), _SIDE_BY_SIDE, len(agents))


def _masks(episodes: Episodes, capabilities: str) -> Mapping[str, Mask]:
    """Return which episodes examine each capability; an episode may examine several of the paper's."""
    if capabilities == "disjoint":
        found = episodes.labels["capability"].names
        known = [name for name in CAPABILITIES if name in found]
        names = (*known, *(name for name in found if name not in CAPABILITIES))
        return {name: episodes.with_label("capability", name) for name in names}
    asked = profile(capabilities)
    masks = {name: _meets(episodes, asked[Capability(name)]) for name in CAPABILITIES}
    return {name: mask for name, mask in masks.items() if mask.any()}


def _meets(episodes: Episodes, constraints: Sequence[Constraint]) -> Mask:
    found = _composed_mask(episodes)
    for one in constraints:
        counts = _figure(episodes, one.dimension)
        found &= (counts >= one.least) & (counts <= (np.inf if one.most is None else one.most))
    return found


def _by_capability(episodes: Episodes, figure: str, masks: Mapping[str, Mask], capabilities: str) -> ReportTable:
    rows: list[tuple[Cell, ...]] = []
    for name, which in masks.items():
        tasks = len(np.unique(episodes.task[which & ~episodes.void]))
        rows.append((name, tasks, *_by_agent(episodes, figure, which)))
    return ReportTable(
        f"graph_capability_{figure}",
        f"Task graphs: {SPLIT[figure]} by capability",
        ("capability", "tasks", *episodes.agents),
        tuple(rows),
        _MEANINGS[capabilities],
        len(episodes.agents),
    )


def _by_complexity(episodes: Episodes, figure: str) -> ReportTable:
    rows: list[tuple[Cell, ...]] = []
    for dimension in COMPLEXITIES:
        levels = [_by_agent(episodes, figure, episodes.with_label(dimension, level)) for level in LEVELS]
        rows += [(dimension, agent, *means) for agent, *means in zip(episodes.agents, *levels, strict=True)]
    counted = ", ".join(f"{dimension}: {what}" for dimension, what in COMPLEXITIES.items())
    return ReportTable(
        f"graph_complexity_{figure}",
        f"Task graphs: {SPLIT[figure]} by complexity",
        ("dimension", "agent", *LEVELS),
        tuple(rows) if any(episodes.labels[dimension].names for dimension in COMPLEXITIES) else (),
        f"What each dimension counts: {counted}. The layout is that of OmniBench's Table 5.",
    )


def _by_shape(episodes: Episodes) -> ReportTable:
    sizes = _figure(episodes, _SIZE)
    chains, graphs = (episodes.with_label("shape", shape) for shape in ("chain", "graph"))
    rows: list[tuple[Cell, ...]] = []
    for size in np.unique(sizes[(chains | graphs) & ~np.isnan(sizes) & ~episodes.void]):
        means = [_by_agent(episodes, "coverage", shape & (sizes == size)) for shape in (chains, graphs)]
        rows += [(int(size), *found) for found in zip(episodes.agents, *means, strict=True)]
    return ReportTable(
        "graph_shapes",
        "Task graphs: coverage rate of chains and graphs",
        ("subtasks", "agent", "chains", "graphs"),
        tuple(rows),
        "A chain has one order; in a graph some subtasks may be done in any order. As in OmniBench's Figure 7, those "
        "with equally many subtasks are compared.",
    )


def _composed_mask(episodes: Episodes) -> Mask:
    """Return which episodes are of composed tasks; void ones have no figures, but they have labels."""
    found = ~np.isnan(_figure(episodes, "coverage"))
    found[episodes.labels["shape"].rows] = True
    return found


def _by_agent(episodes: Episodes, figure: str, which: Mask) -> list[Mean]:
    return [_mean(episodes, figure, which & (episodes.agent == agent)) for agent in range(len(episodes.agents))]


def _mean(episodes: Episodes, figure: str, which: Mask) -> Mean:
    scored = which & ~episodes.void
    values = _figure(episodes, figure)
    defined = scored & ~np.isnan(values)
    task, size = episodes.task[defined], len(episodes.tasks)
    sums = np.bincount(task, weights=np.clip(values[defined], 0.0, 1.0), minlength=size).astype(np.float64)
    return mean_of_shares(sums, np.bincount(task, minlength=size), int(scored.sum()))


def _figure(episodes: Episodes, name: str) -> NDArray[np.float64]:
    return episodes.amounts["metrics"].get(name, np.full(len(episodes), np.nan))
