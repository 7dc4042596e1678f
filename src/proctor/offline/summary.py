"""What came of an offline run: accuracy with its interval, non-answers, each task's figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from proctor.offline.metrics import brier, calibration_error, normalised_distance, per_action
from proctor.offline.record import AskedSample, OfflineRecord, SampleAnswer
from proctor.offline.score import OUTCOMES
from proctor.report.agreement import Confusion
from proctor.report.cells import Cell, Percent, ReportTable
from proctor.report.statistics import Rate, or_none, success_rate

Pair = tuple[AskedSample, SampleAnswer]
MOST_LABELS = 40
"""A breakdown with more values than this says nothing."""


@dataclass(frozen=True)
class Summary:
    """The figures of one offline run."""

    config: dict[str, Any]
    asked: Sequence[AskedSample]
    answers: dict[str, SampleAnswer]

    @classmethod
    def of(cls, record: OfflineRecord) -> Summary:
        """Read a record and sum it up."""
        return cls(record.config, record.samples(), record.answers())

    @property
    def model(self) -> str:
        """Who answered."""
        return str(self.config.get("model", ""))

    @cached_property
    def pairs(self) -> list[Pair]:
        """Samples with a reply, whether an answer was found in it or not."""
        found = ((sample, self.answers.get(sample.id)) for sample in self.asked)
        return [(sample, answer) for sample, answer in found if answer is not None and answer.outcome != "failed"]

    @property
    def outcomes(self) -> dict[str, int]:
        """How often each outcome came, and how many samples were not asked yet."""
        counts = Counter(self.answers[sample.id].outcome for sample in self.asked if sample.id in self.answers)
        return {**{name: counts[name] for name in OUTCOMES}, "not asked": len(self.asked) - sum(counts.values())}

    @property
    def accuracy(self) -> Rate:
        """The share of replies that are right; the unparsed are not, the failed count not at all."""
        return rate(self.pairs)

    @property
    def of_parsed(self) -> Rate:
        """The share of answers that are right, among those that could be understood."""
        return rate([pair for pair in self.pairs if pair[1].outcome != "unparsed"])

    @property
    def cost_usd(self) -> float:
        """What the answers cost, as far as prices are known."""
        return sum(float(call.get("cost_usd") or 0) for answer in self.answers.values() for call in answer.calls)

    def figures(self) -> dict[str, float | None]:
        """Return the figures that only this benchmark has."""
        return {"ground": _ground, "idm": _idm, "critic": _critic}[self.config["task"]](self)

    def breakdowns(self, *, fewest: int = 2) -> dict[str, dict[str, Rate]]:
        """Return the accuracy by each group and value, but for groups of fewer values or very many."""
        groups: dict[str, dict[str, list[Pair]]] = {}
        for pair in self.pairs:
            for group, values in pair[0].groups.items():
                for value in [values] if isinstance(values, str) else values:
                    groups.setdefault(group, {}).setdefault(value, []).append(pair)
        useful = {name: found for name, found in groups.items() if fewest <= len(found) <= MOST_LABELS}
        return {name: {value: rate(pairs) for value, pairs in sorted(found.items())} for name, found in useful.items()}

    def hints(self) -> list[str]:
        """Return what a user should look at before believing the figures."""
        found, outcomes, total = [], self.outcomes, max(len(self.pairs), 1)
        if outcomes["outside"] / total > 0.1:
            found.append(
                f"{outcomes['outside']} of {total} points lie beyond their pictures when read "
                f"as {self.config.get('space')!r}: it may answer in another space; `proctor offline calibrate` tells"
            )
        if (corner := sum(_in_corner(*pair) for pair in self.pairs)) / total > 0.1:
            found.append(
                f"{corner} of {total} points lie in the first hundredth of their pictures, across and down, when read "
                f"as {self.config.get('space')!r}: it may answer from 0 to 1; `proctor offline calibrate` tells"
            )
        if outcomes["unparsed"] / total > 0.1:
            found.append(f"{outcomes['unparsed']} of {total} replies contain no answer: look at them first")
        if outcomes["failed"]:
            found.append(f"{outcomes['failed']} samples have no reply; repeat the command to ask them again")
        if outcomes["not asked"]:
            found.append(f"{outcomes['not asked']} samples have not been asked yet; repeat the command to continue")
        if left_out := self.config.get("left_out"):
            found.append(
                f"{left_out:,} of the {self.config['records']:,} records of the set are left out, because nobody could "
                "answer them or they repeat others; papers count them too: --keep all"
            )
        guessed = sum("(guessed)" in answer.how for answer in self.answers.values())
        if guessed:
            found.append(f"the space of {guessed} answers was guessed; --space says it")
        return found

    def plain(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            "task": self.config["task"],
            "model": self.model,
            "config": self.config,
            **plain_rate(self.accuracy),
            "accuracy_of_parsed": self.of_parsed.value,
            "records": self.config.get("records"),
            "outcomes": self.outcomes,
            "figures": self.figures(),
            "by": {
                name: {value: plain_rate(rate) for value, rate in values.items()}
                # A program that reads this looks for what it knows to be there, such as texts alone.
                for name, values in self.breakdowns(fewest=1).items()
            },
            "hints": self.hints(),
            "cost_usd": round(self.cost_usd, 6),
        }


def plain_rate(found: Rate) -> dict[str, Any]:
    """Return an accuracy as plain data."""
    return {
        "accuracy": found.value,
        "interval": list(found.interval),
        "right": found.passed,
        "answered": found.episodes,
        "clusters": found.tasks,
    }


def rate(pairs: Iterable[Pair]) -> Rate:
    """Return the share of right answers; samples of one picture or task are repeats of each other."""
    won, tried = Counter[str](), Counter[str]()
    for sample, answer in pairs:
        cluster = sample.cluster or sample.id
        tried[cluster] += 1
        won[cluster] += answer.outcome == "right"
    return success_rate(
        np.array([won[name] for name in tried], dtype=np.int64), np.array([*tried.values()], dtype=np.int64)
    )


def _in_corner(sample: AskedSample, answer: SampleAnswer) -> bool:
    """Tell whether a wrong point lies where numbers from 0 to 1 do when taken for something larger."""
    if answer.outcome != "wrong" or "target" not in sample.truth or not isinstance(answer.parsed, list):
        return False
    return all(0 <= at <= side / 100 for at, side in zip(answer.parsed, sample.truth["size"], strict=True))


def _ground(summary: Summary) -> dict[str, float | None]:
    missed = [answer.distance for _, answer in summary.pairs if answer.distance]
    refusals = [answer for sample, answer in summary.pairs if sample.truth["target"]["kind"] == "refusal"]
    found: dict[str, float | None] = {"median_distance_of_misses_px": median(missed) if missed else None}
    if refusals:
        found["refusals_right"] = sum(answer.outcome == "right" for answer in refusals) / len(refusals)
    return found


def _idm(summary: Summary) -> dict[str, float | None]:
    pairs = summary.pairs
    by_chance = [prod(1 / len(sample.truth["options"]) for _ in sample.truth["answer"]) for sample, _ in pairs]
    found: dict[str, float | None] = {
        "majority_baseline": _mean(_majority([sample for sample, _ in pairs])),
        "random_baseline": _mean(by_chance),
    }
    several = [(sample, answer) for sample, answer in pairs if sample.truth["several"]]
    if several:
        # Where there is no answer, every action of the truth has to be put in.
        said = [(sample.truth["answer"], answer.parsed or []) for sample, answer in several]
        edits = [answer.distance if answer.parsed else len(sample.truth["answer"]) for sample, answer in several]
        found["edit_distance"] = _mean(float(each or 0) for each in edits)
        found["normalised_edit_distance"] = _mean(normalised_distance(*each) for each in said)
        found["sequences_exact"] = _mean(float(answer.outcome == "right") for _, answer in several)
    return found


def _majority(samples: Sequence[AskedSample]) -> list[float]:
    counts: dict[tuple[str, ...], Counter[str]] = {}
    for sample in samples:
        counts.setdefault(tuple(sample.truth["options"]), Counter()).update(sample.truth["answer"])
    most = {options: found.most_common(1)[0][0] for options, found in counts.items()}
    return [float(set(each.truth["answer"]) == {most[tuple(each.truth["options"])]}) for each in samples]


def confusion(summary: Summary, *, parsed: bool = False) -> Confusion:
    """Return how often success and failure were taken for each other.

    A reply that says neither counts as the wrong one, as CriticBench counts it, so that the accuracy is the same as
    that of the run; among `parsed` replies it is left out.
    """
    pairs = [
        (bool(sample.truth["success"]), answer.parsed)
        for sample, answer in summary.pairs
        if answer.parsed is not None or not parsed
    ]
    said = [not truth if answer is None else bool(answer) for truth, answer in pairs]
    return Confusion.of([truth for truth, _ in pairs], said)


def _critic(summary: Summary) -> dict[str, float | None]:
    found = confusion(summary)
    figures: dict[str, float | None] = {
        name: or_none(getattr(found, name)) for name in ("precision", "recall", "f1", "kappa")
    }
    figures["balanced_accuracy"] = or_none(found.balanced_accuracy)
    if any(answer.parsed is None for _, answer in summary.pairs):
        understood = confusion(summary, parsed=True)
        figures |= {f"{name}_of_parsed": or_none(getattr(understood, name)) for name in ("precision", "recall", "f1")}
    truths = [bool(sample.truth["success"]) for sample, _ in summary.pairs]
    figures["majority_baseline"] = max(truths.count(True), truths.count(False)) / len(truths) if truths else None
    figures["random_baseline"] = 0.5 if truths else None
    sure = [pair for pair in summary.pairs if pair[1].confidence is not None and pair[1].parsed is not None]
    if sure:
        confidences = [float(answer.confidence or 0) for _, answer in sure]
        chances = [sure if answer.parsed else 1 - sure for (_, answer), sure in zip(sure, confidences, strict=True)]
        figures["confidence_given"] = len(sure) / len(summary.pairs)
        figures["brier"] = or_none(brier([bool(sample.truth["success"]) for sample, _ in sure], chances))
        right = [answer.outcome == "right" for _, answer in sure]
        figures["calibration_error"] = or_none(calibration_error(right, confidences))
    return figures


def _mean(values: Iterable[float]) -> float | None:
    listed = list(values)
    return sum(listed) / len(listed) if listed else None


def tables(summaries: Sequence[Summary], names: Sequence[str]) -> list[ReportTable]:
    """Return the tables of runs: what came out, the figures, and the accuracy by each group."""
    named = (*OUTCOMES, "not asked")
    outcomes = [name for name in named if name == "right" or any(each.outcomes[name] for each in summaries)]
    rows: list[tuple[Cell, ...]] = [
        (name, each.accuracy, each.of_parsed, *(each.outcomes[outcome] for outcome in outcomes))
        for name, each in zip(names, summaries, strict=True)
    ]
    note = "; ".join(f"{name}: {OUTCOMES[name]}" for name in OUTCOMES if name in outcomes and name != "right")
    found = [ReportTable("outcomes", "", ("model", "accuracy", "of parsed", *outcomes), tuple(rows), note)]
    figures = [each.figures() for each in summaries]
    listed = list(dict.fromkeys(name for each in figures for name in each))
    if listed:
        cells = tuple((name.replace("_", " "), *(_cell(name, each.get(name)) for each in figures)) for name in listed)
        found.append(ReportTable("figures", "Figures", ("figure", *names), cells, agents=len(names)))
    if any(each.config["task"] == "idm" for each in summaries):
        found += [_actions(each, name) for each, name in zip(summaries, names, strict=True)]
    breakdowns = [each.breakdowns() for each in summaries]
    for group in dict.fromkeys(group for each in breakdowns for group in each):
        found.append(_breakdown(group, [each.get(group, {}) for each in breakdowns], names))
    return found


def _breakdown(group: str, columns: Sequence[dict[str, Rate]], names: Sequence[str]) -> ReportTable:
    values = sorted({value for column in columns for value in column})
    counts = [next(column[value].episodes for column in columns if value in column) for value in values]
    rows = tuple(
        (value, count, *(column.get(value) for column in columns)) for value, count in zip(values, counts, strict=True)
    )
    return ReportTable(f"by_{group}", f"Accuracy by {group}", (group, "samples", *names), rows, agents=len(names))


def _actions(summary: Summary, name: str) -> ReportTable:
    truths = [sample.truth["answer"] for sample, _ in summary.pairs]
    found = per_action(truths, [answer.parsed or [] for _, answer in summary.pairs])
    rows = tuple((each.action, each.times, Percent(each.precision), Percent(each.recall)) for each in found)
    head = ("action", "times", "precision", "recall")
    return ReportTable("by_action", f"Actions, place by place: {name}", head, rows)


_NO_SHARES = ("median_distance_of_misses_px", "kappa", "brier", "edit_distance")


def _cell(name: str, value: float | None) -> Cell:
    return Percent(value) if value is not None and name not in _NO_SHARES else value


def short_names(summaries: Sequence[Summary]) -> list[str]:
    """Return what stands for each run in a table: its model, and its data where models repeat."""
    models = [each.model for each in summaries]
    return [
        model if models.count(model) == 1 else f"{model} on {Path(str(each.config.get('data', ''))).name}"
        for model, each in zip(models, summaries, strict=True)
    ]
