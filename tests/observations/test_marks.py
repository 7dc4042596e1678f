"""Marks stand on what can be seen, with numbers one can read."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from proctor.observations.box import Box
from proctor.observations.marks import Marks, mark
from proctor.observations.outline import outline
from proctor.observations.tree import Tree
from tests.observations.trees import flat, node, trees

RED, BLACK, WHITE = (255, 0, 0), (0, 0, 0), (255, 255, 255)


def screen(width: int = 200, height: int = 150) -> Image.Image:
    """No two neighbouring pixels are alike, none red, black or white."""
    across, down = np.meshgrid(np.arange(width), np.arange(height))
    return Image.fromarray(np.dstack([40 + across % 100, 60 + down % 100, 90 + (across + down) % 50]).astype(np.uint8))


def marked(image: Image.Image, tree: Tree, scale: tuple[float, float] = (1.0, 1.0)) -> Marks:
    """Return the marks of the outline of a tree."""
    size = (round(image.width / scale[0]), round(image.height / scale[1]))
    return mark(image, outline(tree, size=size), scale=scale)


def test_a_mark() -> None:
    made = marked(screen(), flat(node(name="Save", box=Box(20, 30, 60, 40))))
    (only,) = made.marks
    assert (only.index, only.node.name, only.box, only.point) == (1, "Save", Box(20, 30, 60, 40), (50, 50))
    assert made.table.split("\n")[1] == ' 1 button "Save" 50,50 60x40'
    corners = [(20, 30), (79, 30), (79, 69)]
    assert [made.image.getpixel(corner) for corner in corners] == [RED] * 3
    assert made.image.getpixel((80, 50)) == screen().getpixel((80, 50))
    label = made.image.crop((20, 50, 40, 70))
    assert made.image.getpixel((20, 69)) == BLACK
    assert label.convert("L").getextrema()[1] == 255


def test_the_screenshot_is_left_alone() -> None:
    image = screen()
    marked(image, flat(node()))
    assert image.tobytes() == screen().tobytes()


def test_numbers_are_those_of_the_outline_and_texts_get_none() -> None:
    tree = flat(
        node(name="b", box=Box(100, 100, 20, 20)), node("label", name="read me"), node(name="a", box=Box(0, 0, 20, 20))
    )
    shown = outline(tree, size=(200, 150))
    made = mark(screen(), shown)
    assert [each.index for each in made.marks] == [each.id for each in shown.elements if each.usable]
    assert {each.node.name for each in made.marks} == {"a", "b"}
    assert made.get(made.marks[0].index) == made.marks[0]
    assert made.get(99) is None


def test_a_label_covers_no_text_where_there_is_room() -> None:
    image = Image.new("RGB", (200, 150), (90, 90, 90))
    pen = ImageDraw.Draw(image)
    pen.text((22, 60), "written here", fill=WHITE)
    boxes = [Box(20, 58, 80, 16), Box(20, 74, 80, 16)]
    made = marked(image, flat(*(node(name=str(place), box=box) for place, box in enumerate(boxes))))
    before, after = np.asarray(image.convert("L")), np.asarray(made.image.convert("L"))
    text = before > 200
    assert (after[text] > 200).mean() > 0.95, "the text can still be read"
    assert (np.asarray(made.image) == 0).all(axis=2).sum() > 100, "and both numbers are there"


def test_what_leaves_the_screen_is_cut() -> None:
    made = marked(screen(), flat(node(box=Box(180, 140, 100, 100)), node(name="out", box=Box(300, 0, 10, 10))))
    assert [each.box for each in made.marks] == [Box(180, 140, 20, 10)]


@pytest.mark.parametrize("scale", [0.5, 0.75])
def test_a_smaller_screenshot_keeps_desktop_boxes(scale: float) -> None:
    box = Box(40, 60, 80, 40)
    small = screen().resize((round(200 * scale), round(150 * scale)))
    made = marked(small, flat(node(box=box)), (scale, scale))
    assert made.marks[0].box == box
    assert made.image.size == small.size
    assert made.image.getpixel((round(40 * scale), round(60 * scale))) == RED


@given(trees(), st.integers(1, 60), st.integers(1, 60))
def test_any_tree_on_any_screen(tree: Tree, width: int, height: int) -> None:
    made = marked(screen(width, height), tree)
    inside = Box(0, 0, width, height)
    assert made.image.size == (width, height)
    assert len({each.index for each in made.marks}) == len(made.marks)
    assert all(each.box.intersect(inside) == each.box for each in made.marks)


def test_the_label_stays_whole_at_every_edge() -> None:
    for box in (Box(0, 0, 3, 3), Box(197, 147, 3, 3), Box(197, 0, 3, 3), Box(0, 147, 3, 3)):
        pixels = np.asarray(marked(screen(), flat(node(box=box))).image)
        assert (pixels == 255).all(axis=2).any() or (pixels.min(axis=2) > 180).any(), box
        assert (pixels == 0).all(axis=2).sum() >= 40, box
