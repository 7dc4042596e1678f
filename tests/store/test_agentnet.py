"""AgentNet: trajectories written for training, and others' trajectories read into a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from PIL import Image

from proctor.cli.main import cli
from proctor.errors import SpecError
from proctor.offline.make.make import make
from proctor.records import EpisodeKey, Hit, Result, Step
from proctor.report.read_runs import read_runs
from proctor.store.episode import EpisodeWriter
from proctor.store.export import Exported, export
from proctor.store.import_run import import_run
from proctor.store.run import RunRecord
from proctor.store.verify import verify
from proctor.store.walk import open_run
from tests.store.making import header, seen, small_run

SIZE = (200, 100)


def row(**fields: Any) -> dict[str, Any]:
    """A trajectory as AgentNet has it."""
    codes = [
        "pyautogui.click(x=0.25, y=0.5)",
        "pyautogui.hotkey(['ctrl', 's'])",
        "computer.terminate(status='success')",
    ]
    value = {
        "observation": "A form.",
        "thought": "The box is empty.",
        "action": "Click the box.",
        "reflection": "Good.",
    }
    judged = {"last_step_correct": True, "last_step_redundant": False}
    traj = [
        {"index": place, "image": f"{place}.png", "value": {**value, **judged, "code": code}}
        for place, code in enumerate(codes)
    ]
    about = {"task_id": "20240927_5855063d", "instruction": "Fill in the form", "task_completed": True}
    scores = {"alignment_score": 8, "efficiency_score": 7, "task_difficulty": 3, "reason": "It is done."}
    return {**about, **scores, "traj": traj, **fields}


def put(folder: Path, *rows: dict[str, Any] | str, pictures: int = 3) -> Path:
    (folder / "images").mkdir(parents=True)
    for place in range(pictures):
        Image.new("RGB", SIZE, (place * 40, 90, 10)).save(folder / "images" / f"{place}.png")
    file = folder / "agentnet_ubuntu_5k.jsonl"
    file.write_text("".join(f"{one if isinstance(one, str) else json.dumps(one)}\n" for one in rows))
    return file


def test_a_trajectory_becomes_an_episode(tmp_path: Path) -> None:
    found = import_run(put(tmp_path / "in", row()), "agentnet", tmp_path / "run")
    assert (found.episodes, found.unread, found.left_out.total()) == (1, 0, 0)
    assert verify(tmp_path / "run") == []
    (episode,) = open_run(tmp_path / "run").episodes()
    result = episode.result
    assert (result.score, result.stop, result.steps, result.turns, result.unproven) == (1.0, "done", 2, 3, True)
    assert result.metrics == {"alignment_score": 8.0, "efficiency_score": 7.0, "task_difficulty": 3.0}
    assert episode.instruction == "Fill in the form"
    click, press, done, end = episode.steps()
    assert [(click.action or {})[axis] for axis in "xy"] == [50, 50]
    assert (click.action or {})["given"]["text"] == "pyautogui.click(x=0.25, y=0.5)"
    assert click.thought == "A form.\nThe box is empty."
    assert [press.kind, done.kind, end.end] == ["press", "done", True]
    assert [step.screenshot.getpixel((0, 0))[0] for step in (click, press, done, end) if step.screenshot] == [
        0,
        40,
        80,
        80,
    ]


def test_report_and_offline_take_it(tmp_path: Path) -> None:
    file = put(tmp_path / "in", row(), row(task_id="other", task_completed=False), row(task_id=7, task_completed=None))
    import_run(file, "agentnet", tmp_path / "run", agent="people")
    episodes, (run,) = read_runs([tmp_path / "run"])
    assert (run.results, run.finished, run.agents) == (3, True, ("people",))
    assert not episodes.known.any() and not episodes.clean.any()
    assert [result.clean for result in open_run(tmp_path / "run").results()] == [None, False, False]
    assert [result.score for result in open_run(tmp_path / "run").results()] == [1.0, 0.0, None]
    make([tmp_path / "run"], tmp_path / "data")
    assert list((tmp_path / "data").rglob("*.jsonl"))


def test_repeated_tasks_are_further_samples(tmp_path: Path) -> None:
    import_run(put(tmp_path / "in", row(), row()), "agentnet", tmp_path / "run")
    assert [result.key.sample for result in open_run(tmp_path / "run").results()] == [0, 1]


def broken_step(**fields: Any) -> dict[str, Any]:
    return row(traj=[{**row()["traj"][0], **fields}])


def test_what_cannot_be_taken_is_left_out_and_counted(tmp_path: Path) -> None:
    outside = tmp_path / "secret.png"
    Image.new("RGB", SIZE).save(outside)
    rows: list[dict[str, Any] | str] = [
        row(), "{", "[]", row(traj=[]), row(instruction=""), broken_step(image="missing.png"),
        broken_step(image="../../secret.png"), broken_step(image=str(outside)), broken_step(image="cut.png"),
        broken_step(image=None), broken_step(value="text"), broken_step(image="text.png"),
    ]  # fmt: skip
    file = put(tmp_path / "in", *rows)
    whole = (tmp_path / "in/images/2.png").read_bytes()
    (tmp_path / "in/images/cut.png").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "in/images/text.png").write_text("no picture")
    found = import_run(file, "agentnet", tmp_path / "run")
    assert found.episodes == 1
    assert found.left_out.total() == 11
    assert found.left_out["a picture lies outside the folder of pictures"] == 2


def test_code_that_cannot_be_read_is_kept_as_what_was_said(tmp_path: Path) -> None:
    odd = row()
    odd["traj"][1]["value"]["code"] = "os.system('id')"
    odd["traj"][1]["value"]["thought"] = "half \ud800"
    found = import_run(put(tmp_path / "in", odd), "agentnet", tmp_path / "run")
    assert (found.episodes, found.unread) == (1, 1)
    (episode,) = open_run(tmp_path / "run").episodes()
    step = list(episode.steps())[1]
    assert step.action is None and step.problem
    assert "os.system('id')" in step.reply


def test_nothing_is_written_where_nothing_can_be_read(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="a picture is missing: 1"):
        import_run(put(tmp_path / "in", row(), pictures=0), "agentnet", tmp_path / "run")
    with pytest.raises(SpecError, match="exists already"):
        import_run(tmp_path / "in/agentnet_ubuntu_5k.jsonl", "agentnet", tmp_path / "in")
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_what_is_exported(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    assert export(folder, "agentnet", tmp_path / "out") == Exported(2, 1)
    assert export(folder, "agentnet", tmp_path / "all", everything=True) == Exported(3, 0)
    first, _ = (json.loads(line) for line in (tmp_path / "out/agentnet.jsonl").read_text().splitlines())
    assert first["instruction"] == "Wave at everyone."
    assert first["task_completed"] is True
    assert [step["index"] for step in first["traj"]] == [0, 1, 2]
    assert [step["value"]["code"] for step in first["traj"]] == [
        "pyautogui.click(x=0, y=0.1667)", "pyautogui.click(x=0.0625, y=0.1667)", "computer.terminate(status='success')",
    ]  # fmt: skip
    assert all((tmp_path / "out/images" / step["image"]).is_file() for step in first["traj"])
    last = [json.loads(line) for line in (tmp_path / "all/agentnet.jsonl").read_text().splitlines()][-1]
    assert last["task_completed"] is False


def test_steps_that_have_no_word_or_were_refused_are_left_out(tmp_path: Path) -> None:
    which = EpisodeKey(task="core/wave-v1", agent="coder")
    with RunRecord.create(tmp_path / "run", {}) as run:
        writer = EpisodeWriter.begin(run.paths.episode(which), header(which))
        saw = writer.see(seen(0), 0)
        writer.step(Step(step=0, turn=1, action={"type": "run_code", "code": "1"}, saw=saw))
        writer.step(Step(step=1, turn=2, action={"type": "type", "text": "x"}, refused="no", saw=saw))
        hit = Hit(role="push button", name="Save", window="Notes")
        writer.step(Step(step=2, turn=3, thought="why", action={"type": "click", "x": 8, "y": 6}, element=hit, saw=saw))
        run.add(writer.finish(Result(key=which, score=1.0), None, []))
    (remark,) = export(tmp_path / "run", "agentnet", tmp_path / "out").remarks
    assert remark.startswith("1 actions have no word") and "run_code" in remark
    (line,) = (json.loads(line) for line in (tmp_path / "out/agentnet.jsonl").read_text().splitlines())
    (step,) = line["traj"]
    assert step["value"] == {
        "observation": "", "thought": "why", "action": "Click the push button 'Save' in 'Notes'.",
        "code": "pyautogui.click(x=0.5, y=0.5)",
    }  # fmt: skip


def test_what_is_exported_is_read_back_by_the_command(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    export(folder, "agentnet", tmp_path / "out", everything=True)
    command = [
        "data",
        "import",
        str(tmp_path / "out/agentnet.jsonl"),
        "--format",
        "agentnet",
        "--out",
        str(tmp_path / "again"),
    ]
    told = CliRunner().invoke(cli, [*command, "--json"])
    assert told.exit_code == 0, told.output
    assert json.loads(told.output)["episodes"] == 3
    before, after = (list(open_run(tmp_path / name).episodes()) for name in ("run", "again"))
    assert [one.result.passed for one in before] == [one.result.passed for one in after]
    kinds = [[step.kind for step in one.steps()] for one in before]
    assert kinds == [[step.kind for step in one.steps()] for one in after]
    told = CliRunner().invoke(cli, [*command[:-1], str(tmp_path / "few"), "--limit", "1"])
    assert told.exit_code == 0 and "1 episodes" in told.output
