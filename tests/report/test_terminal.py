"""Tables in narrow terminals and in pipes: no column and no id is lost."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.table import Table

from proctor.report.terminal import IN_A_PIPE, open_console, print_table

ID = "core/answer-the-invitation-to-the-summer-party-v1"

WORD = st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=30)


def drawn(table: Table, width: int) -> str:
    console = Console(file=io.StringIO(), width=width)
    print_table(console, table)
    assert console.width == width
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def table_of(*rows: tuple[str, ...], box: bool = False) -> Table:
    table = Table("task", "level", "applications", "demand", pad_edge=False)
    if not box:
        table.box = None
    for row in rows:
        table.add_row(*row)
    return table


@pytest.mark.parametrize("width", [20, 40, 60, 80, 200])
@pytest.mark.parametrize("box", [True, False])
def test_nothing_is_cut_however_narrow(width: int, box: bool) -> None:
    text = drawn(table_of((ID, "L3", "thunderbird, libreoffice-writer", "Office / Communicating"), box=box), width)
    for word in (ID, "level", "L3", "thunderbird,", "libreoffice-writer", "Communicating", "applications", "demand"):
        assert word in text
    assert "…" not in text


def test_a_table_with_room_for_its_words_keeps_within_the_screen() -> None:
    text = drawn(table_of(("a", "L3", "one two three four five six seven eight", "nine ten eleven")), 40)
    assert max(map(len, text.splitlines())) <= 40


def test_figures_stay_on_one_line() -> None:
    table = Table("agent", box=None)
    table.add_column("success", justify="right")
    table.add_row("some agent with a long name", "100 % [68, 100]")
    assert "100 % [68, 100]" in drawn(table, 30)


@given(st.lists(st.tuples(WORD, WORD, st.lists(WORD, min_size=1).map(" ".join), WORD), min_size=1), st.integers(1, 120))
def test_every_word_of_any_table_is_whole(rows: list[tuple[str, ...]], width: int) -> None:
    text = drawn(table_of(*rows), width)
    for row in rows:
        for cell in row:
            for word in cell.split():
                assert word in text


def test_in_a_pipe_nothing_is_broken_into_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert open_console().width == IN_A_PIPE
    monkeypatch.setenv("COLUMNS", "60")
    assert open_console().width == 60
