"""The tree of applications that say too much: bounded when it is read and when it is written."""

from __future__ import annotations

import json
from typing import Any

import pytest
from dbus_fast import Message, Variant

from proctor.computers.channels.atspi.client import MAX_STUCK
from proctor.computers.channels.atspi.link import MAX_APPLICATIONS
from proctor.observations.bounds import CUT, MAX_LABEL, MAX_NAME, MAX_REASONS, MAX_TREE_CHARS, cut, reasons
from proctor.observations.tree import Node, Tree
from proctor.observations.xml import from_xml, to_xml
from proctor.store.plain import tree_data
from tests.channels.desktops import App, Desktop, Thing, sheet


def crowd(count: int, name: str = "n", **fields: Any) -> Thing:
    return Thing("frame", "w", [Thing("label", name, **fields) for _ in range(count)])


def test_a_long_name_of_an_application_is_cut_once_and_for_all() -> None:
    with Desktop(App("N" * 1_000_000, [crowd(300)])).reader() as reader:
        tree = reader.read()
    assert {node.app for node in tree.nodes} == {"N" * MAX_LABEL + CUT}
    assert len(json.dumps(tree_data(tree))) < 1_000_000


@pytest.mark.parametrize("cache", ["all", "nothing"])
def test_names_together_are_bounded_and_others_still_read(cache: str) -> None:
    greedy = App("a greedy one", [crowd(3_000, "n" * MAX_NAME)], cache=cache)
    with Desktop(greedy, App("editor", [Thing("frame", "w", [Thing("label", "small")])])).reader() as reader:
        tree = reader.read(timeout_sec=60)
    assert sum(len(node.name) for node in tree.nodes) <= MAX_TREE_CHARS
    assert any(node.name == "small" for node in tree.nodes)
    assert any("greedy" in reason or "too long names" in reason or "larger" in reason for reason in tree.degraded)


def test_texts_together_are_bounded_and_others_still_read() -> None:
    greedy = App("a greedy one", [crowd(100, text="t" * 50_000)])
    with Desktop(greedy, App("editor", [Thing("frame", "w", [Thing("text", text="small")])])).reader() as reader:
        tree = reader.read(timeout_sec=60)
    assert sum(len(node.text) for node in tree.nodes) <= MAX_TREE_CHARS
    assert any(node.text == "small" for node in tree.nodes)
    assert "application 'a greedy one' has more text than is read" in tree.degraded


def test_lists_of_interfaces_without_end_are_none() -> None:
    app = App("app", [crowd(1)], cache="nothing")
    app.override = lambda call: ("as", [["i" * 500] * 500]) if call.member == "GetInterfaces" else False
    with Desktop(app).reader() as reader:
        assert [node.role for node in reader.read().nodes] == ["application", "frame", "label"]


@pytest.mark.parametrize("path", ["not a path", "/a//b", "/" + "a" * 2_000, ""])
def test_objects_that_no_bus_would_name_are_not_asked_about(path: str) -> None:
    app = App("app", [crowd(1)], cache="nothing")

    def children(call: Message) -> Any:
        return ("a(so)", [[(app.bus, path)]]) if call.member == "GetChildren" and path.startswith("/a") else False

    app.override = children
    desktop = Desktop(app)
    with desktop.reader() as reader:
        reader.read()
    assert all(call.path != path for call in desktop.calls)


def test_a_large_table_that_does_not_say_where_its_cells_are_has_none() -> None:
    app = App("app", [Thing("frame", "w", [sheet(30, 20)])])
    app.override = lambda call: "org.example.Error.No" if call.member == "GetRowAtIndex" else False
    with Desktop(app).reader() as reader:
        tree = reader.read()
    assert [node.role for node in tree.nodes] == ["application", "frame", "table"]


def test_of_too_many_applications_the_first_are_read() -> None:
    with Desktop(*(App(f"app {number}") for number in range(MAX_APPLICATIONS + 20))).reader() as reader:
        tree = reader.read(timeout_sec=60)
    assert len(tree.applications) == MAX_APPLICATIONS
    assert "20 more applications are not read" in tree.degraded


def test_calls_that_were_never_answered_do_not_use_up_the_bus() -> None:
    deaf = [App(f"deaf {number}", hangs=True) for number in range(MAX_STUCK // 2)]
    desktop = Desktop(*deaf, App("editor", [crowd(1)]))
    with desktop.reader() as reader:
        first = desktop.bus_socket
        # On a busy host a reading may end before the editor's turn comes.
        seen = False
        for reading in range(20):
            tree = reader.read(timeout_sec=1.0)
            seen = any(node.app == "editor" for node in tree.nodes)
            if reading >= 3 and seen:
                break
        assert desktop.bus_socket is not first
    assert seen


def test_a_variant_of_the_wrong_type_is_no_name() -> None:
    app = App("app", [crowd(1)], cache="nothing")
    app.override = lambda call: ("v", [Variant("au", [1, 2])]) if call.member == "Get" else False
    with Desktop(app).reader() as reader:
        assert {node.name for node in reader.read().nodes} == {""}


# -- written --------------------------------------------------------------------------------------------------------


def test_xml_beyond_its_bound_leaves_the_last_nodes_out_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("proctor.observations.xml.MAX_XML_CHARS", 2_000)
    root = Node(index=0, parent=None, depth=0, role="application", name="app", app="app")
    nodes = tuple(Node(index=n, parent=0, depth=1, role="label", name='"' * 50, app="app") for n in range(1, 100))
    text = to_xml(Tree((root, *nodes), ("before",)))
    back = from_xml(text)
    assert 1 < len(back.nodes) < 20
    assert len(text) < 4_000
    assert back.degraded == ("before", f"the last {100 - len(back.nodes)} nodes did not fit")


def test_reasons_are_few_and_short() -> None:
    told = reasons([f"{number} " + "x" * 5_000 for number in range(100)])
    assert len(told) == MAX_REASONS + 1
    assert told[-1] == "and 70 more reasons"
    assert all(len(reason) < 400 for reason in told)
    assert cut("abc", 3) == "abc"
    assert cut("abcd", 3) == "abc" + CUT
