"""Marks stand on what can be seen, with numbers one can read."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from proctor.observations.box import Box
from proctor.observations.marks import mark
from proctor.observations.tree import Tree
from tests.observations.trees import flat, node, trees

RED, BLACK, WHITE = (255, 0, 0), (0, 0, 0), (255, 255, 255)


@dataclass(frozen=True)
class Pane:
    title: str
    box: Box
    app: str = ""
    active: bool = False
    minimised: bool = False


def screen(width: int = 200, height: int = 150) -> Image.Image:
    """No two neighbouring pixels are alike, none red, black or white."""
    across, down = np.meshgrid(np.arange(width), np.arange(height))
    return Image.fromarray(np.dstack([40 + across % 100, 60 + down % 100, 90 + (across + down) % 50]).astype(np.uint8))


def test_a_mark() -> None:
    made = mark(screen(), flat(node(name="Save", text="all", box=Box(20, 30, 60, 40))))
    (only,) = made.marks
    assert (only.index, only.node.name, only.box) == (1, "Save", Box(20, 30, 60, 40))
    assert made.table == "index\ttag\tname\ttext\n1\tpush-button\tSave\tall"
    corners = [(20, 30), (79, 30), (79, 69)]
    assert [made.image.getpixel(corner) for corner in corners] == [RED] * 3
    assert made.image.getpixel((80, 50)) == screen().getpixel((80, 50))
    label = made.image.crop((20, 50, 40, 70))
    assert made.image.getpixel((20, 69)) == BLACK
    assert label.convert("L").getextrema()[1] == 255


def test_the_screenshot_is_left_alone() -> None:
    image = screen()
    mark(image, flat(node()))
    assert image.tobytes() == screen().tobytes()


def test_numbers_follow_the_tree() -> None:
    tree = flat(node(name="b", box=Box(100, 100, 20, 20)), node("panel"), node(name="a", box=Box(0, 0, 20, 20)))
    made = mark(screen(), tree)
    assert [(each.index, each.node.name) for each in made.marks] == [(1, "b"), (2, "a")]
    assert [made.get(index) for index in (0, 1, 2, 3)] == [None, *made.marks, None]


def test_nothing_to_see_gets_no_mark() -> None:
    image = screen()
    image.paste((7, 7, 7), (50, 50, 90, 90))
    made = mark(image, flat(node(box=Box(50, 50, 40, 40)), node(name="seen", box=Box(50, 50, 41, 40))))
    assert [each.node.name for each in made.marks] == ["seen"]


def test_one_mark_for_one_box() -> None:
    box = Box(5, 5, 40, 20)
    tree = flat(
        node("push button", name="", box=box), node("label", name="Open", box=box), node("icon", name="x", box=box)
    )
    assert [each.node.name for each in mark(screen(), tree).marks] == ["Open"]


def test_what_leaves_the_screen_is_cut() -> None:
    made = mark(screen(), flat(node(box=Box(180, 140, 100, 100)), node(name="out", box=Box(300, 0, 10, 10))))
    assert [each.box for each in made.marks] == [Box(180, 140, 20, 10)]


def test_covered_elements_get_no_mark() -> None:
    below, above = Pane("below", Box(0, 0, 100, 100)), Pane("above", Box(50, 50, 100, 100))
    tree = flat(
        node(name="free", window="below", box=Box(10, 10, 20, 20)),
        node(name="covered", window="below", box=Box(60, 60, 20, 20)),
        node(name="front", window="above", box=Box(70, 75, 20, 20)),
        node(name="menu", window="", box=Box(80, 100, 20, 20)),
    )

    def names(*windows: Pane) -> list[str]:
        return [each.node.name for each in mark(screen(), tree, windows=windows).marks]

    assert names(below, above) == ["free", "front", "menu"]
    assert names(above, below) == ["free", "covered", "menu"]
    assert "covered" in names(below, replace(above, minimised=True))
    assert len(names()) == 4


@pytest.mark.parametrize("scale", [0.5, 0.75])
def test_a_smaller_screenshot_keeps_desktop_boxes(scale: float) -> None:
    box = Box(40, 60, 80, 40)
    small = screen().resize((round(200 * scale), round(150 * scale)))
    made = mark(small, flat(node(box=box)), scale=(scale, scale))
    assert made.marks[0].box == box
    assert made.image.size == small.size
    assert made.image.getpixel((round(40 * scale), round(60 * scale))) == RED


@given(trees(), st.integers(1, 60), st.integers(1, 60))
def test_any_tree_on_any_screen(tree: Tree, width: int, height: int) -> None:
    made = mark(screen(width, height), tree)
    inside = Box(0, 0, width, height)
    assert made.image.size == (width, height)
    assert [each.index for each in made.marks] == list(range(1, len(made.marks) + 1))
    assert all(each.box.intersect(inside) == each.box for each in made.marks)
    assert len({each.box for each in made.marks}) == len(made.marks)
    assert len(made.table.split("\n")) == len(made.marks) + 1


def test_the_label_stays_whole_at_every_edge() -> None:
    for box in (Box(0, 0, 3, 3), Box(197, 147, 3, 3), Box(197, 0, 3, 3), Box(0, 147, 3, 3)):
        pixels = np.asarray(mark(screen(), flat(node(box=box))).image)
        assert (pixels == 255).all(axis=2).any() or (pixels.min(axis=2) > 180).any(), box
        assert (pixels == 0).all(axis=2).sum() >= 40, box
