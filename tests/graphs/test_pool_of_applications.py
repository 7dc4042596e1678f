"""The pool of subtasks on real applications: what it holds, and what every subtask of it must keep to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from proctor import load_suite, taxonomy
from proctor.errors import SpecError
from proctor.graphs.compose.compose import compose
from proctor.graphs.compose.initial import initial_resource
from proctor.graphs.compose.pool import category_of
from proctor.graphs.compose.resource import is_a, kind_of
from proctor.graphs.compose.subtask import Subtask
from proctor.graphs.compose.theme import Theme
from proctor.graphs.compose.unify import CastPart, unify
from proctor.graphs.goals.goal import Start
from proctor.suites.parts.alone import bind_alone
from proctor.suites.pool import POOL, SUBTASKS
from proctor.tasks.call import walk
from proctor.tasks.draw import Draw
from proctor.tasks.load import task_from_json
from tests.graphs.chained import never_used, standing_alone

SUITE = load_suite("pool")
CLIPBOARD_KEYS = {"ctrl+c", "ctrl+x", "ctrl+v", "ctrl+shift+c", "ctrl+shift+v", "shift+Insert", "ctrl+Insert"}
each_subtask = pytest.mark.parametrize("subtask", SUBTASKS, ids=lambda subtask: subtask.name)


def test_it_is_large_and_covers_every_category() -> None:
    assert len(POOL) >= 80
    assert len(POOL.apps) >= 16
    assert {category_of(subtask) for subtask in POOL} == set(taxonomy.CATEGORIES)
    assert len(SUITE.templates) == len(POOL)


def test_most_of_it_can_be_chained() -> None:
    alone = standing_alone(POOL)
    unused = never_used(POOL)
    assert len(POOL) - len(alone) >= 80
    assert unused == set()
    assert sum(bool(subtask.takes) for subtask in POOL) / len(POOL) >= 2 / 3
    assert sum(len(subtask.takes) > 1 for subtask in POOL) >= 8


@each_subtask
def test_its_task_survives_json_and_is_the_same_each_time(subtask: Subtask) -> None:
    for seed in range(3):
        task = SUITE.task(subtask.name, seed)
        assert task_from_json(task.to_json()) == task
        assert SUITE.task(subtask.name, seed).digest == task.digest
        assert task.near_misses


@each_subtask
def test_it_leaves_the_clipboard_alone_unless_that_is_its_business(subtask: Subtask) -> None:
    if "clipboard_text" in (*subtask.takes.values(), *subtask.gives.values()):
        return
    task = SUITE.task(subtask.name)
    pressed = {call.arguments["keys"] for _, call in walk(task.solution, ()) if call.name == "press"}
    assert pressed.isdisjoint(CLIPBOARD_KEYS)


@each_subtask
def test_it_gives_something_new(subtask: Subtask) -> None:
    draw = Draw(f"new things of {subtask.name}")
    theme = Theme.draw(draw)
    bound = bind_alone(subtask, draw, theme)
    assert {given.value for given in bound.gives.values() if is_a(given.kind, "file")}.isdisjoint(
        taken.value for taken in bound.takes.values()
    )


def test_tables_of_one_theme_can_be_joined() -> None:
    for number in range(40):
        draw = Draw(f"tables {number}")
        theme = Theme.draw(draw)
        first = initial_resource("table_file", draw, theme)
        second = initial_resource("table_file", draw, theme, {first.value})
        joined = POOL["join-two-tables"].plan(draw, theme, {"first": first, "second": second}).gives["result"]
        assert joined.content == [*first.content, *second.content[1:]]


def test_tasks_begin_only_with_what_can_be_made() -> None:
    assert "text_file" in POOL.initial
    assert "contact" not in POOL.initial


def test_nothing_is_asked_for_that_is_done_already() -> None:
    start = Start("list", "text_file", "minutes")
    goal = replace(POOL.goals["club-outing"], starts={"list": start})
    back = (
        CastPart("first line", "copy-the-first-line", (("source", "list"),)),
        CastPart("line noted", "paste-into-a-text", (("clip", "first line"),)),
        CastPart("same line", "copy-the-first-line", (("source", "line noted"),)),
    )
    with pytest.raises(SpecError, match="'copy-the-first-line' gives 'clipboard_text: .* which already exists"):
        unify(POOL, goal, back, "0", Draw("0"))
    for composition in compose(POOL, count=60, seed="slots"):
        put = [given for node in composition.nodes for given in node.bound.gives.values() if kind_of(given.kind).slot]
        assert len({(given.kind, given.value) for given in put}) == len(put)
