"""A critic at work on an episode: what it is shown, and what it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PIL import Image

from proctor.agents.send_pictures import sending_for
from proctor.errors import ModelError
from proctor.models.critic import critic_prompt, find_verdict
from proctor.models.model import Message, Picture
from proctor.models.secrets import redact
from proctor.models.usage import Metered
from proctor.observations.observation import Want
from proctor.records import Criticism

MOST_REPLY = 8_000
MOST_TOKENS = 2048

Seen = Image.Image | str
"""A picture of the screen, or what was done on it, in words."""


class Critic:
    """A model that judges by pictures; it knows no check and no answer key."""

    def __init__(self, model: Metered) -> None:
        self._model = model
        self._sending = sending_for(model.name, getattr(model.model, "base_url", None))

    def judge(self, instruction: str, seen: Sequence[Seen], *, step: int = 0) -> Criticism:
        """Return its judgement; where it cannot be asked, or says nothing, one that says why there is none."""
        found = Criticism(model=self._model.name, step=step)
        parts = [part if isinstance(part, str) else self._picture(part) for part in seen]
        if not any(isinstance(part, Picture) for part in parts):
            return replace(found, problem="there is no picture")
        try:
            message = Message("user", (*parts, critic_prompt(instruction)))
            reply = self._model.ask([message], max_tokens=MOST_TOKENS)
        except ModelError as error:
            found = replace(found, problem=redact(f"{type(error).__name__}: {error.message}"[:1000]))
        else:
            judged = find_verdict(reply.text)
            found = replace(
                found,
                success=judged.success,
                confidence=judged.confidence,
                problem=judged.problem,
                reply=redact(reply.text[:MOST_REPLY]),
            )
        calls = self._model.take_calls()
        prices = [call.cost_usd for call in calls]
        return replace(
            found,
            tokens=sum(call.input_tokens + call.output_tokens for call in calls),
            cost_usd=None if None in prices else sum(price or 0.0 for price in prices),
        )

    def _picture(self, image: Image.Image) -> Picture:
        size = Want(fit=self._sending.fit).image_size(image.size)
        shown = image if size == image.size else image.resize(size, Image.Resampling.LANCZOS)
        return self._sending.picture(shown)
