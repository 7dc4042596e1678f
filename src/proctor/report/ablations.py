"""What difference one thing makes: an option in which agents differ, or the wording of tasks."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from proctor.report.cells import Cell, Chance, Difference, Percent, ReportTable
from proctor.report.episodes import Episodes
from proctor.report.statistics import Counts, Rate, pair, success_rate

_UNSET = "(not set)"


def ablations(episodes: Episodes) -> tuple[ReportTable, ...]:
    """Return a table for each setting that varies while agent and all other settings stay the same."""
    return tuple(
        _ablation(episodes, setting, members)
        for setting in sorted({name for settings in episodes.settings for name in settings})
        for members in _families(episodes, setting)
    )


def _families(episodes: Episodes, setting: str) -> list[list[int]]:
    families: dict[tuple[str, ...], list[int]] = {}
    for agent, (label, settings) in enumerate(zip(episodes.agents, episodes.settings, strict=True)):
        rest = (f"{name}={value}" for name, value in sorted(settings.items()) if name != setting)
        families.setdefault((label.partition(",")[0], *rest), []).append(agent)
    values = [settings.get(setting) for settings in episodes.settings]
    return [family for family in families.values() if len({values[agent] for agent in family}) > 1]


def _ablation(episodes: Episodes, setting: str, members: Sequence[int]) -> ReportTable:
    won, clean, success = (episodes.by_task(measure) for measure in ("won", "clean", "success"))
    value = {agent: episodes.settings[agent].get(setting, _UNSET) for agent in members}
    first, *others = sorted(members, key=lambda agent: _natural(value[agent]))

    def rate(agent: int) -> Rate:
        return episodes.rates(_of(clean, agent), _of(success, agent))

    rows: list[tuple[Cell, ...]] = [(value[first], rate(first), None, None)]
    for agent in others:
        against = pair(_of(won, agent), _of(won, first))
        difference = None if against.difference is None else Difference(against.difference, against.interval)
        rows.append((value[agent], rate(agent), difference, Chance(against.p)))
    name = episodes.agents[first].partition(",")[0]
    fixed = ", ".join(f"{key}={kept}" for key, kept in sorted(episodes.settings[first].items()) if key != setting)
    note = (
        f"{name}{' with ' + fixed if fixed else ''}. Differences in points, on common tasks, to the first line; "
        "p is for each line alone."
    )
    rest = ("success", "difference", "p")
    # An option may have any name, and a column of the same name would take its place in what programs read.
    head = (f"option {setting}" if setting in rest else setting, *rest)
    return ReportTable(f"ablation_{setting}", f"What {setting} changes", head, tuple(rows), note)


def _of(counts: tuple[Counts, Counts], agent: int) -> tuple[Counts, Counts]:
    return counts[0][agent], counts[1][agent]


def _natural(text: str) -> list[tuple[int, float, str]]:
    """Return what sorts `2` before `10` and words by the alphabet."""
    parts = re.split(r"(\d+)", text)
    return [(0, float(part), "") if part.isdigit() else (1, 0.0, part) for part in parts if part]


def paraphrases(episodes: Episodes) -> ReportTable:
    """Return success by wording, and its deviation over wordings of a task; no rows without any."""
    wordings = np.unique(episodes.paraphrase)
    rows: list[tuple[Cell, ...]] = []
    for agent, name in enumerate(episodes.agents) if len(wordings) > 1 else ():
        shape = (len(wordings), len(episodes.tasks))
        mine = (episodes.agent == agent) & episodes.comparable
        cells = np.searchsorted(wordings, episodes.paraphrase) * shape[1] + episodes.task
        size = shape[0] * shape[1]
        passed = np.bincount(cells[mine & episodes.successes], minlength=size).reshape(shape)
        scored = np.bincount(cells[mine], minlength=size).reshape(shape)
        several = (scored > 0).sum(axis=0) > 1
        with np.errstate(invalid="ignore"):
            spread = np.nanstd(np.where(scored > 0, passed / scored, np.nan)[:, several], axis=0)
        sensitivity = Percent(spread.mean()) if several.any() else None
        rates = (success_rate(passed[place], scored[place]) for place in range(len(wordings)))
        rows.append((name, sensitivity, int(several.sum()), *rates))
    wording = ("as written" if number == 0 else f"paraphrase {number}" for number in wordings.tolist())
    note = (
        "Sensitivity is OmniBench's: the standard deviation of a task's clean success over its wordings, in points, "
        "averaged over tasks with more than one."
    )
    return ReportTable(
        "paraphrases", "Sensitivity to wording", ("agent", "sensitivity", "tasks", *wording), tuple(rows), note
    )
