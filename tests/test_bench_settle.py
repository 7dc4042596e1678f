"""The battery of views after actions: every line is an action, and what differs later is counted as stale."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some
from PIL import Image

from benchmarks import settle
from benchmarks.settle import Pair, figures, keep, look_twice, percentile
from benchmarks.settle_scenes import scenes
from benchmarks.settle_steps import action_of, read_step
from proctor.actions.action import Click, InputAction, Move, Press, Scroll, Type
from proctor.actions.keys import parse_keys
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.drift import Place
from proctor.errors import SpecError, UnknownName
from proctor.observations.box import Box

SCREEN, WINDOW = Box(0, 0, 1920, 1080), Box(100, 200, 401, 301)
numbers = some.floats(min_value=0, max_value=1e6)


def pair(app: str = "editor", ms: float = 50, *, stale: bool = False) -> Pair:
    if not stale:
        return Pair(app=app, step="press a", ms=ms, settled=True)
    pictures = (Image.new("RGB", (40, 30)), Image.new("RGB", (40, 30), "white"))
    return Pair(app=app, step="press a/b", ms=ms, settled=True, places=(Place(Box(0, 0, 9, 9), 81),), pictures=pictures)


def test_the_battery_is_large_and_every_line_of_it_is_an_action() -> None:
    assert sum(len(scene.steps) for scene in scenes()) >= 300
    assert Counter(scene.app for scene in scenes()).most_common(1)[0][1] == 1
    for scene in scenes():
        for line in (*scene.prepare, *scene.steps):
            action = read_step(line, SCREEN, WINDOW)
            assert isinstance(action, InputAction)
            if isinstance(action, Press):
                assert parse_keys(action.keys)


def test_places_are_parts_of_the_window_or_of_the_screen() -> None:
    assert read_step("click 0.5 0.5", SCREEN, WINDOW) == Click(x=300, y=350)
    assert read_step("right 0 1", SCREEN, WINDOW) == Click(x=100, y=500, button="right")
    assert read_step("desk double 0 0", SCREEN, WINDOW) == Click(x=0, y=0, count=2)
    assert read_step("desk move 1 1", SCREEN, WINDOW) == Move(x=1919, y=1079)
    assert read_step("scroll 0 0 -3", SCREEN, WINDOW) == Scroll(x=100, y=200, dy=-3)
    assert read_step("type a  b", SCREEN, WINDOW) == Type(text="a  b")


@pytest.mark.parametrize("line", ["", "jump 1 1", "click", "click 0.5", "click a b", "scroll 0 0", "click 0 0 0"])
def test_a_line_that_says_nothing_is_refused(line: str) -> None:
    with pytest.raises(SpecError, match="cannot be read"):
        read_step(line, SCREEN, WINDOW)


def test_without_a_window_places_are_those_of_the_screen() -> None:
    with FakeComputer(size=(800, 600)) as computer:
        assert action_of("click 1 1", computer) == Click(x=799, y=599)


class Late(FakeComputer):
    """A computer on which a window comes up a while after each key, or something never stands still."""

    views: list[Image.Image]

    def screenshot(self, *, cursor: bool = True) -> Image.Image:
        return self.views.pop(0) if len(self.views) > 1 else self.views[0]


def view(*boxes: tuple[int, int, int, int]) -> Image.Image:
    image = Image.new("RGB", (320, 320))
    for box in boxes:
        image.paste("white", box)
    return image


@pytest.mark.parametrize(
    ("views", "stale"),
    [
        ([view(), view()], False),
        ([view(), view((40, 40, 120, 90))], True),
        ([view(), view((40, 40, 60, 60)), view((44, 40, 64, 60)), view((40, 40, 60, 60)), view()], False),
        ([view(), view((40, 40, 42, 60))], False),
    ],
    ids=["still", "late", "spinning", "caret"],
)
def test_a_pair_is_stale_where_the_screen_came_to_be_another(
    views: list[Image.Image], stale: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settle, "LATER_SEC", 0.0)
    monkeypatch.setattr(settle, "GLANCE_SEC", 0.0)
    with Late(size=(320, 320)) as computer:
        computer.views = views
        assert look_twice(computer, "editor", "press a").stale is stale


def test_figures_tell_the_share_and_the_times() -> None:
    found = {figure.key: figure for figure in figures([*[pair()] * 97, *[pair("mail", 900, stale=True)] * 3], ["calc"])}
    assert found["stale_percent"].value == pytest.approx(3)
    assert found["stale_percent"].reached is False
    assert "without calc" in found["stale_percent"].note
    assert (found["settle_ms"].value, found["settle_p95_ms"].value) == (50, 50)
    assert (found["stale_editor_percent"].value, found["stale_mail_percent"].value) == (0, 100)
    assert figures([])[0].value is None


@given(some.lists(numbers, min_size=1), some.integers(1, 100))
def test_so_many_per_cent_do_not_exceed_a_percentile(values: list[float], rank: int) -> None:
    found = percentile(values, rank)
    assert found in values
    assert sum(value <= found for value in values) >= len(values) * rank / 100


def test_stale_pairs_are_kept_as_pictures(tmp_path: Path) -> None:
    keep([pair(), pair("file manager", stale=True)], tmp_path / "pictures")
    (kept,) = (tmp_path / "pictures").iterdir()
    assert kept.name == "001-file-manager-press-a_b.png"
    with Image.open(kept) as picture:
        assert picture.size == (88, 30)


def test_an_unknown_application_is_refused() -> None:
    with pytest.raises(UnknownName, match="application of the battery"):
        settle.measure(settling="quick", quick=True, apps=("solitaire",), pictures=None, say=lambda _: None)
