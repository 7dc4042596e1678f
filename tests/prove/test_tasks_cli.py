"""`proctor tasks` and `proctor tasks prove` as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from proctor.cli.choose_tasks import chosen_tasks
from proctor.cli.prove import prove
from proctor.cli.tasks import tasks
from proctor.errors import ProctorError, SpecError, UnknownName
from proctor.prove.rotate import rotate
from proctor.prove.scaffold import scaffold
from proctor.suites.lint import lint_task
from proctor.tasks.load import load_task
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import Admission, NearMiss, Tags, Way
from tests.prove.machines import shopping

FIELDS = {"id", "apps", "categories", "level", "domain", "scenario", "demand", "feasible", "services", "unproven"}


def run(*args: str) -> Result:
    return CliRunner().invoke(tasks, list(args))


def test_the_list_is_one_object_per_line() -> None:
    rows = [json.loads(line) for line in run("list", "--json").output.splitlines()]
    assert all(row.keys() == FIELDS for row in rows)
    letter = next(row for row in rows if row["id"] == "core/sign-the-letter-v1")
    assert letter["apps"] == ["mousepad"]
    assert letter["level"] == 2


def test_the_list_is_filtered_by_tag() -> None:
    rows = [json.loads(line) for line in run("list", "--json", "--app", "mousepad", "--level", "2").output.splitlines()]
    assert rows
    assert all("mousepad" in row["apps"] and row["level"] == 2 for row in rows)


def test_a_filter_that_names_nothing_known_is_a_mistake() -> None:
    with pytest.raises(UnknownName, match="unknown application 'mousepda'"):
        chosen_tasks("core", [], {"app": ("mousepda",)}, [0])


def test_a_filter_that_leaves_nothing_is_said() -> None:
    with pytest.raises(SpecError, match="has no task with level 5"):
        chosen_tasks("core", ["sign-the-letter"], {"level": ("5",)}, [0])


def test_show_tells_everything_about_a_task() -> None:
    shown = run("show", "sign-the-letter").output
    assert "core/sign-the-letter-v1" in shown
    for section in ("Setup", "Judged by", "Solution", "Near miss: not saved"):
        assert section in shown
    assert "text_is(of=text('Documents/letter.txt')" in shown


def test_show_tells_other_ways_cheats_and_what_may_differ(tmp_path: Path) -> None:
    moves = (hand.run_code("true"),)
    task = shopping(
        other_ways=(Way(name="by [red]hand", moves=moves),),
        cheats=(Way(name="nothing done", moves=moves),),
        may_differ=(Admission(which="*: mirrored", why="It is symmetric."),),
    )
    file = tmp_path / "task.json"
    file.write_text(json.dumps(task.to_json()))
    assert load_task(file) == task
    shown = run("show", str(file)).output
    for said in ("Other way: by [red]hand", "Cheat: nothing done", "May differ", "*: mirrored: It is symmetric."):
        assert said in shown


def test_lint_looks_at_other_ways_and_cheats_too() -> None:
    same = Way(name="x", moves=shopping().solution)
    wrong = Way(name="x", moves=(hand.click("Save", role="push buton"),))
    said = " | ".join(remark.message for remark in lint_task(shopping(other_ways=(same, wrong))))
    assert "two of its other ways have the same name" in said
    assert "another way, or a cheat, has the same moves as the solution" in said
    assert "no element has the role 'push buton'" in said
    code = shopping(cheats=(Way(name="x", moves=(hand.run_code("true"),)),))
    assert not list(lint_task(code)), "other ways and cheats may run code in any task"


def test_show_prints_a_task_file_that_can_be_loaded(tmp_path: Path) -> None:
    file = tmp_path / "letter.json"
    file.write_text(run("show", "sign-the-letter", "--seed", "3", "--json").output)
    (again,), folder = chosen_tasks("core", [str(file)], {}, [0])
    assert again.digest == chosen_tasks("core", ["sign-the-letter"], {}, [3])[0][0].digest
    assert folder == tmp_path


def test_lint_has_nothing_to_say_of_a_good_task() -> None:
    done = run("lint", "sign-the-letter")
    assert (done.exit_code, done.output) == (0, "no problems found\n")


def test_lint_names_everything_a_task_lacks(tmp_path: Path) -> None:
    bare = shopping(paraphrases=(), near_misses=(NearMiss(name="x", moves=shopping().solution),))
    file = tmp_path / "bare.json"
    file.write_text(json.dumps(bare.to_json()))
    done = run("lint", str(file), "--json")
    assert done.exit_code == 1
    messages = " ".join(json.loads(line)["message"] for line in done.output.splitlines())
    assert "1 near misses" in messages
    assert "same moves as the solution" in messages
    assert "no paraphrase" in messages


@pytest.mark.parametrize(("level", "said"), [(1, "use the check `operated`"), (4, "uses 2 or more applications")])
def test_lint_knows_what_levels_mean(level: int, said: str) -> None:
    task = shopping(tags=Tags(apps=("mousepad",), level=level, domain="Life", scenario="Shopping", demand="Searching"))
    assert any(said in remark.message for remark in lint_task(task))


def test_lint_wants_no_code_in_tasks_about_other_things() -> None:
    task = shopping(solution=(hand.run_code("echo eggs >> list.txt"),))
    assert any("run code" in remark.message for remark in lint_task(task))


def test_lint_sees_what_cannot_be_there_and_gone_at_once() -> None:
    text = expect.text_is(see.text("list.txt"), "eggs")
    moved = expect.all_of([text, expect.nothing_there(see.file("old.txt"))])
    never = expect.all_of([text, expect.nothing_there(see.file("list.txt"))])
    said = "list.txt must have a text and must not be there"
    assert said in [remark.message for remark in lint_task(shopping(check=never))]
    assert said not in [remark.message for remark in lint_task(shopping(check=moved))]


def test_a_new_task_is_written_with_its_test(tmp_path: Path) -> None:
    done = run("new", str(tmp_path / "mine" / "water-the-plants"))
    assert done.exit_code == 0, done.output
    task = load_task(tmp_path / "mine" / "water-the-plants.json")
    assert task.id == "mine/water-the-plants-v1"
    assert list(lint_task(task)) == []
    compile((tmp_path / "mine" / "test_water_the_plants.py").read_text(), "test", "exec")


def test_a_new_task_overwrites_nothing(tmp_path: Path) -> None:
    scaffold(tmp_path / "mine")
    with pytest.raises(SpecError, match="already exists"):
        scaffold(tmp_path / "mine")


@pytest.mark.parametrize("name", ["Water", "water_plants", "-x"])
def test_a_new_task_needs_a_proper_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(SpecError, match="cannot be the name of a task"):
        scaffold(tmp_path / name)


def test_samples_rotate_through_everything() -> None:
    every = [shopping(id=f"test/n{number}-v1") for number in range(10)]
    seen = {task.id for turn in range(4) for task in rotate(every, 3, turn)}
    assert seen == {task.id for task in every}
    assert rotate(every, 20, 5) == every


@pytest.mark.sandbox
@pytest.mark.slow
@pytest.mark.turns(day=1)
def test_prove_prints_one_object_and_leaves_a_page(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        prove, ["sign-the-letter", "--repeats", "1", "--out", str(tmp_path), "--json"], catch_exceptions=False
    )
    data = json.loads(done.stdout)
    assert (data["tasks"], data["proven"], data["flaky"]) == (1, 1, 0), data
    (result,) = data["results"]
    assert result["solution"] == 1.0
    assert result["idle"] == result["fail"] == 0.0
    assert set(result["near_misses"].values()) == {0.0}
    assert done.exit_code == 0
    assert "1 of 1 proven" in (tmp_path / "proofs.html").read_text()


@pytest.mark.sandbox
@pytest.mark.slow
def test_a_task_file_that_cannot_be_proven_says_why(tmp_path: Path) -> None:
    task = shopping(setup=(), id="test/broken-v1")
    file = tmp_path / "broken.json"
    file.write_text(json.dumps(task.to_json()))
    done = CliRunner().invoke(prove, [str(file), "--repeats", "1", "--out", str(tmp_path / "out"), "--json"])
    assert not isinstance(done.exception, ProctorError)
    assert done.exit_code == 1
    assert any("There is no file list.txt" in problem for problem in json.loads(done.stdout)["results"][0]["problems"])


@pytest.mark.sandbox
def test_a_person_tries_a_task_and_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    done = CliRunner().invoke(
        tasks, ["try", "sign-the-letter"], input="what\nask who are you\ndone\n", catch_exceptions=False
    )
    assert "vncviewer 127.0.0.1" in done.output
    assert "I don't know any more about that" in done.output
    assert "score 0" in done.output
    assert "is missing here" in done.output
