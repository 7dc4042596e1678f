"""Boxes, polygons and refusals: what lies inside, and how far away the rest is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from proctor.offline.target import CONVENTIONS, AnswerTarget, box_target, fault

BOX = AnswerTarget("box", (10, 20, 110, 60))
ELL = AnswerTarget("polygon", (0, 0, 100, 0, 100, 20, 20, 20, 20, 100, 0, 100))


def test_borders_count() -> None:
    assert BOX.contains((10, 20)) and BOX.contains((110, 60)) and BOX.contains((50, 40))
    assert not BOX.contains((9.9, 40)) and not BOX.contains((50, 60.1))


def test_distance() -> None:
    assert BOX.distance((50, 40)) == 0
    assert BOX.distance((7, 16)) == 5
    assert BOX.distance((120, 40)) == 10
    assert AnswerTarget("refusal").distance((1, 1)) is None


def test_a_polygon_is_not_the_box_around_it() -> None:
    assert ELL.contains((10, 90)) and ELL.contains((90, 10)) and ELL.contains((20, 50))
    assert not ELL.contains((60, 60))
    assert ELL.distance((60, 60)) == 40
    assert ELL.area == 100 * 20 + 80 * 20
    assert ELL.box == (0, 0, 100, 100)


@given(st.floats(-50, 150), st.floats(-50, 150))
def test_a_box_as_a_polygon_is_the_same(x: float, y: float) -> None:
    left, top, right, bottom = BOX.corners
    same = AnswerTarget("polygon", (left, top, right, top, right, bottom, left, bottom))
    assert same.contains((x, y)) == BOX.contains((x, y))


def test_conventions_agree() -> None:
    written = {
        "xyxy": [10, 20, 110, 60],
        "xywh": [10, 20, 100, 40],
        "xyxy-unit": [0.05, 0.2, 0.55, 0.6],
        "xywh-unit": [0.05, 0.2, 0.5, 0.4],
        "xyxy-1000": [50, 200, 550, 600],
        "xywh-1000": [50, 200, 500, 400],
    }
    assert written.keys() == CONVENTIONS.keys()
    for name, box in written.items():
        found = box_target([float(value) for value in box], CONVENTIONS[name], (200, 100))
        assert [round(value, 9) for value in found.corners] == list(BOX.corners), name


def test_faults() -> None:
    size = (200, 100)
    assert fault(BOX, size) == "" and fault(AnswerTarget("refusal"), size) == ""
    assert fault(AnswerTarget("box", (0, 0, 201, 100)), size) == ""
    assert "sticks out" in fault(AnswerTarget("box", (0, 0, 202, 100)), size)
    assert "no area" in fault(AnswerTarget("box", (5, 5, 5, 50)), size)
    assert "no area" in fault(AnswerTarget("box", (50, 50, 5, 5)), size)
