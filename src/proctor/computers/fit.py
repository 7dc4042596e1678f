"""Whether a computer meets what a task needs."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar, cast

from proctor.computers.host_checks import Check, HostBound
from proctor.errors import SpecError
from proctor.home import HOME


@dataclass(frozen=True, kw_only=True)
class MachineNeeds:
    """What a task needs of the computer that it is set on, in words that hold for any."""

    settings: Mapping[str, Any] = field(default_factory=dict)
    """How it is to be set up: size, locale, timezone, clock, network, image, look."""
    insists: frozenset[str] = frozenset()
    """Which of the settings must be just so; the others are what a computer gets that can be told."""
    applications: tuple[str, ...] = ()
    services: tuple[str, ...] = ()
    """Local services that its setup starts."""
    capabilities: frozenset[str] = frozenset()
    prepared: bool = False
    """Whether its setup puts something there before an agent begins."""
    home: str = ""
    """The user's home folder; empty for wherever the computer has it."""


@dataclass(frozen=True)
class Fit:
    """How a backend meets what a task needs."""

    options: Mapping[str, Any]
    """What to open the computer with."""
    lacks: tuple[str, ...] = ()
    """Every reason why it cannot, each a part of a sentence such as `it has no application thunar`."""


@dataclass(frozen=True, kw_only=True)
class Lack:
    """Something that keeps a kind of computer from being opened on this machine."""

    what: str
    remedy: str = ""


class Meets:
    """The side of a computer that is asked before there is one: would such a one do for a task?"""

    __signature__: ClassVar[inspect.Signature]
    Options: ClassVar[type | None] = None
    """The frozen dataclass of its options; without one, they are what its constructor takes."""
    home: ClassVar[str] = HOME
    """The user's home folder inside."""
    system: ClassVar[str] = "a Linux desktop"
    """What kind of computer it is, for those who use it."""
    fixed_settings: ClassVar[tuple[str, ...]] = ()
    """Settings that its constructor takes and that have no effect."""

    example: ClassVar[Mapping[str, Any]] = {}
    """Options with which such a computer can be described, for whoever asks what it is made of."""

    remark: ClassVar[str] = ""
    """What whoever opens such a computer should know first, such as that nobody has tried it yet."""

    def __init_subclass__(cls) -> None:
        if "__init__" in cls.__dict__ and "Options" not in cls.__dict__:
            cls.Options = None
        # So that `help`, and whoever asks what the constructor takes, are told by the only declaration there is.
        cls.__signature__ = inspect.signature(cls.Options) if cls.Options else _signature(cls.__init__)

    @classmethod
    def checks(cls) -> Mapping[str, Check]:
        """Return what the doctor looks at; what is `missing` keeps such a computer from being opened."""
        return {}

    @classmethod
    def loose_bounds(cls) -> Sequence[HostBound]:
        """Return the bounds that code which tries to do harm could pass here."""
        return ()

    @classmethod
    def lacks_here(cls) -> list[Lack]:
        """Return what this machine lacks to open such a computer; nothing is started."""
        return []

    @staticmethod
    def applications(options: Mapping[str, Any]) -> Collection[str] | None:
        """Return all applications of such a computer with these options; None where not known."""
        return None

    @classmethod
    def describe(cls) -> str:
        """Return what kind of computer it is and where the home folder is, where that is known."""
        return f"{cls.system}; its user's home folder is {cls.home}" if cls.home.startswith("/") else cls.system

    @classmethod
    def meet(cls, needs: MachineNeeds, given: Mapping[str, Any]) -> Fit:
        """Say how such a computer meets a task's needs, or all that it lacks; nothing is started.

        The options `given` count before what a task would like but does not insist on.
        """
        named, anything = _takes(cast(Any, cls))
        settable = {name for name in needs.settings if anything or name in named} - {*cls.fixed_settings}
        lacks = list(_unsettable(needs, given, settable))
        options = {name: value for name, value in needs.settings.items() if name in settable} | dict(given)
        applications = cls.applications(options)
        if applications is not None:
            lacks += [f"it has no application {name}" for name in needs.applications if name not in applications]
        if needs.home and needs.home != cls.home:
            lacks.append(f"its home folder is {cls.home}, and the task needs {needs.home}")
        lacks += _missing_parts(cls, options, needs)
        return Fit(options, tuple(dict.fromkeys(lacks)))


def _signature(method: Callable[..., object]) -> inspect.Signature:
    taken = inspect.signature(method)
    return taken.replace(parameters=list(taken.parameters.values())[1:])


@lru_cache(maxsize=64)
def _takes(backend: type[Any]) -> tuple[frozenset[str], bool]:
    """Return what a constructor takes, and whether it takes anything, remembered per class."""
    takes = inspect.signature(backend).parameters.values()
    anything = any(parameter.kind is parameter.VAR_KEYWORD for parameter in takes)
    return frozenset(parameter.name for parameter in takes), anything


def _unsettable(needs: MachineNeeds, given: Mapping[str, Any], settable: Collection[str]) -> Iterator[str]:
    """Yield each setting that a task insists on and does not get."""
    for name in needs.settings:
        value = needs.settings[name]
        if name not in needs.insists or given.get(name, value) == value and (name in given or name in settable):
            continue
        if name in given:
            yield f"the run sets its {name} to {_text(given[name])}, and the task needs {_text(value)}"
        else:
            yield f"its {name} cannot be set, and the task needs {_text(value)}"


def _missing_parts(backend: type[Any], options: Mapping[str, Any], needs: MachineNeeds) -> list[str]:
    wanted = needs.capabilities | ({"network"} if needs.services else set())
    if not wanted:
        return []
    try:
        # Described, not started: what it is made of is known then.
        backend(**options).need(*sorted(wanted))
    except SpecError as error:
        return [error.message]
    return []


def _text(value: Any) -> str:
    return "x".join(map(str, value)) if isinstance(value, tuple) and len(value) == 2 else str(value)
