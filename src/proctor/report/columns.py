"""From the lines of an index to columns in one pass: 100,000 episodes in seconds, little memory."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proctor.records.result import HUMAN_SECONDS
from proctor.report.episodes import DIMENSIONS, GRAPH_LABELS, SCOPE_PARTS, Episodes, Labels, keep_places
from proctor.report.reasons import first_line
from proctor.taxonomy import DEMANDS

Row = Mapping[str, Any]
"""A line of the index: what `Result.to_json` wrote, defaults left out."""

_FIGURES = (
    "steps", "seconds", "agent_seconds", "input_tokens", "cached_tokens", "cache_write_tokens", "output_tokens",
    "cost_usd", "stale",
)  # fmt: skip
AMOUNTS = {
    "collateral": 0.0, "flags": 0.0, "metrics": float("nan"), "events": 0.0, "disturbed": float("nan"),
    "recovered": 0.0, "recovery": 0.0, "costs": float("nan"),
}  # fmt: skip
"""What is counted under names of its own, and what an episode has that says nothing of a name."""
_TRAITS = ("apps", "level", "demand", "feasible", "labels")
"""What tells tasks apart of which no digest is known."""
GAME, HACKER = "game", "hacker"
"""The goal of an agent that tries to score without doing the work, and ours by name: it is one even if all was void."""
_EXAMPLE = 300
"""Characters kept of an error message: agents and programs under examination may have written it."""


def gather(runs: Iterable[Iterable[Row]], apart: Sequence[str] | None = None) -> Episodes:
    """Put the results of runs together; the same episode in two runs is two attempts at it.

    With `apart`, the runs' names, an agent that several runs have is one agent for each of them.
    """
    columns = Columns(apart)
    for run, rows in enumerate(runs):
        for row in rows:
            columns.add(run, row)
    return columns.episodes()


class Columns:
    """Columns while they are read: flat arrays of numbers.

    Of several tries at an episode the last one counts. What belongs to a task's content, such as its applications,
    is read once for each digest and not for each episode.
    """

    def __init__(self, apart: Sequence[str] | None = None) -> None:
        self._apart = apart
        self._numbers = {
            name: defaultdict[Any, int](count().__next__)
            for name in ("agent", "task", "case", "attempt", "variant", "stop", "cause", "modes", "strategy")
        }
        self._codes = {name: array("q") for name in self._numbers}
        self._paraphrases = array("q")
        self._scores = array("d")
        self._figures = {name: array("d") for name in _FIGURES}
        self._amounts: dict[str, dict[str, dict[int, float]]] = {name: {} for name in AMOUNTS}
        self._traits: list[dict[str, tuple[str, ...]]] = []
        self._settings: dict[tuple[int, str], dict[str, str]] = {}
        self._dirty: set[int] = set()
        self._unknown: set[int] = set()
        self._unjudged: set[int] = set()
        self._gaming: set[tuple[int, str]] = set()
        self._twins: dict[str, str] = {}
        self._errors: dict[str, str] = {}
        self._besides: dict[int, tuple[str, ...]] = {}
        self._checkpoints: dict[int, dict[str, bool]] = {}
        self._last: dict[tuple[int, ...], tuple[int, int]] = {}
        self._replaced: list[int] = []
        self._records: list[tuple[int, str, int]] = []
        self._said: dict[int, str] = {}

    def add(self, run: int, row: Row) -> None:
        """Add a line; raises KeyError, TypeError or ValueError when it is not a result."""
        place = len(self._scores)
        task, agent, paraphrase = _name_of(row), row["agent"], row.get("paraphrase", 0)
        score = row.get("score")
        case = self._code("case", (task, row.get("seed", 0), paraphrase))
        agent_of = (run if self._apart else 0, agent)
        who = self._code("agent", agent_of)
        self._code("task", task)
        self._code("attempt", (run, row.get("seed", 0), paraphrase, row.get("sample", 0)))
        self._code("strategy", row.get("strategy", ""))
        if row.get("goal") == GAME or agent.partition(",")[0] == HACKER:
            self._gaming.add(agent_of)
        if any(row.get("collateral", {}).values()):
            self._dirty.add(place)
            self._besides[place] = tuple(map(str, row.get("besides", ())))
        if row.get("unjudged") and score is None and row.get("stop") != "void":
            self._unjudged.add(place)
        if row.get("collateral_unknown"):
            self._unknown.add(place)
        if row.get("twin"):
            self._twins[task] = row["twin"]
        self._code("variant", self._variant(task, row))
        self._code("stop", row.get("stop", "done"))
        self._code("cause", (row.get("cause") or "unknown") if score is None and place not in self._unjudged else "")
        self._code("modes", tuple(row.get("modes", ())))
        self._paraphrases.append(paraphrase)
        self._scores.append(float("nan") if score is None else score)
        for name, column in self._figures.items():
            column.append(row.get(name) or 0.0)
        # What a person took to decide and act is not the agent's.
        self._figures["seconds"][place] -= row.get("metrics", {}).get(HUMAN_SECONDS, 0.0)
        if row.get("cost_usd") is None and row.get("calls", 0):
            self._figures["cost_usd"][place] = float("nan")
        if row.get("stale") is None:  # records of earlier versions do not tell
            self._figures["stale"][place] = float("nan")
        for kind, found in self._amounts.items():
            for name, amount in row.get(kind, {}).items():
                found.setdefault(name, {})[place] = float(amount)
        self._settings.setdefault(agent_of, row.get("settings", {}))
        self._note_words(place, row)
        self._records.append((run, str(row.get("folder", "")), row.get("retry", 0) + 1))
        self._replace((run, who, case, row.get("sample", 0)), row.get("retry", 0), place)

    def _note_words(self, place: int, row: Row) -> None:
        """Note the checkpoints of a line, and what it says went wrong."""
        if held := row.get("checkpoints"):
            self._checkpoints[place] = {str(name): holds is True for name, holds in held.items()}
        if row.get("error"):
            self._said[place] = first_line(str(row["error"]))[:_EXAMPLE]
            self._errors.setdefault(str(row.get("cause") or "agent"), str(row["error"])[:_EXAMPLE])

    def _code(self, column: str, value: Any) -> int:
        code = self._numbers[column][value]
        self._codes[column].append(code)
        return code

    def _variant(self, task: str, row: Row) -> tuple[str, str]:
        """Return what identifies a task's content, and note its traits when it is new."""
        variant = (task, row.get("digest") or str([row.get(name) for name in _TRAITS]))
        if variant not in self._numbers["variant"]:
            level, graph = row.get("level", 0), row.get("labels", {})
            self._traits.append({
                "suite": (task.partition("/")[0],),
                "app": tuple(row.get("apps", ())),
                "category": tuple(row.get("categories", ())),
                "level": (f"L{level}",) if level else (),
                "scope": _scope(level, row.get("domain"), row.get("scenario")),
                "feasible": ("feasible" if row.get("feasible", True) else "infeasible",),
                **{name: (row[name],) if row.get(name) else () for name in ("domain", "scenario", "demand")},
                **{name: (str(graph[name]),) if graph.get(name) else () for name in GRAPH_LABELS},
            })  # fmt: skip
        return variant

    def _replace(self, key: tuple[int, ...], retry: int, place: int) -> None:
        before = self._last.get(key)
        if before is None or retry >= before[0]:
            self._last[key] = (retry, place)
        if before is not None:
            self._replaced.append(min(before, (retry, place))[1])

    def episodes(self) -> Episodes:
        """Return the columns of all that was added."""
        kept = np.ones(len(self._scores), dtype=bool)
        kept[self._replaced] = False
        codes = {name: np.array(column)[kept] for name, column in self._codes.items()}
        labels_of = self._agents()
        agents, agent = _alphabetical(list(labels_of), np.array(self._codes["agent"]))
        tasks, task = _alphabetical(list(self._numbers["task"]), codes["task"])
        labels = {
            name: _labels(codes["variant"], [traits[name] for traits in self._traits])
            for name in (*DIMENSIONS, *GRAPH_LABELS, "scope")
        }
        labels["stop"] = _labels(codes["stop"], [(name,) for name in self._numbers["stop"]])
        labels["cause"] = _labels(codes["cause"], [(name,) if name else () for name in self._numbers["cause"]])
        labels["strategy"] = _labels(codes["strategy"], [(name,) if name else () for name in self._numbers["strategy"]])
        labels["mode"] = _labels(codes["modes"], list(self._numbers["modes"]))
        return Episodes(
            agents=agents,
            tasks=tasks,
            agent=agent[kept],
            task=task,
            case=codes["case"],
            attempt=codes["attempt"],
            paraphrase=np.array(self._paraphrases)[kept],
            score=np.array(self._scores)[kept],
            figures={name: np.array(column)[kept] for name, column in self._figures.items()},
            labels=labels,
            amounts={name: self._dense(name, missing, kept) for name, missing in AMOUNTS.items()},
            settings=tuple(self._settings[labels_of[label]] for label in agents),
            errors=self._errors,
            besides=keep_places(self._besides, kept),
            said=keep_places(self._said, kept),
            checkpoints=keep_places(self._checkpoints, kept),
            records=[record for record, keep in zip(self._records, kept, strict=True) if keep],
            clean=self._clean()[kept],
            known=self._without(self._unknown)[kept],
            judged=self._without(self._unjudged)[kept],
            gaming=tuple(labels_of[label] in self._gaming for label in agents),
            twin=tuple(self._twins.get(name, "") for name in tasks),
            retried=np.bincount(agent[self._replaced], minlength=len(agents)),
        )

    def _clean(self) -> NDArray[np.bool_]:
        return (np.array(self._scores) >= 1.0) & self._without(self._dirty | self._unknown)

    def _without(self, places: set[int]) -> NDArray[np.bool_]:
        found = np.ones(len(self._scores), dtype=bool)
        found[sorted(places)] = False
        return found

    def _agents(self) -> dict[str, tuple[int, str]]:
        """Return agents by the labels that they are shown under, with the run where several have one."""
        found = list(self._numbers["agent"])
        runs = Counter(label for _, label in found)
        if not self._apart:
            return {label: (run, label) for run, label in found}
        return {f"{self._apart[run]}: {label}" if runs[label] > 1 else label: (run, label) for run, label in found}

    def _dense(self, kind: str, missing: float, kept: NDArray[np.bool_]) -> dict[str, NDArray[np.float64]]:
        found = {}
        for name, amounts in sorted(self._amounts[kind].items()):
            column = np.full(len(kept), missing)
            column[list(amounts)] = list(amounts.values())
            found[name] = column[kept]
        return found


def _name_of(row: Row) -> str:
    """Return what a task is called: one that was begun in its middle is another."""
    task, begin = row["task"], row.get("begin_after", "")
    if not isinstance(task, str) or not isinstance(begin, str):
        raise TypeError(f"a task has no name: {task!r}")
    return f"{task} after “{begin}”" if begin else task


def _scope(level: int, domain: str | None, scenario: str | None) -> tuple[str, ...]:
    # The matrix is OS-MAP's: tasks that are classified by another tree have no place in it.
    known = domain is not None and scenario in DEMANDS.get(domain, ())
    return (SCOPE_PARTS.join((f"L{level}", domain or "", scenario or "")),) if level and known else ()


def _alphabetical(names: Sequence[str], codes: NDArray[np.int64]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    order = sorted(range(len(names)), key=names.__getitem__)
    place = np.zeros(len(names), dtype=np.int64)
    place[order] = np.arange(len(names))
    return tuple(names[number] for number in order), place[codes]


def _labels(codes: NDArray[np.int64], carried: Sequence[Sequence[str]]) -> Labels:
    """Return which episodes carry which labels, from what each code carries; only labels that occur."""
    used = set(np.unique(codes).tolist())
    carried = [labels if code in used else () for code, labels in enumerate(carried)]
    names = sorted({label for labels in carried for label in labels})
    number = {name: place for place, name in enumerate(names)}
    flat = np.array([number[label] for labels in carried for label in labels], dtype=np.int64)
    sizes = np.array([len(labels) for labels in carried], dtype=np.int64)
    if not len(codes) or not len(flat):
        return Labels(tuple(names), np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    begins = np.cumsum(sizes) - sizes
    times = sizes[codes]
    ends = np.cumsum(times)
    within = np.arange(ends[-1]) - np.repeat(ends - times, times)
    return Labels(tuple(names), np.repeat(np.arange(len(codes)), times), flat[np.repeat(begins[codes], times) + within])
