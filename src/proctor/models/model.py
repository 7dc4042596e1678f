"""The Model protocol: messages with pictures in, a reply with its cost out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

from proctor.records import ModelCall

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Picture:
    """An image inside a message."""

    data: bytes
    media: str = "image/png"


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    role: Role
    parts: tuple[str | Picture, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelAnswer:
    """What a model answered."""

    text: str
    thought: str = ""
    """Reasoning that the provider hands out apart from the text."""
    finish: Literal["stop", "length", "refusal"] = "stop"
    call: ModelCall
    raw: Any = None
    """The provider's own answer as plain data, for agents that speak its tools."""


class Model(Protocol):
    """A language model."""

    name: str
    """`provider/name`."""

    def ask(
        self, messages: Sequence[Message], *, max_tokens: int = 2048, temperature: float | None = None
    ) -> ModelAnswer:
        """Return the reply; raises ModelError by class when there is none after all retries."""


class RawAnswer(NamedTuple):
    """What a provider answered to a request in its own wire format."""

    data: dict[str, object]
    """The answer as plain data, free of keys."""
    call: ModelCall


class RawModel(Model, Protocol):
    """A model that can also be spoken to in its provider's own wire format."""

    def request(
        self, payload: Mapping[str, Any], *, path: str = "", headers: Mapping[str, str] | None = None
    ) -> RawAnswer:
        """Send a request body, the model's name added, and return the answer.

        Args:
            payload: The body as the provider's reference describes it.
            path: Which of the provider's interfaces; the one for ordinary asking when empty.
            headers: Sent besides, such as those that open a beta.

        Raises ModelError as `ask` does.
        """
