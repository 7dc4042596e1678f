"""How an agent is named on the command line and in records: a name and its options, as text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from proctor.errors import SpecError
from proctor.models.secrets import redact

WHOLE = ("cmd:", "http://", "https://")
"""What follows these is a command or an address, so commas in it mean nothing."""

_OPTION = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_SECRET_OPTION = re.compile(r"(api_?)?key|(\w+_)?(token|secret|password|passwd)", re.ASCII | re.IGNORECASE)
_SECRET_ARGUMENT = re.compile(
    r"(--(api[_-]?key|(access[_-]?)?token|password|secret)[= ]|\b(api_?key|token|password|secret)=)\S", re.IGNORECASE
)


@dataclass(frozen=True)
class AgentSpec:
    """Which agent, with which options; as records hold it, it refuses what looks like a key."""

    name: str
    """A registered name, `module:Class`, `cmd:COMMAND` or an address."""
    options: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise SpecError("an agent without a name", remedy="name one; see `proctor agents list`")
        if _looks_secret(self.name):
            raise _secret(f"an agent {self.name[:4]!r}...", "its name")
        for option, value in self.options.items():
            if value and (_SECRET_OPTION.fullmatch(option) or _looks_secret(value)):
                raise _secret(f"agent {self.name!r}", f"option {option!r}")

    @classmethod
    def parse(cls, text: str) -> AgentSpec:
        """Read `name,option=value,...`; raises SpecError that names every part that is wrong."""
        text = text.strip()
        if text.startswith(WHOLE):
            return cls(text)
        name, *parts = (part.strip() for part in text.split(","))
        options: dict[str, str] = {}
        faults = []
        for part in parts:
            option, equals, value = (piece.strip() for piece in part.partition("="))
            if not equals or not _OPTION.fullmatch(option):
                faults.append(f"{part!r} is not an option")
            elif option in options:
                faults.append(f"option {option!r} is given twice")
            options[option] = value
        if faults:
            raise SpecError(f"agent {name!r}: {'; '.join(faults)}", remedy="write it as name,option=value,option=value")
        return cls(name, options)

    @property
    def label(self) -> str:
        """The same text for the same agent and options, however they were written."""
        return ",".join([self.name, *(f"{option}={value}" for option, value in sorted(self.options.items()))])

    def __hash__(self) -> int:
        return hash(self.label)

    def __str__(self) -> str:
        return self.label


def vary(spec: AgentSpec, option: str, values: Iterable[str]) -> list[AgentSpec]:
    """Return the agent once for each value of one option, everything else being equal."""
    return [replace(spec, options={**spec.options, option: str(value)}) for value in values]


def _looks_secret(text: str) -> bool:
    return redact(text) != text or _SECRET_ARGUMENT.search(text) is not None


def _secret(which: str, where: str) -> SpecError:
    return SpecError(
        f"{which}: {where} holds what looks like a key or a password, and would be written into records",
        remedy="put it into an environment variable and let the agent read it there",
    )
