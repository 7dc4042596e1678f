"""The outline of a screen: what is in it, under which id, in which words, and what changed."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.observations.box import Box
from proctor.observations.outline import MAX_ELEMENTS, Outline, outline
from proctor.observations.outline_ids import Ids
from proctor.observations.outline_text import HOW_TO_READ, change_text, to_text
from proctor.observations.tree import Node, Tree, Value
from tests.observations.trees import trees

SIZE = (800, 600)
SEEN = frozenset({"showing", "visible", "enabled", "sensitive"})


@dataclass(frozen=True)
class Pane:
    title: str
    box: Box
    app: str = "editor"
    active: bool = False
    minimised: bool = False


def grown(*branches: tuple[object, ...]) -> Tree:
    """Return a tree of one application and window: each branch is role, name, fields, and branches below."""
    nodes: list[Node] = []

    def add(parent: int | None, role: str, name: str, fields: dict[str, object], *below: tuple[object, ...]) -> None:
        states = SEEN | frozenset(fields.pop("on", ()))  # type: ignore[call-overload]
        states -= frozenset(fields.pop("off", ()))  # type: ignore[call-overload]
        depth = 0 if parent is None else nodes[parent].depth + 1
        made = Node(
            index=len(nodes), parent=parent, depth=depth, role=role, name=name, states=states, app="editor", window="w",
            **fields,  # type: ignore[arg-type]
        )  # fmt: skip
        nodes.append(made)
        for each in below:
            add(made.index, *each)  # type: ignore[arg-type]

    add(None, "application", "editor", {}, ("frame", "w", {"box": Box(0, 0, *SIZE)}, *branches))
    return Tree(nodes=tuple(nodes))


def at(x: int, y: int, width: int = 40, height: int = 20, **fields: object) -> dict[str, object]:
    return {"box": Box(x, y, width, height), **fields}


def lines(tree: Tree, **options: object) -> list[str]:
    """Return the lines below the window's heading."""
    return to_text(outline(tree, size=SIZE, **options)).split("\n")[1:]  # type: ignore[arg-type]


def test_tabs_toggles_and_states() -> None:
    tree = grown(
        (
            "page tab list", "", at(0, 0, 200, 200),
            ("page tab", "Style", at(0, 0, on=["selected"]), ("label", "Pick one", at(0, 40), )),
            ("page tab", "Icons", at(50, 0)),
        ),
        ("label", "Dark", at(0, 300)),
        ("toggle button", "", at(100, 300, actions=("toggle",))),
        ("push button", "Save", at(0, 400, off=["enabled", "sensitive"])),
        ("text", "", at(0, 500, text="Dear all", on=["editable", "focused"])),
    )  # fmt: skip
    assert lines(tree) == [
        " tabs",
        '  1 tab "Style" selected 20,10 40x20 | 2 "Icons" 70,10',
        ' - "Pick one" 20,50 40x20',
        ' 4 toggle "Dark" unchecked 120,310 40x20',
        ' 5 button "Save" disabled 20,410 40x20',
        ' 6 field = "Dear all" focused editable 20,510 40x20',
    ]


def test_a_row_of_a_table_is_a_line() -> None:
    def row(y: int, *cells: str) -> list[tuple[object, ...]]:
        return [("table cell", name, at(100 * place, y, 90, on=["selectable"])) for place, name in enumerate(cells)]

    tree = grown(("table", "Files", at(0, 0, 400, 200), *row(0, "a.txt", "3 kB"), *row(20, "b.txt", "")))
    assert lines(tree) == [
        ' table "Files"',
        '  1 cell "a.txt" 45,10 90x20 | 2 "3 kB" 145,10',
        '  3 "b.txt" 45,30 | 4 145,30',
    ]


def test_empty_cells_of_a_sheet_are_told_together() -> None:
    cells = [
        ("table cell", f"{letter}1", at(100 * place, 0, 100, text="7" if letter == "A" else "", on=["selectable"]))
        for place, letter in enumerate("ABCDE")
    ]
    assert lines(grown(("table", "", at(0, 0, 600, 20), *cells)))[1] == (
        '  1 cell "A1" = "7" 50,10 100x20 | 2-5 "B1"-"E1" 150,10-450,10'
    )
    assert '21-42 "B1"-"W1"' in HOW_TO_READ


def test_what_is_said_twice_stands_once() -> None:
    tree = grown(
        ("push button", "Save", at(0, 0), ("label", "Save", at(5, 5, 20, 10))),
        ("list", "", at(0, 100, 200, 100), ("list item", "", at(0, 100, 200, 20, on=["selectable"]),
            ("label", "Inbox", at(0, 100)), ("label", "5 new", at(100, 100)))),
        ("push button", "GtkMenuButton", at(0, 300, description="Main Menu"),
            ("push button", "GtkMenuButton", at(2, 302, 10, 10, description="Main Menu"))),
        ("push button", "_Add Add", at(0, 400)),
    )  # fmt: skip
    assert lines(tree) == [
        ' 1 button "Save" 20,10 40x20',
        " list",
        '  2 item "Inbox · 5 new" 100,110 200x20',
        ' 3 button "Main Menu" 7,307 10x10',
        ' 4 button "Add" 20,410 40x20',
    ]


def test_numbers_of_sliders_and_scroll_bars() -> None:
    value = Value(current=25, minimum=0, maximum=100)
    tree = grown(
        ("slider", "Volume", at(0, 0, value=value)),
        ("spin button", "Copies", at(0, 100, value=value)),
        ("scroll bar", "", at(0, 200, value=value)),
    )
    assert lines(tree) == [
        ' 1 slider "Volume" = "25 of 0 to 100" 20,10 40x20',
        ' 2 spin button "Copies" = "25" 20,110 40x20',
        ' 3 scroll bar = "25%" 20,210 40x20',
    ]


def test_what_is_scrolled_away_is_offscreen_and_other_pages_are_not_told() -> None:
    tree = grown(
        (
            "scroll pane", "", at(0, 0, 200, 100),
            ("push button", "near", at(0, 0)), ("push button", "far", at(0, 300)),
        ),
        ("panel", "", {}, ("push button", "on another page", {})),
    )  # fmt: skip
    assert lines(tree) == [' 1 button "near" 20,10 40x20', ' 2 button "far" offscreen']
    found = outline(tree, size=SIZE)
    assert found.points() == {1: (20, 10)}
    assert found.reasons() == {2: 'button "far" is offscreen'}


def test_windows_in_front_cover_and_a_free_place_is_clicked() -> None:
    tree = grown(("push button", "Save", at(0, 0, 100, 100)), ("push button", "Print", at(200, 0, 50, 50)))
    below, above = Pane("w", Box(0, 0, *SIZE)), Pane("other", Box(40, 0, 400, 300), "game", active=True)
    found = outline(tree, size=SIZE, windows=[below, above])
    points = found.points()
    assert to_text(found).split("\n") == [
        'window "other" (game, active, does not tell its elements) 240,150 400x300',
        'window "w" (editor) 400,300 800x600',
        ' 1 button "Save" 50,50 100x100',
        ' 2 button "Print" covered 225,25 50x50',
    ]
    assert points.keys() == {1}
    assert points[1][0] < 40
    assert found.reasons() == {2: 'button "Print" is covered by another window'}


def test_ids_stay_and_what_is_gone_is_remembered() -> None:
    ids = Ids()
    first = outline(grown(("push button", "A", at(0, 0)), ("push button", "B", at(0, 100))), size=SIZE, ids=ids)
    then = grown(("push button", "New", at(0, 0)), ("push button", "B", at(0, 200)), ("push button", "C", at(0, 300)))
    second = outline(then, size=SIZE, ids=ids)
    # B has moved; what lies where A was is called otherwise, and is the same thing with another name.
    assert [(each.id, each.name) for each in second.elements] == [(1, "New"), (2, "B"), (3, "C")]
    third = outline(grown(("push button", "C", at(0, 300))), size=SIZE, ids=ids)
    assert [(each.id, each.name) for each in third.elements] == [(3, "C")]
    assert third.reasons() == {1: 'button "New" is gone', 2: 'button "B" is gone'}
    assert change_text(first, second) == '\n'.join([
        'now: 1 button "New" 20,10 40x20',
        'now: 2 button "B" 20,210 40x20',
        'new: 3 button "C" 20,310 40x20',
    ])  # fmt: skip
    assert "gone: 2 button" in change_text(second, third)
    assert change_text(third, third) == ""


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a\nb\tc\x1b[31m", '"a\\nb\\tc [31m"'),
        ("מסמך \u202eabc\u202c", '"מסמך abc"'),
        ('say "hi"', '"say \\"hi\\""'),
        ("x" * 5000, '"' + "x" * 300 + '…"'),
        ("", ""),
    ],
)
def test_any_name_stays_on_its_line(name: str, said: str) -> None:
    (line,) = lines(grown(("push button", name, at(0, 0))))
    assert line == " ".join(filter(None, [" 1 button", said, "20,10 40x20"]))


def test_ten_thousand_rows_are_bounded_and_counted() -> None:
    rows = [("table cell", f"row {number}", at(0, number % 500, on=["selectable"])) for number in range(10_000)]
    found = outline(grown(("table", "", at(0, 0, 400, 600), *rows)), size=SIZE)
    assert len(list(found.elements)) == MAX_ELEMENTS
    assert found.left_out == 10_000 - MAX_ELEMENTS
    assert to_text(found).endswith(f"({10_000 - len(shown(found))} more elements are left out)")
    assert len(to_text(found, max_chars=500)) < 600


def shown(found: Outline) -> list[int]:
    """Return the elements that have room in the usual text."""
    text = to_text(found)
    return [each.id for each in found.elements if f'"{each.name}"' in text]


@given(trees(), st.integers(1, 2000), st.integers(1, 2000))
def test_any_tree(tree: Tree, width: int, height: int) -> None:
    found = outline(tree, size=(width, height))
    elements = list(found.elements)
    assert len({each.id for each in elements}) == len(elements)
    screen = Box(0, 0, width, height)
    assert all(each.box is None or each.box.intersect(screen) == each.box for each in elements)
    assert all(each.point is None or screen.contains(*each.point) for each in elements)
    assert len(to_text(found).split("\n")) == max(len(found.lines), 1)
    again = outline(tree, size=(width, height))
    assert change_text(found, again) == ""


@given(trees(), trees())
def test_ids_are_never_given_to_two(one: Tree, other: Tree) -> None:
    ids = Ids()
    for tree in (one, other, one):
        numbers = [each.id for each in outline(tree, size=SIZE, ids=ids).elements]
        assert len(set(numbers)) == len(numbers)


def test_a_form_is_read_as_it_stands() -> None:
    tree = grown(
        ("label", "Name:", at(0, 0, 60)), ("text", "", at(100, 0, 100, on=["editable"], text="Ada")),
        ("combo box", "Large", at(100, 100, 100), ("menu", "", {"off": ["showing"]})),
        ("label", "Size:", at(0, 100, 60)),
        ("check box", "Bold", at(0, 200, on=["checked"])),
    )  # fmt: skip
    assert lines(tree) == [
        ' 1 field "Name" = "Ada" editable 150,10 100x20',
        ' 2 combo box "Size" = "Large" 150,110 100x20',
        ' 3 check box "Bold" checked 20,210 40x20',
    ]


def test_a_popup_stands_before_its_window() -> None:
    tree = grown(("push button", "Under", at(0, 0)))
    top = Node(index=3, parent=0, depth=1, role="window", states=SEEN, box=Box(0, 0, 100, 100), app="editor", window="")
    item = replace(top, index=4, parent=3, depth=2, role="menu item", name="Copy", box=Box(0, 0, 100, 20))
    whole = Tree(nodes=(*tree.nodes, top, item))
    text = to_text(outline(whole, size=SIZE, windows=[Pane("w", Box(0, 0, *SIZE), active=True)]))
    assert text.index("Copy") < text.index("Under")
