"""The tables of options in the docs, written anew: `python -m tests.computers.option_tables docs/*.md`."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from proctor.computers import options_of
from proctor.computers.option_list import list_options

_TABLE = re.compile(r"(<!-- options of (\w+)[^>]*-->\n)(?:\|.*\n)*")


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
