"""Trees that are read again where something was drawn, and remembered where nothing was."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.observations.box import Box
from proctor.observations.tree import Still, Tree
from tests.channels.desktops import SHOWN, App, Desktop, Thing, sheet

CACHES = ["all", "old", "nothing"]
EVERYWHERE = Box(0, 0, 2000, 2000)


def drawn(*boxes: Box) -> Still:
    """Say that something was drawn in these places alone."""
    return lambda place: not any(place.intersect(box) for box in boxes)


def window(count: int = 12) -> tuple[Thing, list[Thing]]:
    """Return a window with two rows of buttons, each row in a panel of its own."""
    buttons = [
        Thing("push button", f"b{n}", box=(20 + 50 * (n // 2), 20 + 100 * (n % 2), 40, 20)) for n in range(count)
    ]
    panels = [Thing("panel", "", buttons[row::2], box=(10, 10 + 100 * row, 600, 50)) for row in range(2)]
    return Thing("frame", "main", panels, box=(0, 0, 700, 300)), buttons


def fresh(app: App) -> Tree:
    with Desktop(app).reader() as reader:
        return reader.read()


@pytest.mark.parametrize("cache", CACHES)
def test_where_nothing_was_drawn_hardly_anything_is_asked(cache: str) -> None:
    frame, _ = window(20)
    desktop = Desktop(App("app", [frame], cache=cache))
    with desktop.reader() as reader:
        first = reader.read()
        before = len(desktop.calls)
        again = reader.read(still=drawn())
        asked = len(desktop.calls) - before
        reader.read(still=drawn(EVERYWHERE))
        everything = len(desktop.calls) - before - asked
    assert again == first
    assert 2 * asked < everything


@pytest.mark.parametrize("cache", CACHES)
def test_what_moved_or_came_up_where_it_was_drawn_is_seen(cache: str) -> None:
    frame, buttons = window()
    app = App("app", [frame], cache=cache)
    desktop = Desktop(app)
    with desktop.reader() as reader:
        reader.read()
        buttons[0].box, buttons[2].name = (25, 22, 40, 20), "renamed"
        new = Thing("push button", "new", box=(400, 20, 40, 20), path="/org/a11y/atspi/accessible/999")
        frame.children[0].children.append(new)
        app.adopt(app.bus)
        tree = reader.read(still=drawn(Box(20, 20, 500, 20)))
    assert tree == fresh(app)
    assert {"renamed", "new"} <= {node.name for node in tree.nodes}


@pytest.mark.parametrize("cache", CACHES)
def test_what_is_said_to_be_still_is_taken_at_its_word(cache: str) -> None:
    frame, buttons = window()
    with Desktop(App("app", [frame], cache=cache)).reader() as reader:
        reader.read()
        buttons[0].box = (25, 22, 40, 20)
        places = {node.name: node.box for node in reader.read(still=drawn()).nodes}
        assert places["b0"] == Box(20, 20, 40, 20)
        # Without a word about the screen all is asked again.
        places = {node.name: node.box for node in reader.read().nodes}
        assert places["b0"] == Box(25, 22, 40, 20)


def test_a_list_that_was_scrolled_is_read_anew_with_what_was_out_of_sight() -> None:
    table = sheet(4, 1)
    rows = table.children
    for number, row in enumerate(rows):
        row.children = [Thing("label", f"row {number}", box=row.box)]
    out_of_sight = rows[-1]
    out_of_sight.box = out_of_sight.children[0].box = (-500, -500, 10, 10)
    app = App("files", [Thing("frame", "w", [table], box=(0, 0, 900, 700))])
    with Desktop(app).reader() as reader:
        first = reader.read()
        assert next(node for node in first.nodes if node.name == "row 3").box is None
        # What a menu covers of it changes nothing of the rows.
        assert reader.read(still=drawn(Box(*rows[0].box))) == first
        moved = [(x, y - 20, width, height) for x, y, width, height in (row.box for row in sheet(4, 1).children)]
        for row, box in zip(rows, moved, strict=True):
            row.box = row.children[0].box = box
        tree = reader.read(still=drawn(Box(*table.box)))
    assert tree == fresh(app)
    assert next(node for node in tree.nodes if node.name == "row 3").box == Box(*moved[3])


def test_looking_for_the_focus_does_not_change_what_is_remembered() -> None:
    frame, buttons = window()
    with Desktop(App("app", [frame])).reader() as reader:
        reader.read()
        buttons[0].box = (25, 22, 40, 20)
        assert reader.focused() is None  # it reads the whole tree for that, at another time than its caller's picture
        buttons[0].box = (30, 22, 40, 20)
        places = {node.name: node.box for node in reader.read(still=drawn()).nodes}
    assert places["b0"] == Box(30, 22, 40, 20)


Change = tuple[int, str, int]
CHANGES = st.lists(st.tuples(st.integers(0, 11), st.sampled_from(["box", "name", "states", "gone"]), st.integers(1, 9)))


@given(rounds=st.lists(CHANGES, min_size=1, max_size=3), cache=st.sampled_from(CACHES))
@settings(max_examples=40, deadline=None)
def test_with_the_truth_about_the_screen_a_tree_read_again_is_the_whole_truth(
    rounds: Sequence[Sequence[Change]], cache: str
) -> None:
    frame, buttons = window()
    app = App("app", [frame], cache=cache)
    with Desktop(app).reader() as reader:
        reader.read()
        for changes in rounds:
            places: list[Box] = []
            for number, what, amount in changes:
                places.append(Box(*buttons[number].box))
                _change(frame, buttons[number], what, amount)
                places.append(Box(*buttons[number].box))
            app.adopt(app.bus)
            assert reader.read(still=drawn(*places)) == fresh(app)


def _change(frame: Thing, button: Thing, what: str, amount: int) -> None:
    x, y, width, height = button.box
    match what:
        case "box":
            button.box = (x + amount, y, width + amount % 3, height)
        case "name":
            button.name = f"{button.name}{amount}"
        case "states":
            button.states = (*SHOWN, "focused") if amount % 2 else SHOWN
        case "gone":
            for panel in frame.children:
                panel.children = [child for child in panel.children if child is not button]
