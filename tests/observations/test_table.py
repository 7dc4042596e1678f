"""The table keeps what the paper keeps, one safe row each, within its budget."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.observations.box import Box
from proctor.observations.table import CUT, HEADER, to_table, useful_nodes
from proctor.observations.tree import Node, Tree
from tests.observations.trees import SEEN, flat, node, trees


@pytest.mark.parametrize(
    "role",
    ["push button", "toggle button", "check box", "combo box", "scroll bar", "menu", "check menu item", "table cell",
     "entry", "document web", "document text", "link", "heading", "terminal", "text", "slider", "label", "list item",
     "paragraph"],
)  # fmt: skip
def test_roles_of_the_paper_are_kept(role: str) -> None:
    assert useful_nodes(flat(node(role)))


@pytest.mark.parametrize(
    "role", ["panel", "frame", "filler", "application", "tool bar", "menu bar", "separator", "", "a<b"]
)
def test_other_roles_are_not(role: str) -> None:
    assert not useful_nodes(flat(node(role)))


@pytest.mark.parametrize(
    "changed",
    [
        node(states=SEEN - {"showing"}),
        node(states=SEEN - {"visible"}),
        node(states=SEEN - {"enabled"}),
        node(name=""),
        node(box=None),
        node(box=Box(-1, 0, 5, 5)),
        node(box=Box(0, -1, 5, 5)),
        node(box=Box(0, 0, 0, 5)),
        node(box=Box(0, 0, 5, 0)),
    ],
)
def test_each_condition_counts(changed: Node) -> None:
    assert useful_nodes(flat(node()))
    assert not useful_nodes(flat(changed))


@pytest.mark.parametrize("state", ["enabled", "editable", "expandable", "checkable"])
def test_one_way_to_be_usable_is_enough(state: str) -> None:
    assert useful_nodes(flat(node(states=frozenset({"showing", "visible", state}))))


def test_pictures_count_only_when_asked_for() -> None:
    nameless = flat(node("icon", name=""), node("push button", name=""), node("entry", name=""))
    assert useful_nodes(nameless) == []
    assert [found.role for found in useful_nodes(nameless, images=True)] == ["icon", "push button"]


def test_a_row() -> None:
    made = node(text='say "hi"', attributes={"class": "GtkButton"}, description="greets")
    assert to_table(flat(made)).splitlines() == [
        "tag\tname\ttext\tclass\tdescription\tposition (top-left x&y)\tsize (w&h)",
        'push-button\tOK\t"say ""hi"""\tGtkButton\tgreets\t(10, 20)\t(30, 40)',
    ]


def test_text_is_quoted_only_when_it_must() -> None:
    rows = to_table(flat(node(text="plain"), node(text=""))).splitlines()
    assert [row.split("\t")[2] for row in rows[1:]] == ["plain", '""']


@given(trees())
def test_every_kept_node_has_one_row(tree: Tree) -> None:
    rows = to_table(tree).split("\n")
    assert rows[0] == HEADER
    assert len(rows) == 1 + len(useful_nodes(tree))


@given(st.text(st.characters()), st.text(st.characters()))
def test_no_text_breaks_out_of_its_cell(name: str, text: str) -> None:
    table = to_table(flat(node(name="x" + name, text=text, description=text, attributes={"class": name})))
    (_, row) = table.splitlines()
    assert row.count("\t") == HEADER.count("\t")


@given(trees(), st.integers(0, 800))
def test_the_budget_holds_with_whole_rows(tree: Tree, max_chars: int) -> None:
    whole, cut = to_table(tree), to_table(tree, max_chars=max_chars)
    if len(whole) <= max_chars or not useful_nodes(tree):
        assert cut == whole
        return
    assert len(cut) <= max(max_chars, len(HEADER) + 1 + len(CUT))
    *rows, last = cut.split("\n")
    assert last == CUT
    assert rows == whole.split("\n")[: len(rows)]


def test_as_many_rows_as_fit() -> None:
    tree = flat(*[node(name=f"button {number}") for number in range(10)])
    rows = to_table(tree).split("\n")
    fits = "\n".join([*rows[:4], CUT])
    assert to_table(tree, max_chars=len(fits)) == fits
    assert to_table(tree, max_chars=len(fits) - 1) == "\n".join([*rows[:3], CUT])


def test_one_long_text_does_not_displace_the_rest() -> None:
    table = to_table(flat(node("terminal", text="x" * 1_000_000), node(name="after")))
    assert CUT in table
    assert "after" in table
