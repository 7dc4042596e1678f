"""What a page says of itself becomes a tree in pixels of the screen, whatever it says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.computers.backends.browser.browser import check_url
from proctor.computers.backends.browser.chromium import BrowserWindow
from proctor.computers.backends.browser.native import _renumber
from proctor.computers.backends.browser.options import BrowserOptions, allowed_hosts, make_window
from proctor.computers.backends.browser.parse_tree import APP, Looked, below, read_look
from proctor.errors import SpecError
from proctor.observations.box import Box
from proctor.observations.tree import Node, Value

SIZE = (800, 600)


def entry(parent: int, role: str, name: str, box: list[float] | None, **more: Any) -> list[Any]:
    return [
        parent, 0, role, name, more.get("text", ""), "", more.get("value"), ["showing", "visible"], box,
        ["click"] if role == "push button" else [], more.get("attributes", {"tag": "x"}),
    ]  # fmt: skip


def look(*nodes: list[Any], frame: object = (0, 0, 1), **more: Any) -> Looked:
    said = {"title": "Shop", "url": "file:///a", "nodes": list(nodes), "whole": True, "frame": frame, **more}
    return read_look(json.dumps(said), size=SIZE)


def test_elements_are_placed_and_hung_below_one_another() -> None:
    looked = look(
        entry(-1, "form", "", [0, 0, 400, 300]),
        entry(0, "push button", "Buy", [10, 20, 30, 40]),
        entry(-1, "slider", "", [0, 400, 100, 10], value=[5, 0, 10, 1]),
    )
    form, button, slider = looked.nodes
    assert (form.parent, form.depth, button.parent, button.depth, slider.parent) == (None, 0, 0, 1, None)
    assert (button.box, button.name, button.window, button.app) == (Box(10, 20, 30, 40), "Buy", "Shop", APP)
    assert button.showing and button.actions == ("click",)
    assert slider.value == Value(current=5, minimum=0, maximum=10, step=1)


def test_places_are_scaled_and_moved_to_where_the_page_is() -> None:
    (node,) = look(entry(-1, "push button", "Buy", [10, 20, 30, 40]), frame=(4, 100, 2)).nodes
    assert node.box == Box(24, 140, 60, 80)


def test_what_is_off_the_screen_is_not_showing() -> None:
    inside, outside = look(
        entry(-1, "push button", "half", [790, 0, 30, 40]), entry(-1, "push button", "gone", [900, 0, 30, 40])
    ).nodes
    assert inside.box == Box(790, 0, 10, 40) and inside.showing
    assert outside.box is None and not outside.showing


def test_a_page_hangs_below_its_window() -> None:
    above = [Node(index=0, parent=None, depth=0, role="application"), Node(index=1, parent=0, depth=1, role="frame")]
    made = below(above, look(entry(-1, "form", "", [0, 0, 9, 9]), entry(0, "link", "on", [0, 0, 9, 9])))
    assert [(node.index, node.parent, node.depth) for node in made] == [(2, 1, 2), (3, 2, 3)]


def test_a_dialog_is_renumbered_below_its_window() -> None:
    window = Node(index=1, parent=0, depth=1, role="frame")
    dialog = Node(index=40, parent=39, depth=7, role="dialog")
    button = Node(index=42, parent=40, depth=8, role="push button")
    made = list(_renumber([dialog, button], 2, window))
    assert [(node.index, node.parent, node.depth) for node in made] == [(2, 1, 2), (3, 2, 3)]


@pytest.mark.parametrize("said", [None, "", "nonsense", "[]", '{"nodes": 5}', "[" * 10_000])
def test_a_page_that_says_nothing_sensible_has_no_elements(said: object) -> None:
    assert read_look(said, size=SIZE).nodes == ()


_ANY = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=12) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=30,
)


@given(st.lists(st.lists(_ANY, min_size=11, max_size=11), max_size=5), _ANY)
def test_elements_of_any_shape_make_a_tree(nodes: list[list[Any]], frame: object) -> None:
    looked = read_look(json.dumps({"nodes": nodes, "frame": frame}), size=SIZE)
    for index, node in enumerate(looked.nodes):
        assert node.index == index
        assert node.parent is None or node.parent < index
        assert node.box is None or node.box.intersect(Box(0, 0, *SIZE)) == node.box
        json.dumps(node.name, ensure_ascii=False).encode()


@pytest.mark.parametrize("url", ["https://example.org/", "file:///home/user/a.html", "about:blank", "data:text/html,x"])
def test_addresses_of_pages_are_taken(url: str) -> None:
    assert check_url(url) == url


@pytest.mark.parametrize(
    "url", ["", "example.org", "javascript:alert(1)", "chrome://settings", "devtools://x", "http:"]
)
def test_what_is_no_address_of_a_page_is_refused(url: str) -> None:
    with pytest.raises(SpecError, match="is not the address of a page"):
        check_url(url)


def test_hosts_without_a_port_are_reached_as_pages_are() -> None:
    assert allowed_hosts("") == []
    assert allowed_hosts("Example.org+localhost:8000") == ["example.org:443", "example.org:80", "localhost:8000"]
    assert allowed_hosts(["https://a.org/", "a.org"]) == ["a.org:443", "a.org:80"]
    with pytest.raises(SpecError, match="not a list of hosts"):
        allowed_hosts([1])  # type: ignore[list-item]


def test_a_phone_is_upright_and_has_no_toolbar() -> None:
    phone = make_window(BrowserOptions(scale=1, phone=True, toolbar=False))
    assert phone.size == (412, 915)
    assert "--app=about:blank" in phone.flags  # too narrow for a window with tabs
    assert "--kiosk" in BrowserWindow(size=(1280, 720)).flags and "about:blank" in BrowserWindow(size=(1280, 720)).flags
    assert "--kiosk" not in BrowserWindow(size=(1280, 720), toolbar=True).flags
    with pytest.raises(SpecError, match="phone or toolbar"):
        make_window(BrowserOptions(scale=1, phone=True, toolbar=True))
    for scale in (0, 9, True, "2"):
        with pytest.raises(SpecError, match="scale"):
            make_window(BrowserOptions(scale=scale, phone=False, toolbar=False))  # type: ignore[arg-type]
