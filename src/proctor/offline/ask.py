"""Putting a sample to a model: the wording, the pictures as they are sent, and what came back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from PIL import Image

from proctor.agents.send_pictures import Sending
from proctor.models.model import Message, Picture
from proctor.models.usage import Metered
from proctor.observations.observation import Want
from proctor.offline.answers.spaces import Size
from proctor.offline.prompts import PromptWording
from proctor.offline.sample import CriticSample, GroundSample, IdmSample, OfflineSample, Shot
from proctor.records import ModelCall


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelReply:
    """What was asked and answered."""

    reply: str
    prompt: str = ""
    sent: tuple[Size, ...] = ()
    space: str = "original"
    thought: str = ""
    finish: str = "stop"
    calls: tuple[ModelCall, ...] = ()


class Answerer(Protocol):
    """Whatever answers samples: a model, or a baseline without one."""

    def answer(self, sample: OfflineSample) -> ModelReply:
        """Answer a sample; raises ModelError or RecordError where that cannot be done."""


@dataclass(frozen=True, kw_only=True)
class Asking:
    """A model that is asked."""

    model: Metered
    wording: PromptWording
    sending: Sending
    space: str = "pixel"
    may_refuse: bool = False
    with_actions: bool = True
    max_tokens: int = 2048
    temperature: float | None = None
    shown: dict[str, tuple[Picture, Size]] = field(default_factory=dict, repr=False)
    """The last picture: several samples in a row often have the same."""

    def answer(self, sample: OfflineSample) -> ModelReply:
        """Ask for one sample."""
        if isinstance(sample, GroundSample):
            return self._ground(sample)
        if isinstance(sample, IdmSample):
            return self._ask([*map(self._picture, sample.shots)], self.wording.idm(sample))
        assert isinstance(sample, CriticSample)
        return self._critic(sample)

    def _ground(self, sample: GroundSample) -> ModelReply:
        picture, sent = self._picture(sample.shot)
        prompt = self.wording.ground(sample, space=self.space, sent=sent, may_refuse=self.may_refuse)
        return self._ask([(picture, sent)], prompt)

    def _critic(self, sample: CriticSample) -> ModelReply:
        parts: list[tuple[Picture, Size] | str] = []
        for place, shot in enumerate(sample.shots):
            parts.append(self._picture(shot))
            if self.with_actions and place < len(sample.actions):
                parts.append(f"Action: {sample.actions[place]}")
        return self._ask(parts, self.wording.critic(sample, with_actions=self.with_actions))

    def _ask(self, parts: Sequence[tuple[Picture, Size] | str], prompt: str) -> ModelReply:
        content = [part if isinstance(part, str) else part[0] for part in parts]
        message = Message("user", (*content, prompt))
        self.model.take_calls()
        reply = self.model.ask([message], max_tokens=self.max_tokens, temperature=self.temperature)
        between = [part for part in parts if isinstance(part, str)]
        return ModelReply(
            reply=reply.text,
            prompt="\n".join([*between, prompt]),
            sent=tuple(part[1] for part in parts if not isinstance(part, str)),
            space=self.space,
            thought=reply.thought,
            finish=reply.finish,
            calls=tuple(call.bare() for call in self.model.take_calls()),
        )

    def _picture(self, shot: Shot) -> tuple[Picture, Size]:
        if shot.name not in self.shown:
            self.shown.clear()
            self.shown[shot.name] = fit_image(shot.load(), self.sending)
        return self.shown[shot.name]


def fit_image(image: Image.Image, sending: Sending) -> tuple[Picture, Size]:
    """Return an image as it is sent, and its size then."""
    size = Want(fit=sending.fit).image_size(image.size)
    shown = image if size == image.size else image.resize(size, Image.Resampling.LANCZOS)
    return sending.picture(shown), size
