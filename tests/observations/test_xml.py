"""The XML form is well-formed whatever an application says, and comes back as it was."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.errors import SpecError
from proctor.observations.box import Box
from proctor.observations.tree import Node, Tree, Value
from proctor.observations.xml import NAMESPACES, from_xml, tag, to_xml
from tests.observations.trees import SEEN, flat, node, trees

anything = st.text(st.characters())


@given(trees())
def test_what_the_shape_holds_survives(tree: Tree) -> None:
    assert from_xml(to_xml(tree)) == tree


@given(
    st.lists(
        st.builds(
            Node,
            index=st.just(0),
            parent=st.none(),
            depth=st.just(0),
            role=anything,
            name=anything,
            text=anything,
            description=anything,
            value=st.none() | st.builds(Value, current=st.floats(), minimum=st.floats(), maximum=st.floats()),
            states=st.frozensets(anything, max_size=3),
            actions=st.lists(anything, max_size=3).map(tuple),
            attributes=st.dictionaries(anything, anything, max_size=3),
        ),
        max_size=4,
    ),
    st.lists(anything, max_size=2),
)
def test_hostile_applications_cannot_break_it(nodes: list[Node], degraded: list[str]) -> None:
    text = to_xml(Tree(nodes=flat(*nodes).nodes, degraded=tuple(degraded)))
    root = ElementTree.fromstring(text)
    assert root.tag == "desktop-frame"
    assert len(root) == len(nodes) == len(from_xml(text).nodes)


def test_the_shape() -> None:
    made = node(
        text="a\ufffc<b>\ufffd",
        name='say "hi"\n',
        value=Value(current=1.5, minimum=0.0, maximum=3.0, step=0.5),
        actions=("click",),
        attributes={"toolkit": "gtk", "class": "GtkButton"},
        description="says hello",
    )
    (element,) = ElementTree.fromstring(to_xml(flat(made)))
    prefix = "https://accessibility.ubuntu.example.org/ns/"
    attributes = {key.replace(prefix, ""): value for key, value in element.items()}
    assert element.tag == "push-button"
    assert element.text == "a<b>"
    assert attributes == {
        "name": 'say "hi"\n',
        "{state}showing": "true",
        "{state}visible": "true",
        "{state}enabled": "true",
        "{component}screencoord": "(10, 20)",
        "{component}size": "(30, 40)",
        "{attributes}toolkit": "gtk",
        "{attributes}class": "GtkButton",
        "{attributes}description": "says hello",
        "{value}value": "1.5",
        "{value}min": "0.0",
        "{value}max": "3.0",
        "{value}step": "0.5",
        "{action}click_desc": "",
        "{action}click_kb": "",
    }


def test_no_place_for_what_is_not_shown() -> None:
    assert "screencoord" not in to_xml(flat(node(states=SEEN - {"showing"})))
    assert "screencoord" not in to_xml(flat(node(states=SEEN - {"visible"})))


def test_children_lie_inside_their_parents() -> None:
    tree = Tree(
        nodes=(
            Node(index=0, parent=None, depth=0, role="application", name="editor"),
            Node(index=1, parent=0, depth=1, role="frame", name="notes"),
            Node(index=2, parent=1, depth=2, role="text"),
            Node(index=3, parent=0, depth=1, role="frame", name="find"),
            Node(index=4, parent=None, depth=0, role="application", name="panel"),
        )
    )
    root = ElementTree.fromstring(to_xml(tree))
    assert [[child.get("name") for child in application] for application in root] == [["notes", "find"], []]
    back = from_xml(to_xml(tree))
    assert [(found.app, found.window) for found in back.nodes] == [
        ("editor", ""), ("editor", "notes"), ("editor", "notes"), ("editor", "find"), ("panel", ""),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        ("push button", "push-button"),
        ("", "unknown"),
        ("1st", "unknown"),
        ("a:b", "unknown"),
        ("<x>", "unknown"),
        ("é", "unknown"),
    ],
)
def test_tags_are_names(role: str, expected: str) -> None:
    assert tag(role) == expected


def test_names_that_become_one_are_written_once() -> None:
    assert to_xml(flat(node(states=frozenset({"a b", "a-b"})))).count("st:a-b=") == 1


ENTITY = '<!DOCTYPE x [<!ENTITY e "boom">]><desktop-frame>&e;</desktop-frame>'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ENTITY, "document type"),
        ('<!DOCTYPE x SYSTEM "file:///etc/passwd"><desktop-frame/>', "document type"),
        ("<desktop-frame>", "not well-formed"),
        ("", "not well-formed"),
        ("<html/>", "starts with <desktop-frame>"),
        ("<desktop-frame>" + "<a>" * 1001 + "</a>" * 1001 + "</desktop-frame>", "deep"),
        ("<desktop-frame>" + "<a/>" * 200_001 + "</desktop-frame>", "nodes"),
    ],
)
def test_unsafe_or_broken_text_is_refused(text: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        from_xml(text)


@given(st.text() | st.text(alphabet='<>/="& abdesktop-frame'))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        assert isinstance(from_xml(text), Tree)
    except SpecError as error:
        assert error.message


@pytest.mark.parametrize("place", ["(1, 2", "__import__('os')", "(1e3, 2)", "(1, 99999999999999)"])
def test_a_place_is_never_evaluated(place: str) -> None:
    text = (
        f'<desktop-frame xmlns:cp="{NAMESPACES["cp"]}"><a cp:screencoord="{place}" cp:size="(3, 4)"/></desktop-frame>'
    )
    assert from_xml(text).nodes[0].box is None
    assert from_xml(text.replace(place, "(1,-2)")).nodes[0].box == Box(1, -2, 3, 4)
