"""What a phone shows: pictures, elements, rest; and whatever its applications write in place of the truth."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from proctor.actions.action import Tap
from proctor.computers.backends.android.parse_tree import MOST_NODES, Unreadable, read_dump
from proctor.errors import ComputerError
from proctor.observations.tree import Tree
from tests.android.phones import holding
from tests.android.stand_in.phone import Phone

SIZE = (360, 640)
BOMB = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><hierarchy><node text="&b;"/></hierarchy>'


def test_elements_have_roles_names_states_and_boxes() -> None:
    with holding() as (computer, phone):
        phone.open("com.android.settings")
        tree = computer.tree()
        (switch,) = [node for node in tree.nodes if node.role == "toggle button"]
        assert (switch.name, switch.app, switch.window) == ("Wi-Fi", "com.android.settings", "com.android.settings")
        assert {"checkable", "enabled", "showing", "visible"} <= switch.states and "checked" not in switch.states
        assert switch.actions == ("click",) and switch.attributes["resource-id"].endswith("switch_wifi")
        assert switch.box
        performed = computer.perform(Tap(x=switch.box.center[0], y=switch.box.center[1]))
        assert performed.element and performed.element.name == "Wi-Fi"
        assert "checked" in next(node for node in computer.tree().nodes if node.name == "Wi-Fi").states


def test_a_note_is_written_by_locators_alone() -> None:
    with holding(pace="settle") as (computer, _):
        computer.locate(name="Notes").click()
        field = computer.locate(role="text", name="Note")
        field.type("first")
        performed = field.type("grüße", clear=True)
        assert performed.verified is True
        computer.locate(role="push button", name="Save").click()
        assert computer.read_file("Documents/note.txt").decode() == "grüße"


def test_a_description_is_asked_for_again_only_when_the_picture_changed() -> None:
    with holding() as (computer, phone):
        first = computer.element_at(100, 40)
        phone.hanging.add("uiautomator")
        assert computer.element_at(100, 40) == first


@pytest.mark.parametrize(
    "dump",
    [b"", b"garbage", b"<html/>", b"<hierarchy><node>", BOMB, b"<hierarchy>" + b"<node>" * 3000, b"\xff\xfe\x00"],
)
def test_what_is_no_description_leaves_a_tree_that_says_so(dump: bytes) -> None:
    with holding(dump=dump) as (computer, _):
        tree = computer.tree()
        assert tree.nodes == () and "did not describe its screen" in tree.degraded[0]


def test_a_screen_that_never_stands_still_cannot_be_described() -> None:
    with holding(dump_error="ERROR: could not get idle state.") as (computer, _):
        assert "idle state" in computer.tree().degraded[0]
        assert computer.perform(Tap(x=5, y=5)).element is None


def test_too_many_elements_are_left_out_and_counted() -> None:
    row = '<node class="android.widget.Button" package="a" text="x" bounds="[0,0][9,9]"/>'
    tree = read_dump(f"<hierarchy>{row * (MOST_NODES + 10)}</hierarchy>".encode(), SIZE)
    assert len(tree.nodes) == MOST_NODES and "were left out" in tree.degraded[0]


def test_two_applications_on_one_screen_are_two_roots() -> None:
    inner = '<node package="b" class="x.TextView" text="in b" bounds="[0,0][5,5]"/>'
    row = f'<node package="a" class="x.FrameLayout" bounds="[0,0][9,9]">{inner}<node package="a" text="in a"/></node>'
    tree = read_dump(f"<hierarchy>{row}</hierarchy>".encode(), SIZE)
    assert [node.name for node in tree.applications] == ["a", "b"]
    well_formed(tree)


texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
attributes = st.dictionaries(
    st.sampled_from(["text", "class", "package", "bounds", "content-desc", "checked", "focused", "password", "hint"]),
    texts
    | st.sampled_from(["true", "[0,0][100,50]", "[9,9][1,1]", "[-5,-5][999999,9]", "android.widget.EditText", "a"]),
)


@given(st.lists(st.tuples(attributes, st.booleans()), max_size=30))
def test_whatever_applications_say_the_tree_is_well_formed(rows: list[tuple[dict[str, str], bool]]) -> None:
    from xml.etree import ElementTree

    root = at = ElementTree.Element("hierarchy")
    for values, deeper in rows:
        node = ElementTree.SubElement(at, "node", values)
        at = node if deeper else at
    well_formed(read_dump(ElementTree.tostring(root), SIZE))


@given(st.binary(max_size=200))
def test_no_bytes_break_the_reader(data: bytes) -> None:
    try:
        well_formed(read_dump(data, SIZE))
    except Unreadable:
        return


def well_formed(tree: Tree) -> None:
    for index, node in enumerate(tree.nodes):
        assert node.index == index
        if node.parent is None:
            assert node.depth == 0 and node.role == "application"
            continue
        assert node.parent < index and node.depth == tree.nodes[node.parent].depth + 1
        assert tree.nodes[index - 1].depth >= node.depth - 1
        assert node.app == [*tree.ancestors(node)][-1].name
        assert node.box is None or (node.box.x >= 0 and node.box.x + node.box.width <= SIZE[0])


def huge() -> bytes:
    held = io.BytesIO()
    Image.new("1", (20_000, 20_000)).save(held, "PNG")
    return held.getvalue()


@pytest.mark.parametrize("picture", [b"", b"not a picture", b"\x89PNG\r\n\x1a\n broken", huge()])
def test_a_picture_that_is_none_is_the_machines_error(picture: bytes) -> None:
    with holding() as (computer, phone):
        phone.picture = picture
        with pytest.raises(ComputerError):
            computer.screenshot()


def test_a_warning_before_the_picture_is_passed_over() -> None:
    with holding() as (computer, phone):
        held = io.BytesIO()
        Phone.draw(phone).save(held, "PNG")
        phone.picture = b"[Warning] Multiple displays were found\n" + held.getvalue()
        assert computer.screenshot().size == SIZE


def test_a_clock_that_ticks_does_not_keep_the_screen_from_resting() -> None:
    with holding(pace="settle", ticking=True) as (computer, _):
        assert computer.settle() is True
        assert computer.parts.rest.restless()
