"""Options given as text, turned into what a constructor's annotations ask for."""

from __future__ import annotations

import dataclasses
import difflib
import inspect
import re
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, Union

from proctor.errors import SpecError

_FLAGS = {"model": " (--model PROVIDER/NAME, or model=PROVIDER/NAME after its name)"}
"""Options that the command line can give to every agent of a run."""
_Size = tuple[int, int]
_SIZE = re.compile(r"([0-9]{1,5})x([0-9]{1,5})", re.ASCII)
_YES = frozenset({"on", "yes", "true", "1"})
_NO = frozenset({"off", "no", "false", "0"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Allowed:
    """What an option may be, beyond its kind; written as `Annotated[int, Allowed(least=1)]`."""

    least: float | None = None
    above: float | None = None
    most: float | None = None
    names: Callable[[], Iterable[str]] | None = None
    """Names that are known; whoever takes the option refuses others."""
    more: str = ""
    """What may stand besides the names."""
    form: str = ""
    """What to write, where the kind does not say it."""

    def refuse(self, value: float) -> str:
        """Return why a number is not allowed; empty when it is."""
        if self.least is not None and value < self.least:
            return f"must be {self.least:g} or more"
        if self.above is not None and value <= self.above:
            return f"must be above {self.above:g}"
        return f"must be at most {self.most:g}" if self.most is not None and value > self.most else ""

    def words(self, kind: str) -> str:
        """Return what to write for an option of a kind, for people."""
        if self.form or self.names is not None:
            return self.form or " | ".join([*(self.names() if self.names else ()), *filter(None, [self.more])])
        bounds = [
            f"{self.least:g} or more" if self.least is not None else "",
            f"above {self.above:g}" if self.above is not None else "",
            f"at most {self.most:g}" if self.most is not None else "",
        ]
        return ", ".join(filter(None, [kind, *bounds]))


@dataclass(frozen=True, kw_only=True, slots=True)
class Option:
    """One thing that can be said as text of what is opened by name."""

    name: str
    kind: Any
    """`str`, `int`, `float`, `bool`, `Path`, a pair of whole numbers or a Literal."""
    default: Any
    """`inspect.Parameter.empty` when it must be given."""
    allowed: Allowed = Allowed()
    """What of that kind it may be."""

    @property
    def required(self) -> bool:
        """Whether there is no default."""
        return self.default is inspect.Parameter.empty

    @property
    def default_text(self) -> str:
        """The default as it would be written; empty where there is none, or it is nothing."""
        if self.required or self.default is None:
            return ""
        if isinstance(self.default, tuple):
            return "x".join(map(str, self.default))
        if isinstance(self.default, bool):
            return "on" if self.default else "off"
        return f"{self.default:g}" if isinstance(self.default, float) else str(self.default)

    @property
    def choices(self) -> tuple[str, ...]:
        """What it may be, where that is a closed set."""
        if typing.get_origin(self.kind) is Literal:
            return tuple(map(str, typing.get_args(self.kind)))
        return ("on", "off") if self.kind is bool else ()

    @property
    def form(self) -> str:
        """What to write for it, for people."""
        kind = {int: "whole number", float: "number", Path: "path", _Size: "WIDTHxHEIGHT"}.get(self.kind, "text")
        return " | ".join(self.choices) or self.allowed.words(kind)


@lru_cache(maxsize=64)
def parameters_of(factory: Callable[..., object]) -> Mapping[str, inspect.Parameter]:
    """Return what a constructor takes; asked for each episode, so it is remembered."""
    return inspect.signature(factory).parameters


def text_options(factory: Callable[..., object]) -> list[Option]:
    """Return what a constructor takes that can be written as text, in its order."""
    hints = _hints(factory)
    found = []
    for parameter in parameters_of(factory).values():
        kind = _textual(hints.get(parameter.name, str))
        if kind is not None and parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            allowed = _bounds_of(hints.get(parameter.name, str))
            found.append(Option(name=parameter.name, kind=kind, default=parameter.default, allowed=allowed))
    return found + [option for option in _settings(factory) if option.name not in {known.name for known in found}]


def convert_options(
    factory: Callable[..., object], options: Mapping[str, str], what: str, *, given: Iterable[str] = ()
) -> dict[str, object]:
    """Return keyword arguments for a constructor; raises SpecError that names every fault at once.

    One that takes `**options` takes any. Messages say by `what` whose options they are; `given` are passed besides.
    """
    known = {option.name: option for option in text_options(factory)}
    takes_any = not _settings(factory) and any(
        parameter.kind is parameter.VAR_KEYWORD for parameter in parameters_of(factory).values()
    )
    arguments: dict[str, object] = {}
    faults = []
    for name, text in options.items():
        if name in known:
            try:
                arguments[name] = _value(known[name], text)
            except ValueError as error:
                faults.append(f"{name}={text!r} {error}")
        elif takes_any:
            arguments[name] = text
        else:
            near = difflib.get_close_matches(name, known, n=1)
            faults.append(f"there is no option {name!r}" + (f", did you mean {near[0]!r}?" if near else ""))
    needed = (option.name for option in known.values() if option.required)
    faults += [
        f"it needs the option {name!r}{_FLAGS.get(name, '')}" for name in needed if name not in {*options, *given}
    ]
    if faults:
        wrong = [f"{name} is {known[name].form}" for name in options if name in known and name not in arguments]
        listed = [] if wrong else [f"its options are: {', '.join(known) or '(none)'}"]
        raise SpecError(f"{what}: {'; '.join(faults)}", remedy="; ".join(wrong + listed))
    return arguments


def settings_of(factory: Callable[..., object]) -> type | None:
    """Return the dataclass of the options that a constructor takes as `**settings`, if it names one."""
    found = getattr(factory, "settings", None)
    return found if isinstance(found, type) and dataclasses.is_dataclass(found) else None


def _settings(factory: Callable[..., object]) -> list[Option]:
    cls = settings_of(factory)
    hints = typing.get_type_hints(cls, include_extras=True) if cls else {}
    return [
        Option(name=entry.name, kind=kind, default=entry.default, allowed=_bounds_of(hints[entry.name]))
        for entry in (dataclasses.fields(cls) if cls else ())
        if (kind := _textual(hints[entry.name])) is not None
    ]


def _hints(factory: Callable[..., object]) -> dict[str, object]:
    target: object = factory.__init__ if isinstance(factory, type) else factory  # type: ignore[misc]
    if dataclasses.is_dataclass(factory):
        target = factory  # whose fields are each read where they are declared
    try:
        return typing.get_type_hints(target, include_extras=True)
    except (NameError, TypeError):  # names known to a type checker only: all is text then
        return {}


def _textual(hint: object) -> object:
    if hint is Any:
        return str
    if typing.get_origin(hint) is Annotated:
        return _textual(typing.get_args(hint)[0])
    if hint in (str, int, float, bool, Path, _Size) or typing.get_origin(hint) is Literal:
        return hint
    if typing.get_origin(hint) in (Union, types.UnionType):
        return next(filter(None, map(_textual, typing.get_args(hint))), None)
    return None


def _bounds_of(hint: object) -> Allowed:
    extras = typing.get_args(hint)[1:] if typing.get_origin(hint) is Annotated else ()
    return next((extra for extra in extras if isinstance(extra, Allowed)), Allowed())


def _value(option: Option, text: str) -> Any:
    """Return the value that a text stands for; raises ValueError that says what it must be."""
    if option.kind is bool:
        if text.lower() in _YES | _NO:
            return text.lower() in _YES
        raise ValueError("must be on or off")
    if typing.get_origin(option.kind) is Literal:
        return _choice(option, text)
    if option.kind == _Size:
        size = _SIZE.fullmatch(text)
        if size is None:
            raise ValueError("must be a width and a height, as in 1280x720")
        return int(size[1]), int(size[2])
    try:
        value = option.kind(text)
    except ValueError:
        raise ValueError(f"must be a {option.form}") from None
    if isinstance(value, int | float) and (why := option.allowed.refuse(value)):
        raise ValueError(why)
    return value


def _choice(option: Option, text: str) -> Any:
    for value in typing.get_args(option.kind):
        if str(value) == text:
            return value
    near = difflib.get_close_matches(text, option.choices, n=1)
    hint = f", did you mean {near[0]!r}?" if near else ""
    raise ValueError(f"must be one of: {', '.join(option.choices)}{hint}")
