"""Trees for tests: built by hand, and any tree at all."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from proctor.observations.box import Box
from proctor.observations.tree import Node, Tree, Value

SEEN = frozenset({"showing", "visible", "enabled"})

words = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters="\ufffc\ufffd\ufffe\uffff")
)
roles = st.sampled_from(["push button", "menu item", "label", "panel", "icon", "table cell", "unknown", "document web"])
states = st.frozensets(
    st.sampled_from(["showing", "visible", "enabled", "editable", "checkable", "multi-line", "focused"])
)
names = st.from_regex(r"[a-z][a-z_]{0,8}", fullmatch=True)
coordinates = st.integers(-3000, 3000)
boxes = st.builds(Box, coordinates, coordinates, st.integers(0, 3000), st.integers(0, 3000))
numbers = st.floats(allow_nan=False)
values = st.builds(Value, current=numbers, minimum=numbers, maximum=numbers, step=numbers)


def node(role: str = "push button", name: str = "OK", **fields: object) -> Node:
    """Return a node that the paper's filter keeps, changed as told."""
    kept = Node(index=0, parent=None, depth=0, role=role, name=name, states=SEEN, box=Box(10, 20, 30, 40))
    return replace(kept, **fields)  # type: ignore[arg-type]


def flat(*nodes: Node) -> Tree:
    """Return a tree of applications without children."""
    return Tree(nodes=tuple(replace(each, index=index, parent=None, depth=0) for index, each in enumerate(nodes)))


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """Any tree that its XML form can hold: well-named, boxes where it shows, app and window as the ancestors say."""
    nodes: list[Node] = []
    path: list[Node] = []
    for index in range(draw(st.integers(0, 12))):
        del path[draw(st.integers(0, len(path))) :]
        found = draw(states)
        name = draw(words)
        attributes = draw(st.dictionaries(names.filter(lambda key: key != "description"), words, max_size=3))
        made = Node(
            index=index,
            parent=path[-1].index if path else None,
            depth=len(path),
            role=draw(roles),
            name=name,
            text=draw(words),
            description=draw(words),
            value=draw(st.none() | values),
            states=found,
            box=draw(boxes) if {"showing", "visible"} <= found else None,
            actions=tuple(draw(st.lists(names, max_size=2, unique=True))),
            attributes=attributes,
            app=path[0].name if path else name,
            window=(name if len(path) == 1 else path[1].name) if path else "",
        )
        nodes.append(made)
        path.append(made)
    return Tree(
        nodes=tuple(nodes),
        degraded=tuple(draw(st.lists(words.filter(lambda text: "\n" not in text and bool(text)), max_size=2))),
    )
