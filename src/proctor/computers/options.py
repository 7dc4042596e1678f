"""Options of computers: a frozen dataclass for each kind, which whoever wants to know them reads."""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeVar

from proctor.computers.settle import Pace
from proctor.errors import SpecError, UnknownName

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Options = TypeVar("Options", bound="DataclassInstance")


@dataclass(frozen=True, kw_only=True)
class PaceOptions:
    """Options of computers that are acted on in real time."""

    pace: Pace = "settle"
    """`settle` waits for a quiet screen after each action, `realtime` does not wait."""


@dataclass(frozen=True, kw_only=True)
class ClipOptions(PaceOptions):
    """Options of computers whose screen can be filmed."""

    clip_sec: float = 0.0
    """How many seconds of video `clip` can look back; 0 records none."""


def take_options(kind: Callable[..., Options], options: Options | None, given: Mapping[str, object]) -> Options:
    """Return a computer's options, of their dataclass and keywords, which count first.

    Raises SpecError for a value that is not among those that its field names.
    """
    taken = kind(**given) if options is None else replace(options, **given)
    hints = _hints(type(taken))
    for name, value in vars(taken).items():
        if typing.get_origin(hints[name]) is Literal and value not in typing.get_args(hints[name]):
            raise UnknownName(name, str(value), typing.get_args(hints[name]))
        if hints[name] is bool and not isinstance(value, bool):
            raise SpecError(f"option {name}={value!r} is neither yes nor no", remedy="give True or False")
    return taken


@lru_cache(maxsize=64)
def _hints(kind: type) -> Mapping[str, object]:
    """Return the kind of each option; asked for each computer, so it is remembered."""
    return typing.get_type_hints(kind)
