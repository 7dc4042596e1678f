"""Talking with a model over an episode: standing orders, the last few turns, and the present one."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from proctor.errors import SpecError
from proctor.models import open_model
from proctor.models.model import Message, Model, Reply
from proctor.models.usage import Budget, Metered
from proctor.records import ModelCall


def opened(model: str | Model, base_url: str | None, budget: Budget | None) -> Metered:
    """Return a model by name, or one that is open already, so that it keeps count and a budget."""
    return Metered(open_model(model, base_url=base_url) if isinstance(model, str) else model, budget)


class Conversation:
    """A model and as much of the past as it is shown again."""

    def __init__(self, model: Metered, *, history: int, max_tokens: int, temperature: float | None) -> None:
        if history < 0 or max_tokens < 1:
            raise SpecError(
                f"history={history}, max_tokens={max_tokens} leave nothing to say",
                remedy="give 0 or more turns of history and 1 or more tokens",
            )
        self._model = model
        self._max_tokens = max_tokens
        self._temperature = temperature
        self._past: deque[tuple[Message, Message]] = deque(maxlen=history)

    def begin(self) -> None:
        """Forget everything."""
        self._past.clear()
        self._model.take_calls()

    def messages(self, system: str, now: Message) -> list[Message]:
        """Return exactly what the model is sent."""
        past = [message for pair in self._past for message in pair]
        return [Message("system", (system,)), *past, now]

    def ask(self, messages: Sequence[Message]) -> Reply:
        """Return the model's reply and remember it with the last message."""
        reply = self._model.ask(messages, max_tokens=self._max_tokens, temperature=self._temperature)
        # Providers refuse empty messages.
        self._past.append((messages[-1], Message("assistant", (reply.text.strip() or "(nothing)",))))
        return reply

    def take_calls(self) -> tuple[ModelCall, ...]:
        """Return the requests since this was last asked."""
        return self._model.take_calls()

    def close(self) -> None:
        """Let go of the model's connections."""
        self._model.close()
