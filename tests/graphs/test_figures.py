"""Figures of composed tasks: counted by hand, kept by what is composed, printed."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from proctor.cli.compose import compose
from proctor.errors import SpecError
from proctor.graphs.compose.compose import compose_with
from proctor.graphs.compose.figures import PoolFigure, TaskFigures, figures_of, summary_of
from proctor.suites.pool import POOL


def task(*subtasks: str, **more: int | bool) -> TaskFigures:
    plain = {"links": 2, "generic": 1, "fed_by_itself": 0, "packed_again": 0, "coherent": True, "words": 40}
    return TaskFigures(subtasks=subtasks, goal="outing", **{**plain, **more})  # type: ignore[arg-type]


def test_figures_are_counted_as_they_say() -> None:
    found = [task("a", "b"), task("a", "c", "a", words=80, coherent=False, generic=2, fed_by_itself=1), task("d")]
    figures = {figure.name: figure for figure in summary_of([*found, task(*"abcdefghi", words=130)])}
    assert figures["tasks"].value == 4 and figures["tasks of several subtasks"].value == 3
    repeated = figures["tasks of several subtasks that repeat one"]
    assert repeated.value == pytest.approx(1 / 3) and not repeated.is_kept
    assert figures["subtasks fed by themselves"].value == 1
    assert figures["nodes of the 15 commonest subtasks"].value == 1.0
    assert figures["links into files and texts of any kind"].value == pytest.approx(4 / 6)
    assert figures["logical consistency is defined"].value == pytest.approx(2 / 3)
    assert figures["words, median up to 8 subtasks"].value == 40 and figures["words, most"].value == 130


def test_no_tasks_have_figures_too() -> None:
    assert {figure.value for figure in summary_of([])} == {0}


def test_a_bound_is_said_in_words() -> None:
    assert PoolFigure("x", 0.5, most=0.1).limit == "at most 10.0 %" and PoolFigure("x", 3).limit == ""
    assert PoolFigure("x", 3, least=4, share=False).limit == "at least 4" and not PoolFigure("x", 3, least=4).is_kept


def test_what_is_composed_keeps_its_bounds() -> None:
    found = summary_of(compose_with(figures_of, POOL, count=300, seed=7))
    # Of three hundred tasks some shares differ from those of many by chance.
    assert [figure.name for figure in found if figure.most == 0 and not figure.is_kept] == []
    shares = {figure.name: figure for figure in found if figure.share and figure.most}
    assert all(figure.value < 1.25 * (figure.most or 0) for figure in shares.values()), shares


def test_figures_are_printed_or_told_as_json() -> None:
    pool = ("--pool", "tests.graphs.composed:POOL")
    result = CliRunner().invoke(compose, [*pool, "--count", "5", "--figures"])
    assert result.exit_code == 0, result.output
    assert result.output.splitlines()[0].split() == ["tasks", "5"] and "not kept" in result.output
    told = CliRunner().invoke(compose, [*pool, "--count", "5", "--figures", "--json"])
    assert json.loads(told.output.splitlines()[0]) == {
        "figure": "tasks", "value": 5, "most": None, "least": None, "kept": True
    }  # fmt: skip
    both = CliRunner().invoke(compose, [*pool, "--figures", "--out", "x"])
    assert isinstance(both.exception, SpecError)
