"""Whether an answer is right, wrong, or none at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from proctor.models.critic import find_verdict
from proctor.offline.answers.choices import find_choices
from proctor.offline.answers.points import find_point
from proctor.offline.answers.spaces import to_pixel
from proctor.offline.ask import ModelReply
from proctor.offline.metrics import edit_distance
from proctor.offline.sample import CriticSample, GroundSample, IdmSample, OfflineSample

Outcome = Literal["right", "wrong", "outside", "refused", "unparsed", "failed"]
OUTCOMES: dict[Outcome, str] = {
    "right": "right",
    "wrong": "understood, and wrong",
    "outside": "a point outside the picture: often the wrong coordinate space",
    "refused": "said that there is no such element, though there is one",
    "unparsed": "no answer could be found in the reply",
    "failed": "no reply: the model failed, or a picture cannot be read; not part of the accuracy",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Score:
    """What came of one answer."""

    outcome: Outcome
    parsed: object = None
    """A point in pixels of the original picture, a list of options, or a verdict."""
    how: str = ""
    """In which shape, and for a point in which space, it was given."""
    distance: float | None = None
    """Pixels to the target; for a sequence, how many edits."""
    confidence: float | None = None
    problem: str = ""


def score(sample: OfflineSample, said: ModelReply) -> Score:
    """Return what came of an answer."""
    if isinstance(sample, GroundSample):
        return _ground(sample, said)
    if isinstance(sample, IdmSample):
        return _idm(sample, said)
    assert isinstance(sample, CriticSample)
    judged = find_verdict(said.reply)
    if judged.success is None:
        return Score(outcome="unparsed", problem=_why(judged.problem, said))
    right = judged.success == sample.success
    return Score(outcome="right" if right else "wrong", parsed=judged.success, confidence=judged.confidence)


def _ground(sample: GroundSample, said: ModelReply) -> Score:
    found = find_point(said.reply)
    refusal = sample.target.kind == "refusal"
    if found.problem:
        return Score(outcome="unparsed", problem=_why(found.problem, said))
    if found.refused:
        return Score(outcome="right" if refusal else "refused", parsed="refused", how=found.shape)
    sent = said.sent[0] if said.sent else sample.size
    pixel = to_pixel(found.x, found.y, found.space or said.space, sent=sent, size=sample.size)
    point = (pixel.x, pixel.y)
    how = f"{found.shape}; {pixel.space}{' (its shape says so)' if found.space else ''}"
    outcome: Outcome = "right" if sample.target.contains(point) else "wrong"
    if outcome == "wrong" and pixel.outside(sample.size):
        outcome = "outside"
    rounded = [round(value, 2) for value in point]
    distance = sample.target.distance(point)
    return Score(outcome=outcome, parsed=rounded, how=how, distance=None if distance is None else round(distance, 2))


def _idm(sample: IdmSample, said: ModelReply) -> Score:
    chosen = find_choices(said.reply, sample.options, several=sample.several)
    if chosen.problem:
        return Score(outcome="unparsed", problem=_why(chosen.problem, said))
    right = chosen.places == sample.answer
    return Score(
        outcome="right" if right else "wrong",
        parsed=[sample.options[place] for place in chosen.places],
        distance=edit_distance(chosen.places, sample.answer) if sample.several else None,
    )


def _why(problem: str, said: ModelReply) -> str:
    if said.finish == "refusal":
        return f"the model refused; {problem}"
    return f"{problem}; the reply was cut off at the limit of tokens" if said.finish == "length" else problem
