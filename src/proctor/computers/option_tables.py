"""Tables of options in the docs: `python -m proctor.computers.option_tables docs/*.md`."""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from proctor.computers import options_of
from proctor.field_docs import field_docs
from proctor.text_options import text_options

FROM_PYTHON = "from Python"
_TABLE = re.compile(r"(<!-- options of (\w+)[^>]*-->\n)(?:\|.*\n)*")


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


def option_table(backend: str) -> str:
    """Return the options of a backend as a table."""
    rows = ["| option | value | default | meaning |\n| --- | --- | --- | --- |\n"]
    for option in list_options(options_of(backend)):
        default = "(required)" if option.required else f"`{option.default}`" if option.default else ""
        form = option.form.replace(" | ", ", ")
        rows.append(f"| `{option.name}` | {form} | {default} | {option.meaning} |\n")
    return "".join(rows)


def with_tables(page: str) -> str:
    """Return a page whose tables of options, each after `<!-- options of NAME -->`, say what holds now."""
    return _TABLE.sub(lambda found: found[1] + option_table(found[2]), page)


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        path.write_text(with_tables(path.read_text()))
