"""What model calls use and cost, and the budgets that end it."""

from __future__ import annotations

import base64
import os
import re
import threading
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any, Literal, TypedDict, cast

from proctor.errors import AgentError, ModelError, SpecError
from proctor.models.model import Message, Model, ModelAnswer, Picture, RawAnswer, RawModel
from proctor.records import Exchange, ModelCall

PRICES_VARIABLE = "PROCTOR_PRICES"
_VERSION = re.compile(r"(-\d{4}-\d{2}-\d{2}|-\d{8}|-latest)$")


class TokenCounts(TypedDict):
    """What a call used, as a record has it."""

    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cache_write_tokens: int
    reasoning_tokens: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Usage:
    """Tokens of one request, whatever a provider calls them."""

    input: int = 0
    """All of the input, what was kept by the provider included."""
    output: int = 0
    """All of the output, reasoning included."""
    cached: int = 0
    """Input tokens read from the provider's cache."""
    cache_write: int = 0
    """Input tokens written to the provider's cache."""
    reasoning: int = 0

    def __add__(self, other: Usage) -> Usage:
        more = asdict(other)
        return Usage(**{name: count + more[name] for name, count in asdict(self).items()})

    @property
    def counts(self) -> TokenCounts:
        """The same by the names that a record has for them."""
        return TokenCounts(
            input_tokens=self.input,
            output_tokens=self.output,
            cached_tokens=self.cached,
            cache_write_tokens=self.cache_write,
            reasoning_tokens=self.reasoning,
        )


DEARER = 1.25
"""What keeping input costs where nothing else is known, as a multiple of its price."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Price:
    """US dollars per million tokens."""

    input: float
    output: float
    cached: float | None = None
    """For input that the provider had kept; that of all input when None."""
    cache_write: float | None = None
    """For input that the provider keeps from now on; a quarter more than for all input when None."""
    as_of: str = ""
    """When the price was noted."""

    def cost(self, usage: Usage) -> float:
        """Return what a request costs."""
        cached = self.input if self.cached is None else self.cached
        write = self.input * DEARER if self.cache_write is None else self.cache_write
        fresh = max(usage.input - usage.cached - usage.cache_write, 0)
        given = fresh * self.input + usage.cached * cached + usage.cache_write * write
        return (given + usage.output * self.output) / 1e6


FREE = Price(input=0.0, output=0.0, cached=0.0, cache_write=0.0)
"""For models that nobody charges for: those on one's own machine."""


class Prices:
    """A table of prices by `provider/name`."""

    def __init__(self, table: Mapping[str, Price]) -> None:
        self._table = dict(table)

    @classmethod
    def load(cls, path: str | Path | None = None) -> Prices:
        """Return the shipped prices with those of a TOML file over them, that of PROCTOR_PRICES if None."""
        shipped = resources.files("proctor.models").joinpath("prices.toml").read_text(encoding="utf-8")
        table = _read_prices(shipped, "prices.toml")
        if own := path or os.environ.get(PRICES_VARIABLE):
            try:
                table |= _read_prices(Path(own).read_text(encoding="utf-8"), str(own))
            except (OSError, UnicodeDecodeError) as error:
                raise SpecError(
                    f"the price table {own} cannot be read: {error}", remedy=f"correct {PRICES_VARIABLE} or unset it"
                ) from error
        return cls(table)

    def find(self, model: str) -> Price | None:
        """Return the price of a model, dated versions included; None when it is not known."""
        return self._table.get(model) or self._table.get(_VERSION.sub("", model))


def _read_prices(text: str, where: str) -> dict[str, Price]:
    remedy = 'write ["provider/model"] with input and output in US dollars per million tokens'
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SpecError(f"{where} is not TOML: {error}", remedy=remedy) from error
    return {model: _read_price(entry, f"{where}: {model!r}", remedy) for model, entry in data.items()}


def _read_price(entry: object, where: str, remedy: str) -> Price:
    if not isinstance(entry, dict):
        raise SpecError(f"{where} is not a table", remedy=remedy)
    figures = {name: entry[name] for name in ("input", "output", "cached", "cache_write") if name in entry}
    wrong = [
        f"{name}={value!r}"
        for name, value in figures.items()
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value < 1e6
    ]
    wrong += [f"{name} is missing" for name in ("input", "output") if name not in figures]
    wrong += [f"unknown {name!r}" for name in entry if name not in (*figures, "as_of")]
    if wrong:
        raise SpecError(f"{where}: {'; '.join(wrong)}", remedy=remedy)
    return Price(**figures, as_of=str(entry.get("as_of", "")))


class BudgetSpent(AgentError):
    """The next model call was not made because its budget is spent."""

    def __init__(self, limit: Literal["token_limit", "cost_limit"], message: str) -> None:
        super().__init__(message, remedy="raise the limit, or let the agent ask less")
        self.limit: Literal["token_limit", "cost_limit"] = limit
        """The reason for which the episode ends."""


class Budget:
    """How many tokens and how much money may be spent; that of an episode can lie within a run's."""

    def __init__(self, *, tokens: int | None = None, usd: float | None = None, within: Budget | None = None) -> None:
        for name, limit in (("tokens", tokens), ("usd", usd)):
            if limit is not None and not limit > 0:
                raise SpecError(f"a budget of {name}={limit}", remedy="give a number above 0, or None for no limit")
        self.tokens, self.usd, self.within = tokens, usd, within
        self.spent_tokens = 0
        self.spent_usd = 0.0
        self._lock = threading.Lock()

    @property
    def counts_money(self) -> bool:
        """Whether money is limited here or further out."""
        return self.usd is not None or (self.within is not None and self.within.counts_money)

    def add(self, call: ModelCall) -> None:
        """Count what a call used."""
        with self._lock:
            self.spent_tokens += call.input_tokens + call.output_tokens
            self.spent_usd += call.cost_usd or 0.0
        if self.within is not None:
            self.within.add(call)

    def check(self) -> None:
        """Raise BudgetSpent when nothing is left, here or further out."""
        if self.tokens is not None and self.spent_tokens >= self.tokens:
            raise BudgetSpent("token_limit", f"{self.spent_tokens} of {self.tokens} tokens are used")
        if self.usd is not None and self.spent_usd >= self.usd:
            raise BudgetSpent("cost_limit", f"{self.spent_usd:.4f} of {self.usd:.4f} US dollars are spent")
        if self.within is not None:
            self.within.check()


class Metered:
    """A model whose calls are kept until they are taken, and that stops when its budget is spent."""

    def __init__(self, model: Model, budget: Budget | None = None) -> None:
        """Wrap a model; raises SpecError when money is limited and its price is not known."""
        if budget is not None and budget.counts_money and getattr(model, "price", None) is None:
            raise SpecError(
                f"a cost limit cannot be enforced: no price is known for {model.name}",
                remedy=f"give its price in a TOML file named by {PRICES_VARIABLE}",
            )
        self.model = model
        self.budget = budget
        self.name = model.name
        self.price: Price | None = getattr(model, "price", None)
        self._calls: list[ModelCall] = []

    def ask(
        self, messages: Sequence[Message], *, max_tokens: int = 2048, temperature: float | None = None
    ) -> ModelAnswer:
        """Ask the model; raises BudgetSpent before the call when nothing is left."""
        self._before()
        try:
            reply = self.model.ask(messages, max_tokens=max_tokens, temperature=temperature)
        except ModelError as error:
            self._count_failure(error, lambda: _as_data(messages))
            raise
        call = reply.call
        if call.exchange is None:
            said = {"text": reply.text, "thought": reply.thought, "finish": reply.finish}
            call = replace(call, exchange=Exchange(request=_as_data(messages), answer=said))
        self._count(call)
        return reply

    def request(
        self, payload: Mapping[str, Any], *, path: str = "", headers: Mapping[str, str] | None = None
    ) -> RawAnswer:
        """Send a request in the provider's own format; raises BudgetSpent before it when nothing is left."""
        self._before()
        try:
            answer = cast(RawModel, self.model).request(payload, path=path, headers=headers)
        except ModelError as error:
            self._count_failure(error, lambda: payload)
            raise
        self._count(answer.call)
        return answer

    def take_calls(self) -> tuple[ModelCall, ...]:
        """Return the calls since this was last asked, failed ones included."""
        taken, self._calls = tuple(self._calls), []
        return taken

    def close(self) -> None:
        """Let go of the model's connections, where it has any."""
        if close := getattr(self.model, "close", None):
            close()

    def _before(self) -> None:
        if self.budget is not None:
            self.budget.check()

    def _count_failure(self, error: ModelError, request: Callable[[], object]) -> None:
        found = getattr(error, "call", None)
        call = found if isinstance(found, ModelCall) else ModelCall(model=self.name, error=type(error).__name__)
        if call.exchange is None:
            call = replace(call, exchange=Exchange(request=request(), error=error.message))
            # Whoever catches the error records its call.
            error.call = call  # type: ignore[attr-defined]
        self._count(call)

    def _count(self, call: ModelCall) -> None:
        self._calls.append(call)
        if self.budget is not None:
            self.budget.add(call)


def _as_data(messages: Sequence[Message]) -> dict[str, object]:
    """Return messages as plain data, for models that have no wire format of their own."""
    return {"messages": [{"role": message.role, "parts": list(map(_part, message.parts))} for message in messages]}


def _part(part: str | Picture) -> str | dict[str, str]:
    if isinstance(part, str):
        return part
    return {"picture": base64.b64encode(part.data).decode("ascii"), "media": part.media}
