"""An observation holds what was wanted, in one order, and nothing that was not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from PIL import Image

from proctor.computers.computer import App, Computer, Parts, Window
from proctor.computers.observer import needs, observe
from proctor.errors import ComputerError, SpecError
from proctor.observations.box import Box
from proctor.observations.clip import Clip
from proctor.observations.observation import Want
from proctor.observations.tree import Tree
from tests.observations.trees import flat, node


class Looks:
    """Every part that can be looked at, on a desktop where nothing ever moves; tells in which order it was asked."""

    size = (400, 200)

    def __init__(self) -> None:
        self.looked: list[str] = []

    def screenshot(self, *, cursor: bool = True) -> Image.Image:
        self.looked.append("screenshot with pointer" if cursor else "screenshot")
        return Image.linear_gradient("L").resize(self.size).convert("RGB")

    def tree(self) -> Tree:
        self.looked.append("tree")
        found = flat(node(name="Save", box=Box(40, 20, 100, 60)), node("terminal", name="", text="$ ls"))
        return Tree(nodes=found.nodes, degraded=("calc: too many cells",))

    def element_at(self, x: float, y: float) -> None:
        return None

    def focused(self) -> None:
        return None

    def windows(self) -> list[Window]:
        self.looked.append("windows")
        return [Window(id=1, title="notes", app="Editor", pid=7, box=Box(0, 0, 400, 200), active=True)]

    def launch(self, argv: Sequence[str], **options: Any) -> App:
        raise ComputerError(f"{argv} is not installed")

    def clip(self, seconds: float) -> Clip:
        self.looked.append(f"clip {seconds}")
        return Clip(end=seconds)


class Still(Computer):
    backend = "still"

    def __init__(self) -> None:
        looks = Looks()
        super().__init__(Parts(screen=looks, tree=looks, windows=looks, clip=looks))
        self.looked = looks.looked


class Blind(Computer):
    backend = "blind"

    def __init__(self) -> None:
        looks = Looks()
        super().__init__(Parts(screen=looks))
        self.looked = looks.looked


def test_only_what_is_wanted() -> None:
    computer = Still()
    seen = observe(computer)
    assert computer.looked == ["screenshot with pointer"]
    assert seen.screenshot is not None
    assert (seen.tree, seen.marks, seen.windows, seen.terminal, seen.clip, seen.degraded) == (None,) * 5 + ((),)
    computer = Still()
    seen = observe(computer, Want(screenshot=False, tree=True))
    assert computer.looked == ["tree", "windows"]
    assert seen.screenshot is None


def test_everything_in_order() -> None:
    computer = Still()
    want = Want(cursor=False, tree=True, marks=True, windows=True, terminal=True, clip_sec=2.5)
    seen = observe(computer, want)
    assert computer.looked == ["screenshot", "tree", "windows", "tree", "windows", "clip 2.5"]
    assert seen.windows is not None
    assert [window.title for window in seen.windows] == ["notes"]
    assert seen.marks is not None
    assert [mark.node.name for mark in seen.marks.marks] == ["Save", ""]
    assert seen.terminal == "$ ls"
    assert seen.clip == Clip(end=2.5)
    assert seen.degraded == ("tree: calc: too many cells",)


def test_marks_bring_their_picture_but_nothing_else() -> None:
    seen = observe(Still(), Want(screenshot=False, marks=True))
    assert (seen.screenshot, seen.tree, seen.windows) == (None, None, None)
    assert seen.marks is not None
    assert seen.marks.image.size == (400, 200)


def test_a_scaled_picture_keeps_desktop_coordinates() -> None:
    seen = observe(Still(), Want(marks=True, scale=0.5))
    assert seen.screenshot is not None
    assert seen.marks is not None
    assert seen.screenshot.size == seen.marks.image.size == (200, 100)
    assert seen.scale == (0.5, 0.5)
    assert seen.to_desktop(45, 25) == Box(40, 20, 100, 60).center
    assert seen.marks.marks[0].box == Box(40, 20, 100, 60)
    assert seen.marks.image.getpixel((20, 10)) == (255, 0, 0)


def test_what_cannot_be_seen_is_refused_before_looking() -> None:
    computer = Blind()
    with pytest.raises(
        SpecError,
        match="this computer has no accessibility tree, no window list and no screen clips\\n.*'blind' offers: screen",
    ):
        observe(computer, Want(terminal=True, clip_sec=1))
    assert computer.looked == []
    assert needs(Want(screenshot=False)) == []


def test_looking_twice_gives_the_same() -> None:
    want = Want(tree=True, marks=True, scale=0.7)
    one, other = observe(Still(), want), observe(Still(), want)
    assert one.marks is not None
    assert other.marks is not None
    assert one.marks.table == other.marks.table
    assert one.marks.image == other.marks.image
    assert one.tree == other.tree
