"""Answers without a model, beside which a score is seen: chance, habit, the tree, plain reading."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from proctor.errors import SpecError, UnknownName
from proctor.offline.ask import Answerer, ModelReply
from proctor.offline.match_text import TextCandidate, best_match, run_together
from proctor.offline.ocr import PictureTexts, kept_folder
from proctor.offline.sample import CriticSample, GroundSample, IdmSample, OfflineSample, Task
from proctor.store.files import read_packed_json

PREFIX = "baseline:"
BASELINES: dict[Task, tuple[str, ...]] = {
    "ground": ("random", "centre", "tree", "ocr"),
    "idm": ("random", "majority"),
    "critic": ("random", "majority"),
}


def open_baseline(name: str, task: Task, samples: Sequence[OfflineSample], seed: int = 0) -> Answerer:
    """Return a baseline such as `baseline:centre`."""
    short = name.removeprefix(PREFIX)
    if short not in BASELINES[task]:
        raise UnknownName(f"baseline for {task}", short, BASELINES[task])
    made: dict[str, Callable[[], Answerer]] = {
        "random": lambda: ChanceBaseline(seed),
        "centre": Centre,
        "majority": lambda: Majority(samples),
        "tree": lambda: TreeLookup(samples),
        "ocr": Ocr,
    }
    return made[short]()


def _point(x: float, y: float) -> ModelReply:
    return ModelReply(reply=f"({x:.1f}, {y:.1f})")


def _letters(places: Sequence[int]) -> ModelReply:
    return ModelReply(reply="Answer:\n" + "\n".join(chr(ord("A") + place) for place in places))


def _middle(sample: GroundSample) -> ModelReply:
    return _point(sample.size[0] / 2, sample.size[1] / 2)


class ChanceBaseline:
    """Draws lots; the same for the same sample and seed, in whatever order samples come."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def answer(self, sample: OfflineSample) -> ModelReply:
        """Answer anything."""
        draw = random.Random(f"{self._seed}/{sample.id}")
        if isinstance(sample, GroundSample):
            return _point(draw.uniform(0, sample.size[0]), draw.uniform(0, sample.size[1]))
        if isinstance(sample, IdmSample):
            return _letters([draw.randrange(len(sample.options)) for _ in sample.answer])
        return ModelReply(reply=f"Answer: {draw.random() < 0.5}")


class Centre:
    """Points at the middle of every picture."""

    def answer(self, sample: OfflineSample) -> ModelReply:
        """Answer the middle."""
        assert isinstance(sample, GroundSample)
        return _middle(sample)


class Majority:
    """Says what is right most often in this very data, among the same choice or the two verdicts."""

    def __init__(self, samples: Sequence[OfflineSample]) -> None:
        self._actions: dict[tuple[str, ...], Counter[int]] = {}
        self._verdicts: Counter[bool] = Counter()
        for sample in samples:
            if isinstance(sample, IdmSample):
                self._actions.setdefault(sample.options, Counter()).update(sample.answer)
            elif isinstance(sample, CriticSample):
                self._verdicts.update([sample.success])

    def answer(self, sample: OfflineSample) -> ModelReply:
        """Answer what is most common."""
        if isinstance(sample, IdmSample):
            most = self._actions[sample.options].most_common(1)[0][0]
            return _letters([most for _ in sample.answer])
        return ModelReply(reply=f"Answer: {self._verdicts.most_common(1)[0][0]}")


class TreeLookup:
    """Looks names up among the elements that the tree had: an upper bound for what is accessible."""

    def __init__(self, samples: Sequence[OfflineSample]) -> None:
        if not any(isinstance(sample, GroundSample) and sample.elements for sample in samples):
            raise SpecError(
                "no sample of this data says what elements were on the screen",
                remedy="take data of `proctor offline harvest`, or made from a run of an agent that is shown the tree "
                "(`--agent oracle,tree=on`); or baseline:ocr, which reads the picture",
            )
        self._last: tuple[Path | None, list[TextCandidate]] = (None, [])

    def answer(self, sample: OfflineSample) -> ModelReply:
        """Answer the middle of the element that fits best; that of the picture where none does."""
        assert isinstance(sample, GroundSample)
        last = self._last
        if sample.elements != last[0]:
            self._last = last = sample.elements, read_elements(sample.elements) if sample.elements else []
        return _in(best_match(sample.instruction, last[1]), sample)


class Ocr:
    """Reads the picture and points at the text that the instruction speaks of."""

    def __init__(self) -> None:
        self._texts = PictureTexts(kept_folder())

    def answer(self, sample: OfflineSample) -> ModelReply:
        """Answer the middle of the text that fits best; that of the picture where none does."""
        assert isinstance(sample, GroundSample)
        texts = self._texts.of(sample.shot)
        found = best_match(sample.instruction, [*texts, *run_together(sample.instruction, texts)])
        if found is None:
            return _middle(sample)
        said = _in(found, sample)
        # What was read has places on the picture as it is, whatever size its record gives.
        return replace(said, space="pixel", sent=(sample.shot.size,))


def _in(found: TextCandidate | None, sample: GroundSample) -> ModelReply:
    if found is None:
        return _middle(sample)
    left, top, right, bottom = found.box
    return _point((left + right) / 2, (top + bottom) / 2)


def read_elements(path: Path) -> list[TextCandidate]:
    """Return the elements that a file of `proctor offline make` lists; all else is passed over."""
    data = read_packed_json(path)
    found = []
    for each in data if isinstance(data, list) else ():
        box = each.get("box") if isinstance(each, dict) else None
        if isinstance(box, list) and len(box) == 4 and all(isinstance(value, int | float) for value in box):
            x, y, width, height = box
            text = str(each.get("name") or each.get("text") or "")
            found.append(TextCandidate(text, (x, y, x + width, y + height), str(each.get("role") or "")))
    return found
