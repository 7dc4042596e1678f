"""Nothing that comes from outside moves a cursor, starts markup or hides: the functions through which it is printed."""

from __future__ import annotations

import io
import json
import re
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st
from rich.console import Console

from proctor.cli.plain import escape
from proctor.plain_text import json_text, one_line, printable
from proctor.report.markdown import escape_markdown
from tests.hostile.records.foreign import EVIL

TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=80)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT
DATA = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner), max_leaves=10)


@given(TEXT)
@example(EVIL)
def test_every_character_that_is_printed_is_seen(text: str) -> None:
    assert all(line.isprintable() for line in printable(text).split("\n"))
    assert one_line(text).isprintable()
    assert printable(text).count("\n") == text.count("\n")
    printable(text).encode()


@given(TEXT.filter(str.isprintable))
def test_what_is_printable_stays_as_it_is(text: str) -> None:
    assert printable(text) == one_line(text) == text


@given(DATA)
@example({EVIL: [EVIL]})
def test_json_is_plain_and_loses_nothing(data: Any) -> None:
    for indent in (None, 2):
        text = json_text(data, indent=indent)
        assert all(line.isprintable() for line in text.split("\n"))
        assert json.loads(text) == data


@given(TEXT)
@example("[link=file:///etc/passwd]x[/link]\\")
@example("\\[bold]x")
@example(EVIL)
def test_rich_prints_what_is_there(text: str) -> None:
    out = io.StringIO()
    Console(file=out, force_terminal=True, highlight=False, width=10_000).print(escape(text), emoji=False)
    # What is left besides line ends is what would be seen; rich itself adds no colour to it.
    assert "\x1b" not in out.getvalue()
    assert all(line.isprintable() for line in out.getvalue().split("\n"))


@given(TEXT)
@example(EVIL)
def test_markdown_has_no_cell_tag_or_link_of_its_own(text: str) -> None:
    shown = escape_markdown(text)
    assert shown.isprintable()
    bare = re.sub(r"\\.", "", shown)
    assert not set(bare) & set("|<>[]`*_&!@")
    assert "://" not in bare
    assert not re.search(r"\bwww\.", bare, re.IGNORECASE)
