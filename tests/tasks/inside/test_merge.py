"""Two states as one tree: all taken back is the earlier one, nothing the later one, whatever they hold."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.tasks.inside.merge import Merge, merge
from proctor.tasks.inside.runs import looks_kept

LEAVES = st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.text("ab\n ", max_size=6))
NAMED = st.fixed_dictionaries({"name": st.text("abc", min_size=1, max_size=2), "value": LEAVES})
STATES = st.recursive(
    LEAVES | NAMED,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=20,
)
CELLS = st.fixed_dictionaries(
    {"value": st.integers(0, 3)},
    optional={"bold": st.booleans(), "formula": st.sampled_from(["=A1", "=A2", "=SUM(A1)"])},
)
GRIDS = st.dictionaries(st.sampled_from([f"{c}{r}" for c in "ABC" for r in range(1, 6)]), CELLS, max_size=12)


def everything(merged: Merge) -> set[int]:
    return {each.number for each in merged.differences}


@given(STATES, STATES)
def test_all_taken_back_is_the_earlier_state_and_nothing_the_later(before: Any, after: Any) -> None:
    merged = merge(copy.deepcopy(before), copy.deepcopy(after))
    assert repr(merged.without(())) == repr(after) or merged.without(()) == after
    assert merged.without(everything(merged)) == before


@given(GRIDS, GRIDS)
def test_so_it_is_with_cells(before: Any, after: Any) -> None:
    merged = merge({"cells": before}, {"cells": after})
    assert merged.without(()) == {"cells": after}
    # Where nothing but results differs, there is nothing to take back.
    assert merged.without(everything(merged)) == {"cells": before if merged.differences else after}


@given(st.lists(NAMED, max_size=6, unique_by=lambda each: each["name"]), st.randoms(use_true_random=False))
def test_any_part_can_be_taken_back(items: list[Any], random: Any) -> None:
    after = [each for each in copy.deepcopy(items) if random.random() > 0.3]
    random.shuffle(after)
    merged = merge(items, after)
    some = {each for each in everything(merged) if random.random() > 0.5}
    assert isinstance(merged.without(some), list)


def book(*rows: list[object]) -> dict[str, Any]:
    return {
        "cells": {
            f"{'ABCDE'[at]}{row}": {"value": value}
            for row, values in enumerate(rows, 1)
            for at, value in enumerate(values)
        }
    }


def places(merged: Merge) -> list[tuple[str, str]]:
    return [(each.kind, "/".join(each.place)) for each in merged.differences]


ROWS: list[list[object]] = [["Name", "Sum"], ["Ada", 3], ["Bob", 4], ["Cleo", 5], ["Dan", 6]]


def test_a_row_that_was_put_in_is_one_difference() -> None:
    merged = merge(book(*ROWS), book(*ROWS[:2], ["New", 1], *ROWS[2:]))
    assert places(merged) == [("added", "cells/row 3")]


def test_a_column_that_was_taken_out_is_one_difference() -> None:
    wide = [[row[0], at, row[1]] for at, row in enumerate(ROWS)]
    assert places(merge(book(*wide), book(*ROWS))) == [("removed", "cells/column 2")]


def test_rows_added_at_the_end_come_with_their_cells() -> None:
    merged = merge(book(*ROWS), book(*ROWS, ["Eve", 7]))
    assert places(merged) == [("added", "cells/A6"), ("added", "cells/B6")]


def test_a_result_that_follows_from_others_is_no_difference() -> None:
    cells = [{"A1": {"value": number}, "A2": {"value": number * 2, "formula": "=A1*2"}} for number in (1, 5)]
    assert places(merge({"cells": cells[0]}, {"cells": cells[1]})) == [("changed", "cells/A1/value")]


def test_what_tells_one_thing_in_several_ways_differs_together() -> None:
    one = {"cells": {"A1": {"value": 1, "shown": "1.00", "bold": True}}}
    two = {"cells": {"A1": {"value": 2, "shown": "2.00", "bold": False}}}
    assert sorted(places(merge(one, two))) == [("changed", "cells/A1"), ("changed", "cells/A1/bold")]


@pytest.mark.parametrize(
    ("before", "after", "wanted"),
    [
        ([{"uid": 1, "title": "a"}], [{"uid": 1, "title": "b"}], [("changed", "a/title")]),
        ([{"id": 1}, {"id": 2}], [{"id": 2}, {"id": 1}], [("moved", "2")]),
        ([{"uid": 1}, {"uid": 2}], [{"uid": 2}, {"uid": 1}], []),
        ("one\n\ntwo  words\n", "one\r\ntwo words \r\n", []),
        (["a", "b", "c"], ["a", "c"], [("removed", "b")]),
        ("one\ntwo\nthree\n", "one\n2\nthree\n", [("changed", "line 2")]),
        ({"a": 1}, {"a": True}, [("changed", "a")]),
        ({"mode": 644}, {}, [("removed", "mode")]),
    ],
)
def test_differences_have_a_place(before: Any, after: Any, wanted: list[tuple[str, str]]) -> None:
    assert places(merge(before, after)) == wanted


@pytest.mark.parametrize(
    ("before", "after", "wanted"),
    [
        ({"width_mm": 210, "height_mm": 297}, {"width_mm": 297, "height_mm": 210}, [("changed", "page")]),
        (
            {"digest": "a", "width": 3, "tags": {"x": 1}},
            {"digest": "b", "width": 4, "tags": {"x": 1}},
            [("changed", "page")],
        ),
        (
            {"style": "Text", "runs": [{"text": "a", "size": 12}]},
            {"style": "Title", "runs": [{"text": "a", "size": 16}]},
            [("changed", "page")],
        ),
        ({"balances": {"Cash": 1}, "title": "a"}, {"balances": {"Cash": 2}, "title": "b"}, [("changed", "page/title")]),
    ],
)
def test_what_follows_from_one_thing_is_one_difference(before: Any, after: Any, wanted: list[tuple[str, str]]) -> None:
    merged = merge({"page": before}, {"page": after})
    assert places(merged) == wanted
    assert merged.without(everything(merged)) == {"page": before}


def runs(*told: tuple[str, str]) -> list[dict[str, str]]:
    return [{"text": text, "font": font} for text, font in told]


@pytest.mark.parametrize(
    ("before", "after", "look"),
    [
        (runs(("Pay Berg now", "Serif")), runs(("Pay Lund now", "Serif")), None),
        (runs(("Pay Berg now", "Serif")), runs(("Pay Lund now", "Comic")), runs(("Pay Lund now", "Serif"))),
        (
            runs(("Pay Berg now", "Serif")), runs(("Pay ", "Serif"), ("Lund", "Comic"), (" now", "Serif")),
            runs(("Pay Lund now", "Serif")),
        ),
        (
            runs(("Pay ", "Serif"), ("Berg", "Mono"), (" now", "Serif")), runs(("Pay Lund now", "Serif")),
            None,
        ),
        (
            runs(("Pay ", "Serif"), ("Berg", "Mono"), (" now", "Serif")),
            runs(("Pay ", "Serif"), ("Lund", "Mono"), (" now", "Serif")), None,
        ),
        (runs(("Pay Berg", "Serif")), runs(("Pay Berg and Lund", "Serif")), None),
        (
            runs(("Pay Berg", "Serif")), runs(("Pay Berg", "Mono"), (" and Lund", "Serif")),
            runs(("Pay Berg and Lund", "Serif")),
        ),
        ([], runs(("Lund", "Comic")), None),
    ],
)  # fmt: skip
def test_who_writes_other_words_need_not_change_their_look(before: Any, after: Any, look: Any) -> None:
    one, two = ({"text": "".join(run["text"] for run in told), "runs": told} for told in (before, after))
    merged = merge({"page": one}, {"page": two})
    assert places(merged)[:1] == [("changed", "page")]
    assert [place for _, place in places(merged)[1:]] == ([] if look is None else ["page/look"])
    assert merged.without(everything(merged)) == {"page": one}
    assert merged.without(set()) == {"page": two}
    if look is not None:
        assert merged.without({1}) == {"page": {**two, "runs": look}}


def test_what_is_no_text_with_looks_is_taken_as_it_is() -> None:
    for odd in ("a", [1], [{"text": 3}], [{"bold": True}], None):
        assert looks_kept(odd, runs(("a", "Serif"))) is None
        assert looks_kept(runs(("a", "Serif")), odd) is None
    assert looks_kept(runs(("a" * 30_000, "Serif")), runs(("b" * 30_000, "Mono"))) is None
