"""The accessibility tree of real applications on a real desktop."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Iterator

import pytest

from proctor.actions.action import Click, Move, Press, Type
from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.computers.computer import Computer
from proctor.observations.tree import Node, Tree
from tests.unhurried import now


@pytest.fixture(scope="module")
def computer() -> Iterator[Computer]:
    with SandboxComputer(look="light") as started:
        started.write_file("notes.txt", b"hello world\n")
        started.launch(["mousepad", "--disable-server", "notes.txt"])
        yield started


# Without a profile of its own LibreOffice opens a window of a few pixels.
PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item
oor:path="/org.openoffice.Setup/Office/Factories/org.openoffice.Setup:Factory['com.sun.star.sheet.SpreadsheetDocument']"
><prop oor:name="ooSetupFactoryWindowAttributes" oor:op="fuse"><value>200,100,1500,850;1;0,0,0,0;</value></prop></item>
</oor:items>"""


@pytest.fixture(scope="module")
def office() -> Iterator[Computer]:
    with SandboxComputer(look="light", image="full") as started:
        rows = io.StringIO()
        csv.writer(rows).writerows([number, f"person {number}", number * 7 % 101] for number in range(2000))
        started.write_file("sheet.csv", rows.getvalue().encode())
        started.run(["soffice", "--headless", "--convert-to", "ods", "sheet.csv"])
        started.write_file(".config/libreoffice/4/user/registrymodifications.xcu", PROFILE.encode())
        started.launch(["soffice", "--norestore", "--nologo", "--calc", "sheet.ods"], window="sheet", timeout_sec=60)
        yield started


def nodes(tree: Tree, role: str, **fields: str) -> list[Node]:
    return [
        node
        for node in tree.nodes
        if node.role == role and all(getattr(node, name) == value for name, value in fields.items())
    ]


@pytest.mark.sandbox
def test_an_editor_is_read_whole(computer: Computer) -> None:
    tree = computer.tree()
    (text,) = nodes(tree, "text", app="mousepad")
    assert text.text == "hello world\n"
    assert text.showing and "multi line" in text.states
    window = computer.active_window()
    assert window and text.window == window.title
    assert text.box and text.box.intersect(window.box) == text.box
    assert [node.name for node in nodes(tree, "menu", app="mousepad") if node.showing][:2] == ["File", "Edit"]
    assert not any("mousepad" in reason for reason in tree.degraded)


@pytest.mark.sandbox
def test_an_unchanged_screen_gives_equal_trees(computer: Computer) -> None:
    computer.settle()
    trees = [computer.tree() for _ in range(3)]
    # The panel's clock and load meter go on.
    mine = [[node for node in tree.nodes if node.app == "mousepad"] for tree in trees]
    assert [[(n.role, n.name, n.text, n.states, n.box) for n in each] for each in mine[1:]] == [
        [(n.role, n.name, n.text, n.states, n.box) for n in mine[0]]
    ] * 2


@pytest.mark.sandbox
def test_the_element_under_the_pointer_is_the_one_in_the_tree(computer: Computer) -> None:
    for role, name in (("text", ""), ("menu", "Edit")):
        (node,) = [node for node in nodes(computer.tree(), role, app="mousepad") if name in node.name and node.showing]
        assert node.box
        found = computer.element_at(*node.box.center)
        assert found and (found.role, found.name, found.box) == (node.role, node.name, node.box)


@pytest.mark.sandbox
def test_an_open_menu_is_read_and_hit(computer: Computer) -> None:
    (menu,) = nodes(computer.tree(), "menu", name="File", app="mousepad")
    assert menu.box
    computer.perform(Click(x=menu.box.center[0], y=menu.box.center[1]))
    item = computer.wait_for(
        lambda c: next((n for n in nodes(c.tree(), "menu item", name="Save As...") if n.showing), None)
    )
    assert item.box and item.box.y >= menu.box.y + menu.box.height
    found = computer.element_at(*item.box.center)
    assert found and (found.role, found.name) == ("menu item", "Save As...")
    # Under the pointer it has the focus, and is still what a click would hit.
    computer.perform(Move(x=item.box.center[0], y=item.box.center[1]))
    found = computer.element_at(*item.box.center)
    assert found and (found.role, found.name) == ("menu item", "Save As...")
    computer.perform(Press(keys="Escape"))


@pytest.mark.sandbox
def test_typing_shows_in_the_tree(computer: Computer) -> None:
    (text,) = nodes(computer.tree(), "text", app="mousepad")
    assert text.box
    computer.perform(Click(x=text.box.center[0], y=text.box.center[1]))
    computer.perform(Press(keys="ctrl+a"))
    computer.perform(Type(text="naïve <b> 漢字"))
    computer.wait_for(lambda c: nodes(c.tree(), "text", app="mousepad")[0].text.startswith("naïve <b> 漢字"))


@pytest.mark.sandbox
def test_a_stopped_application_does_not_stop_the_reading(computer: Computer) -> None:
    whole = computer.tree()
    computer.run(["pkill", "-STOP", "-x", "mousepad"])
    try:
        computer.tree()
        started = now()
        tree = computer.tree()
        # One look at the computer has ten seconds, whatever does not answer.
        assert now() - started < 10
        assert any("'mousepad' did not answer" in reason for reason in tree.degraded)
        # On a busy host a reading may end before another application's turn comes; it is there the next time.
        # One without a window is not waited for: a file manager that was only asked something ends by itself.
        there = {node.name for node in whole.applications if whole.children(node)}
        computer.wait_for(lambda c: {node.name for node in c.tree().applications} >= there, timeout_sec=60)
    finally:
        computer.run(["pkill", "-CONT", "-x", "mousepad"])
    computer.wait_for(lambda c: not any("mousepad" in reason for reason in c.tree().degraded))


@pytest.mark.sandbox("full")
def test_a_spreadsheet_yields_its_visible_cells_quickly(office: Computer) -> None:
    office.tree()
    started = time.monotonic()
    tree = office.tree()
    elapsed = time.monotonic() - started
    cells = {node.name: node for node in nodes(tree, "table cell")}
    assert (cells["A1"].text, cells["B3"].text) == ("0", "person 2")
    assert 50 < len(cells) < 3000
    (table,) = [node for node in nodes(tree, "table") if "Sheet" in node.name]
    assert all(cell.box and table.box and cell.box.intersect(table.box) for cell in cells.values())
    assert elapsed < 20, "the goal is 0.25 s on a quiet machine; a walk takes minutes"
    found = office.element_at(*(cells["B3"].box or table.box).center)  # type: ignore[union-attr]
    assert found and (found.role, found.name, found.text) == ("table cell", "B3", "person 2")


@pytest.mark.sandbox("full")
def test_a_qt_application_is_walked(office: Computer) -> None:
    office.launch(["vlc", "--no-qt-privacy-ask"], window="VLC", timeout_sec=60)
    slider = office.wait_for(lambda c: next((n for n in nodes(c.tree(), "slider", app="vlc") if n.value), None))
    tree = office.tree()
    assert slider.box and nodes(tree, "menu item", name="Media")
    assert not any("vlc" in reason for reason in tree.degraded)


@pytest.mark.sandbox("full")
def test_a_web_page_is_read_with_its_attributes(office: Computer) -> None:
    office.write_file("page.html", b"<title>Page</title><h1 id=top>Heading</h1><a href='#top'>up</a>")
    office.launch(
        ["chromium", "--no-first-run", "--force-renderer-accessibility", "page.html"], window="Page", timeout_sec=60
    )
    # It is in the tree before it is drawn, and what it says of itself is asked from then on.
    heading = office.wait_for(
        lambda c: next((node for node in nodes(c.tree(), "heading", name="Heading") if node.showing), None)
    )
    assert heading.attributes.get("id") == "top"
    assert heading.showing
