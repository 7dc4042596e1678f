"""How an agent is named on the command line and in records: a name and its options, as text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from proctor.errors import SpecError
from proctor.models.secrets import redact

WHOLE = ("cmd:", "http://", "https://")
"""What follows these is a command or an address, so commas in it mean nothing."""

_AS = ",as="
_ALIAS = re.compile(r"[^,]{1,60}")
_PORT = re.compile(r"(?<=//)([^/?#]*):\d+(?=[/?#]|$)")
"""The port in an address, and what stands before it."""
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
    alias: str = ""
    """What records and reports call it instead of its name and options."""

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise SpecError("an agent without a name", remedy="name one; see `proctor agents list`")
        if _looks_secret(self.name):
            raise _secret(f"an agent {self.name[:4]!r}...", "its name")
        if _looks_secret(self.alias):
            raise _secret(f"agent {self.name!r}", "its alias")
        for option, value in self.options.items():
            if value and (_SECRET_OPTION.fullmatch(option) or _looks_secret(value)):
                raise _secret(f"agent {self.name!r}", f"option {option!r}")

    @classmethod
    def parse(cls, text: str) -> AgentSpec:
        """Read `name,option=value,...,as=ALIAS`; raises SpecError that names every part that is wrong."""
        text = text.strip()
        if text.startswith(WHOLE):
            name, _, alias = text.rpartition(_AS)
            return cls(name, alias=_check_alias(name, alias)) if name else cls(text)
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
        alias = options.pop("as", "")
        if not alias and any(part.partition("=")[0].strip() == "as" for part in parts):
            faults.append("as= names nothing")
        if faults:
            raise SpecError(f"agent {name!r}: {'; '.join(faults)}", remedy="write it as name,option=value,option=value")
        return cls(name, options, _check_alias(name, alias))

    @property
    def label(self) -> str:
        """The same text for the same agent, in whatever order its options and on whatever port its model."""
        if self.alias:
            return self.alias
        address = self.options.get("base_url")
        told = {} if address is None else {"base_url": _PORT.sub(r"\1", address)}
        return _text(self.name, {**self.options, **told})

    @property
    def whole(self) -> str:
        """Its name and all of its options, its alias left aside."""
        return _text(self.name, self.options)

    def __hash__(self) -> int:
        return hash(self.label)

    def __str__(self) -> str:
        return self.label


def vary(spec: AgentSpec, option: str, values: Iterable[str]) -> list[AgentSpec]:
    """Return the agent once for each value of one option, everything else being equal."""
    return [
        replace(
            spec,
            options={**spec.options, option: str(value)},
            alias=f"{spec.alias} {option}={value}" if spec.alias else "",
        )
        for value in values
    ]


def _check_alias(name: str, alias: str) -> str:
    alias = alias.strip()
    if alias and not (_ALIAS.fullmatch(alias) and alias.isprintable()):
        raise SpecError(
            f"agent {name!r} cannot be called {alias[:80]!r}",
            remedy="give a label of at most 60 printable characters, without commas",
        )
    return alias


def _text(name: str, options: Mapping[str, str]) -> str:
    return ",".join([name, *(f"{option}={value}" for option, value in sorted(options.items()))])


def _looks_secret(text: str) -> bool:
    return redact(text) != text or _SECRET_ARGUMENT.search(text) is not None


def _secret(which: str, where: str) -> SpecError:
    return SpecError(
        f"{which}: {where} holds what looks like a key or a password, and would be written into records",
        remedy="put it into an environment variable and let the agent read it there",
    )
