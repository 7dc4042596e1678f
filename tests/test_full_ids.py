"""An id carries its suite: it is understood wherever tasks are named, and a wrong one is answered shortly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from proctor.cli.choose_tasks import chosen_tasks, suite_name
from proctor.cli.tasks import tasks
from proctor.errors import SpecError, UnknownName
from proctor.suites import chosen_templates, load_suite


def ids(*names: str, suite: str = "core") -> list[str]:
    return [task.id for task in chosen_tasks(suite, names, {}, [0])[0]]


@pytest.fixture(scope="module")
def composed() -> str:
    suite = load_suite("graph")
    return suite.id(suite.templates[0])


def test_an_id_of_another_suite_needs_no_suite(composed: str) -> None:
    assert ids(composed) == [composed]
    assert suite_name("core", [composed], []) == "graph"


def test_the_version_may_be_left_out(composed: str) -> None:
    assert ids(composed.rpartition("-v")[0]) == [composed]


def test_a_bare_name_means_the_given_suite() -> None:
    assert ids("sign-the-letter") == ids("core/sign-the-letter") == ids("core/sign-the-letter-v1")


def test_a_selection_holds_tasks_of_another_suite() -> None:
    ((suite, _),) = chosen_templates("tour", ["core/sign-the-letter-v1"])
    assert suite.name == "tour"
    assert ids("tour/sign-the-letter") == ["core/sign-the-letter-v1"]


def test_tasks_of_several_suites_may_be_named_together(composed: str) -> None:
    names = ["sign-the-letter", composed]
    assert ids(*names) == ["core/sign-the-letter-v1", composed]
    assert suite_name("core", names, []) == "core+graph"


def test_one_task_named_in_two_ways_is_named_twice() -> None:
    with pytest.raises(SpecError, match="named twice"):
        ids("sign-the-letter", "core/sign-the-letter-v1")


def test_a_folder_of_ones_own_comes_first(tmp_path: Path, project: Path) -> None:
    folder = project / "examples" / "tasks"
    assert ids("tasks/buy-eggs-v1", suite=str(folder)) == ["tasks/buy-eggs-v1"]
    assert ids("core/sign-the-letter-v1", suite=str(folder)) == ["core/sign-the-letter-v1"]


@pytest.mark.parametrize("name", ["graph/never-heard-of-it-v1", "zzzzzz", "core/zzzzzz-v9"])
def test_a_wrong_name_is_answered_with_few(name: str) -> None:
    with pytest.raises(UnknownName) as caught:
        ids(name)
    assert len(caught.value.remedy) < 300
    assert "proctor tasks list --suite" in caught.value.remedy or "did you mean" in caught.value.remedy


def test_ids_are_understood_by_show_and_lint(composed: str) -> None:
    shown = CliRunner().invoke(tasks, ["show", composed, "--json"], catch_exceptions=False)
    assert json.loads(shown.output)["id"] == composed
    linted = CliRunner().invoke(tasks, ["lint", "tour/sign-the-letter"], catch_exceptions=False)
    assert (linted.exit_code, linted.output) == (0, "no problems found\n")
