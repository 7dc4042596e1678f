"""Elements can be named by their ids in every dialect, and one that is not there is told so with the nearest."""

from __future__ import annotations

import pytest

from proctor.actions.dialects import open_dialect
from proctor.actions.dialects.dialect import Frame
from tests.actions.dialects.samples import TEXT_DIALECTS, refused

FRAME = Frame(
    desktop=(1000, 500),
    image=(500, 250),
    listed=True,
    marks={3: (30, 40), 12: (100, 200), 40: (7, 8)},
    names={3: 'button "Save"', 12: 'button "Save As"', 40: 'tab "Icons"'},
    absent={7: 'button "Save" is gone', 8: 'item "Zürich" is offscreen'},
)
CLICK = {
    "plain_json": ('{"type": "click", "id": %d}', '{"type": "click", "mark": %d}'),
    "computer13": ('{"action_type": "CLICK", "id": %d}', '{"action_type": "CLICK", "parameters": {"mark": "%d"}}'),
    "pyautogui": ("```python\npyautogui.click(*tag_%d)\n```", "```python\nx, y = tag_%d\npyautogui.click(x, y)\n```"),
    "ui_tars": ("Action: click(start_box='%d')", "Action: click(id='%d')"),
    "ui_tars_1.0": ("Action: click(start_box='%d')", "Action: click(id='%d')"),
    "omnibench": (
        '{"Status": "CONTINUE", "ControlLabel": "%d", "Function": "click_input", "Args": {"button": "left"}}',
    ),
    "android_world": ('{"action_type": "click", "index": %d}', '{"action_type": "click", "id": %d}'),
    "browsergym": ("```\nclick('%d')\n```", "```\nclick(%d)\n```"),
}


def test_no_dialect_is_left_out() -> None:
    assert CLICK.keys() == set(TEXT_DIALECTS)


@pytest.mark.parametrize(("name", "reply"), [(name, reply) for name in CLICK for reply in CLICK[name]])
def test_an_id_stands_for_the_place_and_is_recorded(name: str, reply: str) -> None:
    reading = open_dialect(name).read(reply % 12, FRAME)
    (action,) = reading.actions
    assert (action.x, action.y) == (100, 200)  # type: ignore[attr-defined]
    assert action.given
    if action.given.points:
        assert action.given.space == "element 12"


@pytest.mark.parametrize(("name", "reply"), [(name, reply) for name in CLICK for reply in CLICK[name]])
def test_what_is_not_there_is_told_with_the_nearest(name: str, reply: str) -> None:
    dialect = open_dialect(name)
    gone = refused(dialect.read(reply % 7, FRAME))
    assert 'element 7 cannot be used: button "Save" is gone' in gone
    assert 'the nearest: 3 button "Save"' in gone
    assert 'item "Zürich" is offscreen' in refused(dialect.read(reply % 8, FRAME))
    assert 'there is no element 41; the nearest: 40 tab "Icons"' in refused(dialect.read(reply % 41, FRAME))
    assert "there is no element 1" in refused(dialect.read(reply % 1, Frame(desktop=(9, 9), image=(9, 9))))


@pytest.mark.parametrize("name", TEXT_DIALECTS)
def test_ids_are_spoken_of_only_where_there_are_some(name: str) -> None:
    dialect = open_dialect(name)
    kinds = ("tap",) if name == "android_world" else ("click",)
    told, untold = (dialect.describe(kinds, frame) for frame in (FRAME, Frame(desktop=(1000, 500), image=(500, 250))))
    assert any(word in told for word in ("with the id 3", "the id of the element"))
    assert not any(word in untold for word in ("with the id 3", "the id of the element", "tag_3", '"id"'))
