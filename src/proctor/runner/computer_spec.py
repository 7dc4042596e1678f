"""How the computers of a run are named on the command line and in records: a backend and its options, as text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from proctor.agents.load import look_here
from proctor.computers import options_of
from proctor.errors import SpecError
from proctor.text_options import convert_options

_OPTION = re.compile(r"[a-z_][a-z0-9_]*", re.ASCII)
_SECRET = re.compile(r".*(password|secret|token|key)(?!\w*_(file|env)$).*", re.ASCII)
"""Where a secret lies may be written down; what it is may not."""


@dataclass(frozen=True)
class ComputerSpec:
    """Which backend, with which options for every computer of a run."""

    name: str
    options: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> ComputerSpec:
        """Read `name,option=value,...`; raises SpecError that names every part that is wrong."""
        name, *parts = (part.strip() for part in text.split(","))
        options: dict[str, str] = {}
        faults = [] if name else ["it has no name"]
        for part in parts:
            option, equals, value = (piece.strip() for piece in part.partition("="))
            if not equals or not _OPTION.fullmatch(option):
                faults.append(f"{part!r} is not an option")
            elif option in options:
                faults.append(f"option {option!r} is given twice")
            elif _SECRET.fullmatch(option):
                faults.append(f"option {option!r} would be written into the record")
            options[option] = value
        if faults:
            raise SpecError(
                f"computer {name!r}: {'; '.join(faults)}", remedy="write it as name,option=value,option=value"
            )
        return cls(name, options)

    @property
    def label(self) -> str:
        """The same text for the same backend and options, however they were written."""
        return ",".join([self.name, *(f"{option}={value}" for option, value in sorted(self.options.items()))])

    def constructor_options(self) -> dict[str, Any]:
        """Return the options as the backend's constructor takes them.

        Raises SpecError that names every wrong one.
        """
        if ":" in self.name:
            look_here()
        return dict(_options_of(self.name, tuple(sorted(self.options.items()))))


@lru_cache(maxsize=16)
def _options_of(name: str, options: tuple[tuple[str, str], ...]) -> Mapping[str, Any]:
    """Return typed options; asked for each episode, so they are remembered."""
    return convert_options(options_of(name), dict(options), f"computer {name!r}")
