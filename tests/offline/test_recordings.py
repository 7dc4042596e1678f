"""Recordings that belong to no run become data too: copied out, interrupted, or judged by nobody."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from proctor.errors import RecordError
from proctor.observations.observation import Observation
from proctor.offline.make.make import make
from proctor.offline.make.recordings import recorded_episodes
from proctor.records import Header, Step
from proctor.store.episode import EpisodeWriter
from proctor.store.run import RunRecord
from tests.offline.test_make import SIZE, STEPS, call, record, rows
from tests.store.making import picture


@pytest.fixture
def run(tmp_path: Path) -> Path:
    with RunRecord.create(tmp_path / "run", {"suite": "own"}) as made:
        for task in range(3):
            record(made, 0, STEPS, score=1.0, task=task, shade=task * 20)
        made.seal()
    return tmp_path / "run"


def demonstration(folder: Path, shade: int = 200) -> Path:
    """Record what somebody did, without a task, a verdict or an end."""
    writer = EpisodeWriter.begin(folder, Header())
    for place, step in enumerate([*STEPS, Step(end=True)]):
        saw = writer.see(Observation(at=0.0, desktop=SIZE, screenshot=picture(shade + place, SIZE)), place)
        writer.step(Step(step=place, action=step.action, element=step.element, saw=saw, end=step.end))
    writer.close()
    return folder


def test_a_folder_of_episodes_is_as_good_as_their_run(run: Path, tmp_path: Path) -> None:
    whole = make([run], tmp_path / "a")
    apart = make([Path(shutil.copytree(run / "episodes", tmp_path / "elsewhere"))], tmp_path / "b")
    assert whole.counts == apart.counts
    assert {row["id"] for row in rows(tmp_path / "a", "ground")} == {
        row["id"] for row in rows(tmp_path / "b", "ground")
    }


def test_one_recording_alone(run: Path) -> None:
    (one, *_), all_of_them = sorted((run / "episodes").rglob("steps.jsonl")), recorded_episodes(run)
    (found,) = recorded_episodes(one.parent)
    assert found.result.passed and found.instruction.startswith("Do task")
    assert len(all_of_them) == 3


def test_a_demonstration_without_a_verdict_teaches_all_but_critics(tmp_path: Path) -> None:
    demonstration(tmp_path / "shown/first")
    demonstration(tmp_path / "shown/second", 240)
    done = call("make", "--run", tmp_path / "shown", "--out", tmp_path / "data", "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["counts"].keys() == {"ground", "idm"} and told["skipped"]["critic: void, or nothing was done"] == 2
    assert {row["task"] for row in rows(tmp_path / "data", "ground")} == {"recordings/first", "recordings/second"}
    assert call("audit", tmp_path / "data").exit_code == 0


def test_runs_and_recordings_go_together(run: Path, tmp_path: Path) -> None:
    demonstration(tmp_path / "shown")
    done = call("make", "--run", run, "--run", tmp_path / "shown", "--out", tmp_path / "data")
    assert done.exit_code == 0, done.output
    assert "recordings/shown" in (tmp_path / "data/README.md").read_text()


def test_where_nothing_was_recorded_it_is_said(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no run and no recording"):
        recorded_episodes(tmp_path)
    (tmp_path / "link").symlink_to(demonstration(tmp_path.parent / f"{tmp_path.name}-other"))
    with pytest.raises(RecordError, match="no run and no recording"):
        recorded_episodes(tmp_path)
