"""Putting a run together from what a user says: which data, and how they are asked."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from proctor.offline.ask import Answerer
from proctor.offline.baselines import open_baseline
from proctor.offline.loaders.load import load
from proctor.offline.open_model import WayOfAsking, answerers
from proctor.offline.record import data_digest
from proctor.offline.sample import Data, GroundSample, Keep, OfflineSample, Task
from proctor.version import VERSION


@dataclass(frozen=True, kw_only=True, slots=True)
class SampleSource:
    """Which samples of which data."""

    data: Path
    form: str = ""
    boxes: str = ""
    images: Path | None = None
    split: str = ""
    last: int = 5
    keep: Keep = "answerable"
    limit: int | None = None
    """Only so many, drawn by the seed."""


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """A run that can begin."""

    data: Data
    samples: Sequence[OfflineSample]
    config: dict[str, object]
    open_answerer: Callable[[], Answerer]


def prepare(task: Task, source: SampleSource, way: WayOfAsking) -> Prepared:
    """Read the data, open the model once, and say what the run is; raises SpecError."""
    how = way.config(task)
    found = read(task, source)
    samples = _draw_samples(found.samples, source.limit, way.seed)
    config: dict[str, object] = {
        "task": task,
        "data": str(source.data),
        "digest": data_digest(found),
        "form": found.form,
        "boxes": found.boxes,
        "split": source.split,
        "samples": len(samples),
        "records": found.records,
        "left_out": len(found.defects),
        # Records of before had no such choice.
        **({"keep": source.keep} if source.keep == "all" else {}),
        "version": VERSION,
        **({} if task == "ground" else {"last": source.last}),
        **how,
    }
    if way.baseline:
        answerer = open_baseline(way.model, task, found.samples, way.seed)
        return Prepared(data=found, samples=samples, config=config, open_answerer=lambda: answerer)
    may_refuse = any(isinstance(each, GroundSample) and each.target.kind == "refusal" for each in found.samples)
    return Prepared(
        data=found, samples=samples, config=config, open_answerer=answerers(task, way, may_refuse=may_refuse)
    )


def read(task: Task, source: SampleSource) -> Data:
    """Read the data that a source names; raises SpecError."""
    return load(
        task,
        source.data,
        form=source.form,
        boxes=source.boxes,
        images=source.images,
        last=source.last,
        split=source.split,
        keep=source.keep,
    )


def _draw_samples(samples: Sequence[OfflineSample], limit: int | None, seed: int) -> Sequence[OfflineSample]:
    if limit is None or limit >= len(samples):
        return samples
    places = sorted(random.Random(seed).sample(range(len(samples)), limit))
    return [samples[place] for place in places]
