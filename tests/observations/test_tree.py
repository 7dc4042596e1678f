"""Trees of elements: which of several that say so has the focus."""

from __future__ import annotations

import pytest

from proctor.observations.tree import Tree
from tests.observations.trees import SEEN, node

FOCUSED = SEEN | {"focused"}


@pytest.mark.parametrize("row_has_it", [True, False])
def test_a_tab_in_front_has_the_focus_only_together_with_its_row(row_has_it: bool) -> None:
    nodes = (
        node("frame", "window", index=0, states=SEEN | {"active"}),
        node("text", "field", index=1, parent=0, depth=1, states=SEEN if row_has_it else FOCUSED),
        node("page tab list", "", index=2, parent=0, depth=1, states=FOCUSED if row_has_it else SEEN),
        node("page tab", "General", index=3, parent=2, depth=2, states=FOCUSED),
    )
    found = Tree(nodes=nodes).focused_node()
    assert found is not None and found.name == ("General" if row_has_it else "field")


def test_where_only_a_tab_in_front_says_so_nobody_knows() -> None:
    row = node("page tab list", "", index=0)
    tab = node("page tab", "General", index=1, parent=0, depth=1, states=FOCUSED)
    assert Tree(nodes=(row, tab)).focused_node() is None
