"""OSWorld's folders of results: read into a run that is complete, replayed and reported like our own."""

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
from proctor.report.read_runs import read_runs
from proctor.store.export import export
from proctor.store.import_run import import_run
from proctor.store.verify import verify
from proctor.store.walk import open_run
from tests.store.making import small_run

SIZE = (192, 108)


def line(number: int, action: object, **more: Any) -> dict[str, Any]:
    stamp = f"20260312@09300{number}"
    told = {"step_num": number, "action_timestamp": stamp, "action": action, "reward": 0, "done": False, "info": {}}
    return {**told, "screenshot_file": f"step_{number}_{stamp}.png", **more}


LINES = [
    line(1, "import pyautogui; pyautogui.click(48, 54)", response="The box is empty."),
    line(2, "pyautogui.typewrite('hello')"),
    line(2, "pyautogui.press('enter')"),
    line(3, "DONE", done=True),
]


def put(root: Path, *lines: dict[str, Any] | str, result: str | None = "1.0", at: str = "os/ab-1") -> Path:
    folder = root / "pyautogui/screenshot/gpt-9" / at
    folder.mkdir(parents=True)
    text = "".join(f"{each if isinstance(each, str) else json.dumps(each)}\n" for each in lines or LINES)
    (folder / "traj.jsonl").write_text(text)
    for number in range(4):
        Image.new("RGB", SIZE, (number * 40, 9, 9)).save(folder / f"step_{number}_20260312@09300{number}.png")
    if result is not None:
        (folder / "result.txt").write_text(result)
    return folder


def test_a_folder_becomes_an_episode_with_its_pictures(tmp_path: Path) -> None:
    (put(tmp_path / "results") / "level.txt").write_text("l2\n")
    came = import_run(tmp_path / "results", "osworld", tmp_path / "run")
    assert (came.episodes, came.unread, dict(came.left_out)) == (1, 0, {})
    assert verify(tmp_path / "run") == []
    [episode] = open_run(tmp_path / "run").episodes()
    result = episode.result
    assert (result.key.task, result.key.agent, result.score, result.level) == ("osworld/os-ab-1-v1", "gpt-9", 1.0, 2)
    assert (result.steps, result.turns, result.stop) == (3, 3, "done")
    turns = list(episode.turns())
    assert [step.action["type"] for turn in turns for step in turn.steps if step.action] == [
        "click", "type", "press", "done",
    ]  # fmt: skip
    assert turns[0].steps[0].reply == "The box is empty."
    assert all(turn.saw.screenshot for turn in turns)
    assert turns[0].saw.screenshot != turns[1].saw.screenshot


@pytest.mark.parametrize(
    ("text", "score"),
    [("0", 0.0), ("True", 1.0), ("False", 0.0), ("0.25\n", 0.25), ("None", None), ("", None), ("7", None)],
)
def test_scores_are_read_as_python_prints_them(tmp_path: Path, text: str, score: float | None) -> None:
    put(tmp_path / "results", result=text)
    import_run(tmp_path / "results", "osworld", tmp_path / "run")
    [episode] = open_run(tmp_path / "run").episodes()
    assert episode.result.score == score
    assert episode.result.void == (score is None)


def test_what_was_never_judged_is_void_and_says_why(tmp_path: Path) -> None:
    put(tmp_path / "results", *LINES, {"Error": "Time limit exceeded in os/ab-1"}, result=None)
    import_run(tmp_path / "results", "osworld", tmp_path / "run")
    [episode] = open_run(tmp_path / "run").episodes()
    assert episode.result.void
    assert "Time limit exceeded" in episode.result.error


def test_code_that_is_no_gesture_is_kept_as_it_was_said(tmp_path: Path) -> None:
    put(tmp_path / "results", line(1, "os.system('rm -rf /')"), line(2, {"action_type": "NONSENSE"}))
    came = import_run(tmp_path / "results", "osworld", tmp_path / "run")
    assert came.unread == 2
    [episode] = open_run(tmp_path / "run").episodes()
    steps = [step for turn in episode.turns() for step in turn.steps]
    assert steps[0].reply == "os.system('rm -rf /')" and steps[0].problem and steps[0].action is None


def test_dictionaries_of_computer_13_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "results/computer_13/a11y_tree/m/os/x"
    folder.mkdir(parents=True)
    actions = [{"action_type": "CLICK", "parameters": {"x": 5, "y": 6}}, "WAIT", {"action_type": "FAIL"}]
    (folder / "traj.jsonl").write_text(
        "".join(json.dumps(line(n, action, screenshot_file=None)) + "\n" for n, action in enumerate(actions, 1))
    )
    (folder / "result.txt").write_text("0.0")
    import_run(tmp_path / "results", "osworld", tmp_path / "run")
    [episode] = open_run(tmp_path / "run").episodes()
    kinds = [step.action["type"] for turn in episode.turns() for step in turn.steps if step.action]
    assert kinds == ["click", "wait", "fail"]
    assert episode.result.stop == "gave_up"


def test_what_a_task_asks_for_is_read_beside_the_results(tmp_path: Path) -> None:
    put(tmp_path / "results")
    task = tmp_path / "evaluation_examples/examples/os/ab-1.json"
    task.parent.mkdir(parents=True)
    task.write_text(json.dumps({"id": "ab-1", "instruction": "Say hello."}))
    import_run(tmp_path / "results", "osworld", tmp_path / "run")
    [episode] = open_run(tmp_path / "run").episodes()
    assert episode.header.brief.instruction == "Say hello."


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (("{",), "not JSON"),
        (('["a"]',), "no object"),
        (("{}",), "no actions"),
        ((line(1, "DONE", screenshot_file="../../../../../secret.png"),), "outside"),
        ((line(1, "DONE", screenshot_file="gone.png"),), "missing"),
    ],
)
def test_what_cannot_be_taken_is_left_out_with_its_reason(tmp_path: Path, lines: tuple[Any, ...], why: str) -> None:
    Image.new("RGB", SIZE).save(tmp_path / "secret.png")
    put(tmp_path / "results", *lines)
    put(tmp_path / "results", at="os/good")
    came = import_run(tmp_path / "results", "osworld", tmp_path / "run")
    assert came.episodes == 1
    assert why in str(came.left_out)


def test_half_a_picture_is_left_out(tmp_path: Path) -> None:
    folder = put(tmp_path / "results")
    picture = next(folder.glob("step_2_*.png"))
    picture.write_bytes(picture.read_bytes()[:60])
    with pytest.raises(SpecError, match="picture"):
        import_run(tmp_path / "results", "osworld", tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_folder_without_results_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(SpecError, match="empty"):
        import_run(tmp_path / "empty", "osworld", tmp_path / "run")


def test_it_is_reported_and_used_offline(tmp_path: Path) -> None:
    put(tmp_path / "results")
    put(tmp_path / "results", at="os/cd-2", result="0.0")
    done = CliRunner().invoke(
        cli, ["data", "import", str(tmp_path / "results"), "--format", "osworld", "--out", str(tmp_path / "run")]
    )
    assert done.exit_code == 0, done.output
    assert "wrote" in done.output and "2 episodes" in done.output
    _, (run,) = read_runs([tmp_path / "run"])
    assert (run.results, run.finished, run.agents) == (2, True, ("gpt-9",))
    assert [result.score for result in open_run(tmp_path / "run").results()] == [1.0, 0.0]
    make([tmp_path / "run"], tmp_path / "data")
    assert any((tmp_path / "data").iterdir())


def test_what_we_write_is_read_again(tmp_path: Path) -> None:
    export([small_run(tmp_path / "ours")], "osworld", tmp_path / "out")
    came = import_run(tmp_path / "out", "osworld", tmp_path / "again")
    assert came.episodes and not came.left_out
    assert verify(tmp_path / "again") == []
