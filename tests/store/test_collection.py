"""Any number of runs is one collection: counted, chosen from, exported, with all that people did and said."""

from __future__ import annotations

import importlib
import importlib.util
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from proctor.cli.main import cli
from proctor.errors import RecordError, SpecError
from proctor.records import Step
from proctor.store.account import ACCOUNT
from proctor.store.collection import EpisodeFilter, find_runs, walk
from proctor.store.export import export
from proctor.store.files import write_whole
from proctor.store.reviews import bind, review_log
from proctor.store.run import RunRecord
from tests.store.making import begin, finish, seen, small_run

DAY = 86_400.0


def demonstration(folder: Path, person: str, *, score: float | None = 1.0, started: float = 0.0, **fields: Any) -> Path:
    """Record what a person did, as the studio does: a run of one episode, at the same place in each."""
    with RunRecord.create(folder, {"proctor": "0.0.0"}) as run:
        writer = begin(run, steps=1)
        write_whole(str(writer.folder), ACCOUNT, json.dumps({"person": person}).encode())
        writer.step(
            Step(
                step=1, turn=2, saw=writer.see(seen(1), 1), thought="it is the blue one", instruction="open the menu",
                by="human", action={"type": "click", "x": 5, "y": 6}, meant={"type": "click", "x": 1, "y": 1},
            )
        )  # fmt: skip
        result = replace(finish(writer, score=score, started=started), **fields)
        run.add(result)
        run.seal()
    return folder


@pytest.fixture
def studio(tmp_path: Path) -> Path:
    made = tmp_path / "studio" / "demonstrations"
    demonstration(made / "one", "Ann", started=DAY)
    demonstration(made / "two\nlines", "Bob", started=2 * DAY)
    demonstration(made / "three", "Ann", score=0.0, started=3 * DAY)
    return made.parent


def review(run: Path, by: str, success: bool | None) -> None:
    (result,) = RunRecord.open(run).final()
    data = {"success": success, "first_wrong": None, "failures": [], "comment": "seen"}
    review_log(run, by).save(result.folder, 0, bind(run, run / result.folder, data), by=by)


def chosen(studio: Path, *only: str) -> int:
    return len(list(walk(find_runs([studio]), EpisodeFilter.parse(only))))


def test_it_is_chosen_by_all_that_is_known(studio: Path) -> None:
    review(studio / "demonstrations/one", "Rey", True)
    review(studio / "demonstrations/three", "Rey", False)
    assert chosen(studio) == 3
    assert chosen(studio, "person=Ann") == 2
    assert chosen(studio, "person=Ann", "person=Bob") == 3
    assert chosen(studio, "person=Ann", "verdict=failed") == 1
    assert chosen(studio, "review=done") == chosen(studio, "review=not-done") == chosen(studio, "review=none") == 1
    assert chosen(studio, "since=1970-01-03") == 2
    assert chosen(studio, "until=1970-01-03") == 2
    assert chosen(studio, "since=1970-01-03", "until=1970-01-03") == 1
    assert chosen(studio, "task=wave") == chosen(studio, "task=core/wave-v1") == chosen(studio, "task=wa*") == 3
    assert chosen(studio, "app=gedit") == 3
    assert chosen(studio, "app=zim") == chosen(studio, "agent=nobody") == 0


@pytest.mark.parametrize("text", ["person", "person=", "colour=red", "verdict=won", "review=good", "since=tomorrow"])
def test_what_chooses_nothing_is_refused(text: str) -> None:
    with pytest.raises(SpecError):
        EpisodeFilter.parse([text])


def test_a_folder_without_runs_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="contains no run"):
        find_runs([tmp_path])


def test_a_run_that_is_named_twice_counts_once(studio: Path) -> None:
    assert len(find_runs([studio, studio / "demonstrations", studio / "demonstrations" / "one"])) == 3


def exported(form: str, studio: Path, out: Path) -> Path:
    done = export([studio], form, out, everything=True)
    assert (done.episodes, done.left_out) == (3, 0)
    return out


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_agentnet_has_all_that_people_said(studio: Path, tmp_path: Path) -> None:
    review(studio / "demonstrations/one", "Rey", True)
    rows = lines(exported("agentnet", studio, tmp_path / "out") / "agentnet.jsonl")
    assert len({row["proctor"]["episode"] for row in rows}) == 3
    assert sorted(row["proctor"]["person"] for row in rows) == ["Ann", "Ann", "Bob"]
    assert [row["proctor"]["reviews"][0]["comment"] for row in rows if "reviews" in row["proctor"]] == ["seen"]
    for row in rows:
        step = row["traj"][1]
        assert step["value"]["thought"] == "it is the blue one"
        assert step["proctor"] == {
            "instruction": "open the menu",
            "meant": {"type": "click", "x": 1, "y": 1},
            "by": "human",
        }
        assert (tmp_path / "out" / "images" / step["image"]).is_file()


def test_sft_has_all_that_people_said(studio: Path, tmp_path: Path) -> None:
    rows = lines(exported("sft", studio, tmp_path / "out") / "conversations.jsonl")
    assert len({row["id"] for row in rows}) == 3
    for row in rows:
        assert row["metadata"]["person"] in ("Ann", "Bob")
        (about,) = row["metadata"]["about_steps"]
        assert (about["turn"], about["instruction"], about["by"]) == (2, "open the menu", "human")
        assert [message.get("reasoning_content") for message in row["messages"]][3] == "it is the blue one"


def test_atif_has_all_that_people_said(studio: Path, tmp_path: Path) -> None:
    found = [
        json.loads(path.read_text()) for path in exported("atif", studio, tmp_path / "out").rglob("trajectory.json")
    ]
    assert len({each["trajectory_id"] for each in found}) == 3
    for each in found:
        assert each["extra"]["proctor"]["person"] in ("Ann", "Bob")
        assert each["steps"][2]["reasoning_content"] == "it is the blue one"
        about = each["steps"][2]["extra"]
        assert (about["instruction"], about["by"], about["meant"]["x"]) == ("open the menu", "human", 1)


def test_osworld_has_all_that_people_said(studio: Path, tmp_path: Path) -> None:
    found = list(exported("osworld", studio, tmp_path / "out").rglob("traj.jsonl"))
    assert len(found) == 3
    for path in found:
        about = lines(path)[1]["proctor"]
        assert (about["thought"], about["instruction"]) == ("it is the blue one", "open the menu")
        assert json.loads((path.parent / "people.json").read_text())["person"] in ("Ann", "Bob")


def test_omnibench_has_all_that_people_said(studio: Path, tmp_path: Path) -> None:
    done = export([studio], "omnibench", tmp_path / "out")
    assert done.episodes == 2
    for row in lines(tmp_path / "out" / "subtask_trajectories.jsonl"):
        assert (row["actions"][1]["description"], row["actions"][1]["thought"]) == (
            "open the menu",
            "it is the blue one",
        )
        assert row["actions"][1]["proctor"] == {"meant": {"type": "click", "x": 1, "y": 1}, "by": "human"}
        assert row["proctor"]["person"] in ("Ann", "Bob")


def test_parquet_has_all_that_people_said(studio: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    data = exported("parquet", studio, tmp_path / "out") / "data"
    episodes = parquet.read_table(data / "episodes-00000.parquet").to_pylist()
    steps = parquet.read_table(data / "steps-00000.parquet").to_pylist()
    assert len({row["id"] for row in episodes}) == 3
    assert sorted(row["person"] for row in episodes) == ["Ann", "Ann", "Bob"]
    assert {row["episode"] for row in steps} == {row["id"] for row in episodes}
    said = [row for row in steps if row["purpose"]]
    assert len(said) == 3
    for row in said:
        assert (row["purpose"], row["by"], row["thought"]) == ("open the menu", "human", "it is the blue one")
        assert json.loads(row["meant"])["x"] == 1


def test_inspect_has_all_that_people_said(studio: Path, tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai")
    (path,) = exported("inspect", studio, tmp_path / "out").glob("*.eval")
    log = importlib.import_module("inspect_ai.log").read_eval_log(str(path))
    assert len({(sample.id, sample.epoch) for sample in log.samples}) == 3
    assert log.eval.config.epochs == 3
    for sample in log.samples:
        assert sample.metadata["people"]["person"] in ("Ann", "Bob")
        assert sample.metadata["steps"][0]["instruction"] == "open the menu"


def test_agents_and_people_are_one_collection(studio: Path, tmp_path: Path) -> None:
    small_run(tmp_path / "run")
    done = export([studio, tmp_path / "run"], "parquet" if _has("pyarrow") else "atif", tmp_path / "out")
    assert done.episodes == 6


def _has(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def test_it_is_counted(studio: Path) -> None:
    found = CliRunner().invoke(cli, ["data", "count", str(studio), "--json"])
    counted = json.loads(found.output)
    assert counted["episodes"] == 3
    assert counted["person"] == {"Ann": 2, "Bob": 1}
    assert counted["verdict"] == {"passed": 2, "failed": 1}
    assert counted["day"] == {"1970-01-02": 1, "1970-01-03": 1, "1970-01-04": 1}


def test_one_command_exports_and_makes_data(studio: Path, tmp_path: Path) -> None:
    command = ["data", "export", str(studio), "--format", "agentnet", "--out", str(tmp_path / "out")]
    found = CliRunner().invoke(cli, [*command, "--only", "person=Bob", "--json"])
    assert json.loads(found.output)["episodes"] == 1
    command = ["offline", "make", "--run", str(studio), "--task", "critic", "--as-is", "--out", str(tmp_path / "data")]
    found = CliRunner().invoke(cli, [*command, "--only", "person=Ann"])
    assert found.exit_code == 0, found.output
    rows = lines(tmp_path / "data" / "critic.jsonl")
    assert sorted(row["is_success"] for row in rows) == [False, True]


UNJUDGED: dict[str, Any] = {"score": None, "stop": "done", "cause": None, "error": "", "unjudged": True}
HELPED = {"human_acted": 2.0, "human_seconds": 30.0}


def test_what_was_not_to_be_judged_is_exported_without_a_verdict_and_is_no_error(tmp_path: Path) -> None:
    folder = tmp_path / "studio/demonstrations"
    demonstration(folder / "shown", "Ann", **UNJUDGED)
    assert chosen(folder.parent, "verdict=unjudged") == 1
    assert chosen(folder.parent, "verdict=void") == 0
    for form in ("osworld", "atif", "agentnet", "sft", *(["parquet"] if _has("pyarrow") else [])):
        assert export([folder], form, tmp_path / form, everything=True).episodes == 1
    (played,) = (tmp_path / "osworld").rglob("traj.jsonl")
    assert not any("Error" in line for line in lines(played))
    assert not (played.parent / "result.txt").exists()
    (found,) = (tmp_path / "atif").rglob("trajectory.json")
    assert "notes" not in json.loads(found.read_text())
    (row,) = lines(tmp_path / "agentnet/agentnet.jsonl")
    assert (row["task_completed"], row["proctor"]["score"]) == (False, None)


def test_episodes_in_which_a_person_acted_say_so(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    demonstration(folder / "helped", "", metrics=HELPED)
    for form in ("osworld", "atif", "agentnet", "sft"):
        export([folder], form, tmp_path / form)
    (row,) = lines(tmp_path / "agentnet/agentnet.jsonl")
    (said,) = lines(tmp_path / "sft/conversations.jsonl")
    (trajectory,) = (tmp_path / "atif").rglob("trajectory.json")
    (people,) = (tmp_path / "osworld").rglob("people.json")
    told = (
        row["proctor"], said["metadata"], json.loads(trajectory.read_text())["extra"]["proctor"],
        json.loads(people.read_text()),
    )  # fmt: skip
    assert [each["help"] for each in told] == [HELPED] * 4


def test_a_collection_with_strange_names_damage_and_repeats(studio: Path, tmp_path: Path) -> None:
    demonstration(studio / "demonstrations" / "..a\\b c", "Ann/../Bob")
    assert chosen(studio, "person=Ann/*") == 1
    done = export([studio, studio], "atif", tmp_path / "out")
    assert done.episodes == 4
    assert len(list((tmp_path / "out").rglob("trajectory.json"))) == 4
    assert [path.name for path in tmp_path.iterdir() if path.name not in ("studio", "out")] == []
    gone = next((studio / "demonstrations" / "one").rglob("0001.png"))
    gone.unlink()
    for form in ("atif", "agentnet", "sft", "osworld"):
        with pytest.raises(RecordError, match=r"one/.*0001\.png"):
            export([studio], form, tmp_path / f"{form}-damaged")
        assert not (tmp_path / f"{form}-damaged").exists()
