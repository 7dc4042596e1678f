"""The options of each kind of computer, as it declares them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

from proctor.field_docs import field_docs
from proctor.text_options import text_options

FROM_PYTHON = "from Python"


@dataclass(frozen=True, kw_only=True)
class ListedOption:
    """One thing that can be said of a computer when it is opened."""

    name: str
    form: str
    """What to write on the command line."""
    default: str
    """What holds unless it is said, written in the same way; empty where that is nothing."""
    required: bool
    meaning: str


def list_options(declared: Callable[..., object]) -> list[ListedOption]:
    """Return the options that a dataclass declares, its own before those that others share, or a constructor takes."""
    known = {option.name: option for option in text_options(declared)}
    meanings: dict[str, str] = {}
    names = list(known)
    if isinstance(declared, type) and dataclasses.is_dataclass(declared):
        meanings = field_docs(declared)
        names = sorted((field.name for field in dataclasses.fields(declared)), key=[*meanings, *names].index)
    return [
        ListedOption(
            name=name,
            form=known[name].form if name in known else FROM_PYTHON,
            default=known[name].default_text if name in known else "",
            required=name in known and known[name].required,
            meaning=meanings.get(name, ""),
        )
        for name in names
    ]
