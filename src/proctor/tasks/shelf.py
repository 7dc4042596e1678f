"""Shelves of named functions: a signature is a schema, so a task is checked before it runs."""

from __future__ import annotations

import inspect
import json
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, partial
from typing import Annotated, Any, Literal, TypeVar

from pydantic import TypeAdapter, ValidationError

from proctor.errors import SpecError, UnknownName
from proctor.tasks.call import KINDS, Call, DataPath, Kind, plain
from proctor.tasks.findings import Fault, Finding

Seen = Annotated[Any, "seen"]
"""Marks the parameter of a check that takes what a probe saw: in a task it is a probe call, or plain data."""

Function = TypeVar("Function", bound=Callable[..., Any])


Whole = Literal["file", "folder", "store", "settings", "sent"]
"""What a probe shows all of: one file of the user's, several, what a program or service keeps, its settings, or what
went out to others and cannot be taken back."""
Noise = Callable[..., Sequence[str]]
Basis = Callable[..., Sequence[int]]
"""Returns which parts of what a model shows change by themselves."""
Tell = Callable[..., object]
"""Returns what a probe would have seen if another had seen this: takes what it saw, its arguments, and the other's."""


@dataclass(frozen=True, slots=True)
class Follows:
    """The probe of which another one tells a part."""

    model: str
    """Its name; it shows the whole of something, and is compared wherever the part is looked at."""
    tell: Tell
    """A function of a module that reads."""
    given: Callable[[Mapping[str, object]], Mapping[str, object]]
    """Returns the arguments of the model for those of the part."""

    def whole(self, part: Call) -> Call:
        """Return the call of the model that a part is of."""
        return Call("probe", self.model, dict(self.given(part.arguments)))


@dataclass(frozen=True, slots=True)
class MadeBy:
    """The setup step that makes what a model shows; tasks that take it have it compared."""

    step: str
    """Its name."""
    given: Callable[[Mapping[str, object]], Mapping[str, object]]
    """Returns the arguments of the model for those of the step."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a call or a task, and where."""

    path: DataPath
    message: str


@dataclass(frozen=True)
class ShelfTool:
    """A named function of a shelf."""

    kind: Kind
    name: str
    function: Callable[..., Any]
    sees_faults: bool = False
    """For checks: whether it is asked even when a probe could not see; such a check takes `Fault` values."""
    parsers: tuple[Callable[..., object], ...] = ()
    """For probes: the functions that the reader will run for it."""
    live: bool = False
    """For probes: whether only a running program can tell, so that it is asked before all of them are held still."""
    whole: Whole | None = None
    """For probes: what it shows all of, so that whatever changed there besides can be told."""
    noise: Noise | None = None
    """For models: which parts of what it shows change by themselves, as places such as `sheets.*.colour`."""
    basis: Basis | None = None
    """For models: which new parts of what it shows the rest is worked out from, such as cells that formulas use."""
    follows: Follows | None = None
    """For probes: another one, of which this one tells a part."""
    made_by: MadeBy | None = None
    """For models: what makes it a matter of a task that does not look at it, where nothing else tells of the same."""
    before_use: bool = False
    """For setup steps: whether it is for a computer that nobody uses yet: it starts a service, comes before the first
    start of a program, or has keyboard and pointer to itself. No event takes it."""

    @property
    def summary(self) -> str:
        """The first line of its documentation."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]

    @cached_property
    def parameters(self) -> dict[str, inspect.Parameter]:
        """Its parameters by name, without the context that setup steps, probes and moves receive first."""
        every = list(inspect.signature(self.function).parameters.values())
        return {parameter.name: parameter for parameter in (every if self.kind == "check" else every[1:])}

    @cached_property
    def hints(self) -> dict[str, object]:
        """The annotations of its parameters."""
        return typing.get_type_hints(self.function, include_extras=True)

    def bind(self, positional: Sequence[object], named: Mapping[str, object]) -> Call:
        """Return a call of it; raises SpecError with everything that is wrong."""
        if len(positional) > len(self.parameters):
            raise SpecError(f"{self.kind} {self.name!r} takes {len(self.parameters)} arguments, not {len(positional)}")
        arguments = dict(zip(self.parameters, positional, strict=False))
        if twice := arguments.keys() & named.keys():
            raise SpecError(f"{self.kind} {self.name!r} is given {sorted(twice)} twice")
        call = Call(self.kind, self.name, {**arguments, **named})
        if problems := list(self.problems(call)):
            raise SpecError("; ".join(problem.message for problem in problems), remedy=f"its form: {self.usage}")
        return call

    @property
    def usage(self) -> str:
        """How it is written, such as `file_is(of, text)`."""
        shown = [
            name if parameter.default is parameter.empty else f"{name}={parameter.default!r}"
            for name, parameter in self.parameters.items()
        ]
        return f"{self.name}({', '.join(shown)})"

    def problems(self, call: Call) -> Iterator[Problem]:
        """Yield everything wrong with the arguments of a call.

        Nested calls are looked at by whoever walks them.
        """
        label = f"{self.kind} {self.name!r}"
        for name in call.arguments:
            if name not in self.parameters:
                unknown = UnknownName(f"argument of {label}", name, self.parameters)
                yield Problem((name,), f"{unknown.message}; {unknown.remedy}")
        for name, parameter in self.parameters.items():
            if name in call.arguments:
                yield from self._argument_problems(name, call.arguments[name])
            elif parameter.default is parameter.empty:
                yield Problem((), f"{label} lacks the argument {name!r}")

    def _argument_problems(self, name: str, value: object) -> Iterator[Problem]:
        hint = self.hints[name]
        label = f"argument {name!r} of {self.kind} {self.name!r}"
        if hint == Seen:
            if isinstance(value, Call) and value.kind != "probe":
                yield Problem((name,), f"{label} is a {value.kind} call, and must be a probe")
            elif isinstance(value, Mapping) and (slip := get_close_matches("probe", value, n=1, cutoff=0.7)):
                yield Problem(
                    (name, slip[0]), f"{label} is not a probe: unknown kind {slip[0]!r}; did you mean 'probe'?"
                )
        elif hint in (Finding, list[Finding]):
            items = value if isinstance(value, tuple) else [value]
            if (hint is Finding) == isinstance(value, tuple) or not items:
                yield Problem((name,), f"{label} must be {'one check' if hint is Finding else 'a list of checks'}")
            for item in items:
                if not isinstance(item, Call) or item.kind != "check":
                    yield Problem((name,), f"{label} must hold checks, not {_show(item)}")
        else:
            yield from self._plain_problems(name, hint, value, label)

    def _plain_problems(self, name: str, hint: object, value: object, label: str) -> Iterator[Problem]:
        try:
            _read(hint, value)
        except ValidationError as error:
            for fault in error.errors(include_url=False):
                place = "".join(f"[{step!r}]" for step in fault["loc"])
                given = "" if fault["type"] == "missing" else f" {_show(fault['input'])}"
                yield Problem((name, *fault["loc"]), f"{label}{place}:{given} is wrong: {fault['msg']}")
        except (TypeError, ValueError) as error:
            yield Problem((name,), f"{label} is not plain data: {error}")

    def get_ready(self) -> None:
        """Make what reads its arguments, which takes longer than to use it."""
        for name in self.parameters:
            if (hint := self.hints[name]) not in (Seen, Finding, list[Finding]):
                _adapter(hint)

    def prepare(self, arguments: Mapping[str, object]) -> dict[str, object]:
        """Return arguments as the function takes them: plain data turned into the types of its signature."""
        ready = {}
        for name, value in arguments.items():
            hint = self.hints[name]
            if hint == Seen:
                ready[name] = value if isinstance(value, Fault) else plain(value)
            else:
                ready[name] = value if hint in (Finding, list[Finding]) else _read(hint, value)
        return ready


class Shelf:
    """The named functions of one kind.

    As an attribute, each is a maker of calls: `expect.file_exists(...)`.
    """

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self._tools: dict[str, ShelfTool] = {}

    def register(self, function: Function) -> Function:
        """Put a function on the shelf under its own name; the function stays what it is."""
        return self._put(ShelfTool(self.kind, function.__name__, function), function)

    def register_before_use(self, function: Function) -> Function:
        """Put a setup step on the shelf that is only for a computer which nobody uses yet."""
        return self._put(ShelfTool(self.kind, function.__name__, function, before_use=True), function)

    def register_with(
        self,
        *parsers: Callable[..., object],
        whole: Whole | None = None,
        noise: Noise | None = None,
        basis: Basis | None = None,
        follows: Follows | None = None,
        made_by: MadeBy | None = None,
    ) -> Callable[[Function], Function]:
        """Put a probe on the shelf that has these functions run by the reader, which loads them early.

        Args:
            parsers: The functions.
            whole: What it shows all of. One of a `file` uses no more of its context than `read`.
            noise: Returns which parts of it change when it is only saved; a function of a module that reads.
            basis: Returns which of its new parts the rest is worked out from; a function of a module that reads.
            follows: The probe of which this one tells a part.
            made_by: The setup step after which it is compared though no check looks at it.
        """
        return lambda function: self._put(
            ShelfTool(
                self.kind,
                function.__name__,
                function,
                parsers=parsers,
                whole=whole,
                noise=noise,
                basis=basis,
                follows=follows,
                made_by=made_by,
            ),
            function,
        )

    def register_live(self, *parsers: Callable[..., object]) -> Callable[[Function], Function]:
        """Put a probe on the shelf that asks what only a running program can tell.

        It is asked before the computer is held still. All others must not need the agent's programs, nor run one.
        """
        return lambda function: self._put(
            ShelfTool(self.kind, function.__name__, function, parsers=parsers, live=True), function
        )

    def register_for_faults(self, function: Function) -> Function:
        """Put a check on the shelf that is asked even about faults, as `Fault` values."""
        return self._put(ShelfTool(self.kind, function.__name__, function, sees_faults=True), function)

    def _put(self, made: ShelfTool, function: Function) -> Function:
        if made.name in self._tools and self._tools[made.name].function is not function:
            raise SpecError(f"there are two functions for the {self.kind} {made.name!r}", remedy="rename one")
        if clash := made.parameters.keys() & set(KINDS):
            raise SpecError(f"the {self.kind} {made.name!r} has a parameter {min(clash)!r}, the name of a kind of call")
        self._tools[made.name] = made
        return function

    def names(self) -> list[str]:
        """Return every name, sorted."""
        return sorted(self._tools)

    def get(self, name: str) -> ShelfTool:
        """Return the function of a name; raises UnknownName with a suggestion."""
        if name not in self._tools:
            raise UnknownName(self.kind, name, self._tools)
        return self._tools[name]

    def call(self, name: str, /, *positional: object, **named: object) -> Call:
        """Return a checked call."""
        return self.get(name).bind(positional, named)

    def __getattr__(self, name: str) -> Callable[..., Call]:
        if name.startswith("__"):
            raise AttributeError(name)
        self.get(name)
        return partial(self.call, name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._tools]


def _read(hint: Any, value: Any) -> Any:
    # JSON is what a task file holds; its strict reading takes lists for tuples but no text for numbers.
    return _adapter(hint).validate_json(json.dumps(plain(value), allow_nan=False), strict=True)


_ADAPTERS: dict[int, tuple[Any, TypeAdapter[Any]]] = {}


def _adapter(hint: Any) -> TypeAdapter[Any]:
    # Not every annotation can be hashed; the annotation itself is kept so that its address stays taken.
    if id(hint) not in _ADAPTERS:
        _ADAPTERS[id(hint)] = (hint, TypeAdapter(hint))
    return _ADAPTERS[id(hint)][1]


def _show(value: object, most: int = 80) -> str:
    text = value.name if isinstance(value, Call) else repr(plain(value))
    return text if len(text) <= most else f"{text[:most]}..."
