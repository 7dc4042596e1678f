"""Five targets on a picture tell whether coordinates are scaled, shifted or in another space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot
from statistics import median
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from proctor.observations.encode import png
from proctor.offline.answers.points import find_point
from proctor.offline.answers.spaces import SPACES, Size, from_pixel, to_pixel
from proctor.offline.ask import Answerer
from proctor.offline.sample import GroundSample, Shot
from proctor.offline.target import AnswerTarget

PLACES = {
    "red": ((0.12, 0.18), (200, 30, 30)),
    "blue": ((0.83, 0.22), (30, 60, 200)),
    "green": ((0.31, 0.55), (20, 140, 60)),
    "black": ((0.71, 0.68), (20, 20, 20)),
    "orange": ((0.18, 0.87), (235, 130, 20)),
}
"""Where each target is, as shares of width and height: no two share a row, a column or a diagonal."""
NEAR = 0.02
"""Of the diagonal: a point that is no further from its target is taken to mean it."""
FEWEST = 3


@dataclass(frozen=True, slots=True)
class _Drawn:
    name: str
    data: bytes

    def read(self) -> bytes:
        return self.data


def samples(size: Size) -> list[GroundSample]:
    """Return the five samples on a picture of a size."""
    image = Image.new("RGB", size, (245, 245, 242))
    draw, reach = ImageDraw.Draw(image), max(12, min(size) // 36)
    font = ImageFont.load_default(size=max(12, reach))
    boxes = {}
    for colour, (place, paint) in PLACES.items():
        x, y = round(place[0] * size[0]), round(place[1] * size[1])
        boxes[colour] = (float(x - reach), float(y - reach), float(x + reach), float(y + reach))
        draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=paint)
        draw.text((x + reach + 6, y - reach // 2), colour, fill=(60, 60, 60), font=font)
    shot = Shot(_Drawn(f"calibration {size[0]}x{size[1]}", png(image)))
    return [
        GroundSample(
            id=colour,
            instruction=f"Click the middle of the {colour} disc.",
            shot=shot,
            size=size,
            target=AnswerTarget("box", box),
        )
        for colour, box in boxes.items()
    ]


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """What five answers show."""

    space: str
    size: Size
    sent: Size
    hits: int
    answers: list[dict[str, Any]]
    scale: tuple[float, float] | None = None
    """By which factor x and y are off: 1 is right."""
    shift: tuple[float, float] | None = None
    """By how many pixels of the original, once the scale is put right."""
    fits: str = ""
    """The space in which the answers hit, where it is another one."""
    verdict: str = ""

    def plain(self) -> dict[str, object]:
        """Return it as plain data."""
        return {**vars(self), "good": self.good}

    @property
    def good(self) -> bool:
        """Whether the space that was asked for is the one that was answered in."""
        return self.hits == len(PLACES)


def calibrate(answerer: Answerer, size: Size, space: str) -> Calibration:
    """Ask for all five targets and work out what is wrong; raises ModelError where the model fails."""
    answers, given = [], []
    sent = size
    for sample in samples(size):
        said = answerer.answer(sample)
        sent = said.sent[0] if said.sent else size
        found = find_point(said.reply)
        point = None if found.problem or found.refused else (found.x, found.y)
        stated = found.space or said.space
        answers.append({"target": sample.id, "reply": said.reply[:500], "point": point, "space": stated})
        if point is not None:
            given.append((sample, point, stated))
    return _judge(given, answers, size=size, sent=sent, space=space)


Given = tuple[GroundSample, tuple[float, float], str]


def _judge(given: Sequence[Given], answers: list[dict[str, Any]], *, size: Size, sent: Size, space: str) -> Calibration:
    def hits(read_as: str | None) -> int:
        return sum(_is_hit(sample, point, read_as or stated, sent) for sample, point, stated in given)

    found = Calibration(space=space, size=size, sent=sent, hits=hits(None), answers=answers)
    if found.good:
        return replace(found, verdict=f"good: all five points are where they should be, read as {space!r}")
    if len(given) < FEWEST:
        return replace(found, verdict=f"only {len(given)} of five replies hold a point: look at the replies first")
    others = {other: hits(other) for other in SPACES if other not in (space, "auto")}
    # From 0 to 999 and from 0 to 1000 both hit: the nearer one is meant.
    best = max(others, key=lambda other: (others[other], -_misses(given, other, sent)))
    scale, shift = _fit(given, space, sent)
    if others[best] > max(found.hits, FEWEST - 1):
        words = f"the model answers in {best!r} ({SPACES[best]}), not in {space!r}: give --space {best}"
        return replace(found, scale=scale, shift=shift, fits=best, verdict=words)
    swapped = sum(_is_hit(sample, (point[1], point[0]), stated, sent) for sample, point, stated in given)
    if swapped > max(found.hits, FEWEST - 1):
        return replace(
            found, scale=scale, shift=shift, verdict="the model gives y before x: say in the prompt which is first"
        )
    return replace(found, scale=scale, shift=shift, verdict=_in_words(found.hits, scale, shift))


def _is_hit(sample: GroundSample, point: tuple[float, float], space: str, sent: Size) -> bool:
    pixel = to_pixel(*point, space, sent=sent, size=sample.size)
    distance = sample.target.distance((pixel.x, pixel.y))
    diagonal = (sample.size[0] ** 2 + sample.size[1] ** 2) ** 0.5
    return distance is not None and distance <= NEAR * diagonal


def _misses(given: Sequence[Given], space: str, sent: Size) -> float:
    total = 0.0
    for sample, point, _ in given:
        left, top, right, bottom = sample.target.box
        pixel = to_pixel(*point, space, sent=sent, size=sample.size)
        total += hypot(pixel.x - (left + right) / 2, pixel.y - (top + bottom) / 2)
    return total


def _fit(given: Sequence[Given], space: str, sent: Size) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return factor and shift of each axis: medians over pairs of targets, so one miss is harmless."""
    factors, shifts = [], []
    for axis in (0, 1):
        pairs = []
        for sample, point, stated in given:
            left, top, right, bottom = sample.target.box
            middle = from_pixel((left + right) / 2, (top + bottom) / 2, stated, sent=sent, size=sample.size)
            pairs.append((middle[axis], point[axis]))
        slopes = [(a[1] - b[1]) / (a[0] - b[0]) for place, a in enumerate(pairs) for b in pairs[:place] if a[0] != b[0]]
        factor = median(slopes)
        factors.append(round(factor, 3))
        shifts.append(round(median(said - factor * due for due, said in pairs), 1))
    return (factors[0], factors[1]), (shifts[0], shifts[1])


def _in_words(hits: int, scale: tuple[float, float], shift: tuple[float, float]) -> str:
    off = [abs(factor - 1) > 0.03 for factor in scale]
    if all(off) and abs(scale[0] - scale[1]) < 0.05:
        return f"the scale is off by a factor of {sum(scale) / 2:.2f}: the model assumes a picture of another size"
    if any(off):
        return f"the scale is off by {scale[0]:.2f} across and {scale[1]:.2f} down"
    if max(map(abs, shift)) > 10:
        return f"points are shifted by {shift[0]:.0f} across and {shift[1]:.0f} down"
    return f"{hits} of five targets were hit, and the misses follow no pattern: the model does not find the targets"
