"""Goals of which only some parts can be done."""

from __future__ import annotations

import pytest

from proctor.errors import SpecError
from proctor.graphs.compose.compose import compose
from proctor.graphs.goals.read import read_goals
from proctor.suites.pool import POOL

(OUTING,) = read_goals(
    """
# outing
titles: outing
names: places
demand: Life/Traveling
people: the guide
purpose: Everybody knows when {title} begins.
remarks: See you on {day}
table: tickets
there:
  map: image map
  route: text_file journey
make:
  small map: scale-picture(map) -- phones are small
  upright map: turn-picture(small map | map) -- it lies on its side
  lines: number-the-lines(route) -- stops have numbers
  first line: copy-the-first-line(lines | route) -- it names the trip
  * map sent: mail-a-file(upright map) -- the guide needs it
  * line noted: paste-into-a-note(first line) -- the guide keeps it
"""
)
LASTING = {"scale-picture", "turn-picture", "number-the-lines", "mail-a-file", "paste-into-a-note"}


def test_with_all_its_subtasks_a_goal_stays_as_it_is() -> None:
    assert OUTING.within({part.subtask for part in OUTING.parts}, LASTING) == OUTING


def test_what_nothing_is_made_of_any_more_may_be_wanted() -> None:
    left = OUTING.within({"scale-picture", "turn-picture"}, LASTING)
    assert list(left.ways) == ["small map", "upright map"]
    assert left.wanted == {"upright map"}
    assert OUTING.within({"scale-picture"}, LASTING).wanted == {"small map"}


def test_what_would_be_copied_in_vain_is_left_out() -> None:
    left = OUTING.within({"number-the-lines", "copy-the-first-line"}, LASTING)
    assert list(left.ways) == ["lines"]
    assert left.wanted == {"lines"}
    assert OUTING.within({"copy-the-first-line"}, LASTING).parts == ()


def test_what_cannot_be_made_is_no_source() -> None:
    left = OUTING.within({"turn-picture", "copy-the-first-line", "paste-into-a-note"}, LASTING)
    assert [part.sources for part in left.parts] == [(("map",),), (("route",),), (("first line",),)]
    assert left.wanted == {"upright map", "line noted"}
    assert OUTING.within({"mail-a-file"}, LASTING).parts == ()


@pytest.mark.parametrize("app", ["kolourpaint", "inkscape"])
def test_goals_are_served_in_part_with_one_application(app: str) -> None:
    for composition in compose(POOL, count=3, apps=[app]):
        assert {POOL[node.subtask].app for node in composition.nodes} == {app}
        used = {binding.producer for binding in composition.bindings}
        gives = {node.id: next(iter(POOL[node.subtask].gives.values())) for node in composition.nodes}
        assert "clipboard_text" not in {gives[id] for id in gives if id not in used}


def test_an_application_that_only_fills_the_clipboard_is_refused() -> None:
    with pytest.raises(SpecError, match="no goal of the pool gives") as caught:
        compose(POOL, apps=["gnome-calculator"])
    assert "widen the choice of applications" in caught.value.remedy
