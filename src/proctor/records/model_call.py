"""One request to a model: what it cost, and what was said."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True, slots=True)
class Exchange:
    """What was sent in one request and what came back, in the provider's own form."""

    request: object
    """The body, as plain data."""
    answer: object = None
    """The body that came back; None where there was none."""
    path: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    """Those that were sent besides the usual ones; none of them holds a key."""
    error: str = ""
    """Why there was no answer."""
    hide: Callable[[str], str] | None = None
    """Takes secrets out of a text before it is written down."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelCall:
    """One request to a model, and what it cost."""

    model: str
    """`provider/name`."""
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    """Input tokens read from the provider's cache."""
    cache_write_tokens: int = 0
    """Input tokens written to the provider's cache."""
    reasoning_tokens: int = 0
    """Output tokens used for hidden reasoning."""
    cost_usd: float | None = None
    """None if the model's price is unknown."""
    seconds: float = 0.0
    """From the first request to the answer, including waiting and retries."""
    retries: int = 0
    asked_again: bool = False
    """Whether it was asked again because its first answer was empty."""
    error: str = ""
    """The class of the error, if there was no answer."""
    sent: int | None = None
    """Number of the exchange in `model.jsonl`, once it is stored."""
    exchange: Exchange | None = field(default=None, repr=False, compare=False)
    """What was said, until the record has it."""

    def bare(self) -> ModelCall:
        """Return it without what was said, which may be large."""
        return dataclasses.replace(self, exchange=None)
