"""`proctor run`, `resume` and `regrade` as a user calls them, on the fake computer."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from proctor.store.run import RunRecord
from proctor.store.verify import verify
from tests.prove.long_work import errands
from tests.prove.machines import BACKEND, shopping

ROOT = Path(__file__).parents[2]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    paths = []
    for number in range(4):
        path = tmp_path / f"shopping-{number}.json"
        path.write_text(json.dumps(shopping(id=f"test/shopping-{number}-v1").to_json()))
        paths.append(str(path))
    return paths


def proctor(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(_argv(arguments), capture_output=True, text=True, cwd=ROOT, timeout=100, input=typed)


def _argv(arguments: Sequence[str]) -> list[str]:
    return [sys.executable, "-m", "proctor", *arguments]


def run(files: list[str], out: Path, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return proctor("run", *files, "--computer", BACKEND, "--out", str(out), *arguments, typed=typed)


def keys(folder: Path) -> list[Any]:
    return [result.key for result in RunRecord.open(folder).results()]


def test_a_run_ends_with_a_table_a_page_and_exact_json(files: list[str], tmp_path: Path) -> None:
    out = tmp_path / "run"
    done = run(files, out, "--agent", "oracle", "--agent", "idle", "-n", "2", "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    agents = {agent["agent"]: agent for agent in data["agents"]}
    assert (agents["oracle"]["success"], agents["idle"]["success"]) == (1.0, 0.0)
    assert {agent["episodes"] for agent in agents.values()} == {4}
    assert {agent["void"] for agent in agents.values()} == {0}
    low, high = agents["oracle"]["interval"]
    assert low < 1.0 <= high
    assert (out / "report" / "index.html").exists()
    assert verify(out) == []


def test_a_stretch_is_run_from_its_checkpoint_with_hidden_seeds(tmp_path: Path) -> None:
    file, secret, out = tmp_path / "errands.json", tmp_path / "secret", tmp_path / "run"
    file.write_text(json.dumps(errands().to_json()))
    secret.write_text("nobody can guess this")
    options = ("--agent", "oracle", "--agent", "idle", "--from-checkpoint", "flour", "--hidden-seeds", str(secret))
    done = run([str(file)], out, *options, "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    tables = data["tables"]
    assert [(row["checkpoint"], row["agents"]) for row in tables["checkpoints"]["rows"]] == [
        ("eggs", {"idle": 1.0, "oracle": 1.0}), ("flour", {"idle": 1.0, "oracle": 1.0}),
        ("ham", {"idle": 0.0, "oracle": 1.0}),
    ]  # fmt: skip
    assert {row["agent"]: row["complete"]["success"] for row in tables["parts"]["rows"]} == {"idle": 0.0, "oracle": 1.0}
    results = {result.key.agent: result for result in RunRecord.open(out).results()}
    assert (results["oracle"].score, results["idle"].score) == (1.0, 0.0)
    assert results["oracle"].begin_after == "flour" and results["oracle"].steps == 3
    config = (out / "run.json").read_text()
    assert "nobody can guess" not in config and len(json.loads(config)["seeds_by"]) == 12
    again = proctor("run", "--like", str(out), "--out", str(tmp_path / "again"), "--json")
    assert again.returncode == 0, again.stderr


def test_a_checkpoint_that_is_not_there_is_refused_before_the_run(files: list[str], tmp_path: Path) -> None:
    done = run(files[:1], tmp_path / "run", "--agent", "oracle", "--from-checkpoint", "2")
    assert done.returncode == 1 and "has no checkpoints" in done.stderr and not (tmp_path / "run").exists()


def test_without_json_it_says_what_to_do_next(files: list[str], tmp_path: Path) -> None:
    done = run(files[:1], tmp_path / "run", "--agent", "oracle", "-n", "1")
    assert done.returncode == 0, done.stderr
    assert "oracle" in done.stdout
    assert "proctor view" in done.stdout


def test_a_person_confirms_each_action(files: list[str], tmp_path: Path) -> None:
    done = run(files[:1], tmp_path / "run", "--agent", "oracle", "--confirm", "--json", typed="y\nwhat\na\n")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("Perform it?") == 3
    assert json.loads(done.stdout)["agents"][0]["success"] == 1.0


def test_a_person_stops_it(files: list[str], tmp_path: Path) -> None:
    done = run(files[:1], tmp_path / "run", "--agent", "oracle", "--confirm", "--json", typed="y\nq\n")
    assert done.returncode == 0, done.stderr
    (result,) = RunRecord.open(tmp_path / "run").results()
    assert (result.stop, result.steps, result.score) == ("vetoed", 1, 0.0)


def test_a_person_is_examined_too(files: list[str], tmp_path: Path) -> None:
    done = run(files[:1], tmp_path / "run", "--agent", "human", "--json", typed="hm\nask which brand\ndone\n")
    assert done.returncode == 0, done.stderr
    assert "Add eggs to the list" in done.stderr
    (result,) = RunRecord.open(tmp_path / "run").results()
    assert (result.stop, result.asked, result.score) == ("done", 1, 0.0)


def test_a_policy_vetoes(files: list[str], tmp_path: Path) -> None:
    run(files[:1], tmp_path / "run", "--agent", "oracle", "--policy", "tests.agents.own:no_typing", "-n", "1")
    (result,) = RunRecord.open(tmp_path / "run").results()
    assert (result.refused, result.score) == (1, 0.0)


def test_killed_half_way_it_goes_on_exactly(files: list[str], tmp_path: Path) -> None:
    out, pipe = tmp_path / "run", tmp_path / "pipe"
    os.mkfifo(pipe)
    arguments = ["run", *files, "--computer", BACKEND, "--out", str(out), "-n", "1"]
    arguments += ["--agent", "oracle", "--agent", f"tests.runner.jobs:Waiting,pipe={pipe}"]
    process = subprocess.Popen(_argv(arguments), cwd=ROOT, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        for _ in range(2):
            with pipe.open("wb") as let_go:  # opens once an agent waits
                let_go.write(b"x")
        with pipe.open("wb"):
            process.send_signal(signal.SIGKILL)
            process.wait(30)
    finally:
        process.kill()
    held = keys(out)
    assert 0 < len(held) < 8
    feeder = subprocess.Popen(["sh", "-c", f"trap '' PIPE; while true; do echo x > '{pipe}'; done"])
    try:
        done = proctor("runs", "resume", str(out), "-n", "1", "--json")
    finally:
        feeder.kill()
        feeder.wait()
    assert done.returncode == 0, done.stderr
    after = keys(out)
    assert len(after) == len(set(after)) == 8
    assert after[: len(held)] == held
    assert verify(out) == []


def test_going_on_with_what_is_done_does_nothing(files: list[str], tmp_path: Path) -> None:
    out = tmp_path / "run"
    run(files[:1], out, "--agent", "idle", "-n", "1")
    before = (out / "index.jsonl").read_bytes()
    assert proctor("runs", "resume", str(out), "--json").returncode == 0
    assert (out / "index.jsonl").read_bytes() == before


def test_judged_again_the_scores_are_the_same(files: list[str], tmp_path: Path) -> None:
    out = tmp_path / "run"
    run(files, out, "--agent", "oracle", "--agent", "idle", "-n", "2")
    done = proctor("runs", "regrade", str(out), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"episodes": 8, "same": 8, "different": []}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--agent", "orakle"], "did you mean 'oracle'"),
        (["--agent", "idle", "--suite", "tuor"], "did you mean 'tour'"),
        (["--agent", "prompted,model=opnai/x"], "did you mean 'openai'"),
        (["--agent", "prompted,modle=openai/x"], "did you mean 'model'"),
        (["--agent", "prompted,model=openai/gpt-4o"], "OPENAI_API_KEY"),
        (["--agent", "idle", "--vary", "observe=a|b"], "no agent of this run has the option 'observe'"),
        (["--agent", "idle", "-n", "0"], "neither a number"),
        (["--agent", "idle", "--settle", "slow"], "quick, careful, or a number of seconds"),
        (["--agent", "idle", "no-such-task"], "no-such-task"),
        ([], "a run needs an agent"),
    ],
)
def test_bad_input_is_refused_before_anything_starts(arguments: list[str], said: str, tmp_path: Path) -> None:
    suite = [] if "--suite" in arguments else ["--suite", "tour"]
    done = proctor("run", *suite, "--out", str(tmp_path / "run"), *arguments)
    assert done.returncode != 0
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "run").exists()


def test_a_folder_that_holds_a_run_is_not_overwritten(files: list[str], tmp_path: Path) -> None:
    run(files[:1], tmp_path / "run", "--agent", "idle", "-n", "1")
    again = run(files[:1], tmp_path / "run", "--agent", "idle", "-n", "1")
    assert again.returncode == 1
    assert "proctor runs resume" in again.stderr


def test_resuming_nothing(tmp_path: Path) -> None:
    done = proctor("runs", "resume", str(tmp_path))
    assert done.returncode == 1
    assert "contains no run" in done.stderr


# What can be known is said before anything starts, and the rest at the end.


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--agent", "idle", "--action", "clik"), "did you mean 'click'?"),
        (("--agent", "tests.agents.own:NoAgent"), "it lacks start() and act()"),
        (("--agent", "prompted"), "--model PROVIDER/NAME"),
        (("--agent", "http://127.0.0.1:9"), "nothing listens at http://127.0.0.1:9"),
    ],
)
def test_what_is_wrong_is_said_before_the_run(
    files: list[str], tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    done = run(files[:1], tmp_path / "run", *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert said in done.stderr
    assert not (tmp_path / "run").exists()


def test_a_task_named_twice_and_two_tasks_with_one_id(files: list[str], tmp_path: Path) -> None:
    assert "is named twice" in run([files[0], files[0]], tmp_path / "run", "--agent", "idle").stderr
    twin = tmp_path / "twin.json"
    twin.write_text(json.dumps({**json.loads(Path(files[0]).read_text()), "instruction": "Something else."}))
    assert "two tasks have the id" in run([files[0], str(twin)], tmp_path / "run", "--agent", "idle").stderr


def test_prints_do_not_mix_into_json_and_a_crash_is_told(files: list[str], tmp_path: Path) -> None:
    done = run(files[:2], tmp_path / "run", "--agent", "tests.runner.loud:Loud", "-n", "1", "--json")
    assert done.returncode == 0, done.stderr
    (ending,) = json.loads(done.stdout)["endings"]
    assert (ending["kind"], ending["cause"], ending["episodes"]) == ("crash", "KeyError", 2)
    text = (tmp_path / "run" / ending["folder"] / "agent.txt").read_text()
    assert "printed by the agent" in text and "Traceback" in text
    assert "printed by the agent" not in done.stderr


def test_a_run_that_says_nothing_fails_and_says_why(files: list[str], tmp_path: Path) -> None:
    agent = "tests.runner.jobs:Penniless"
    done = run(files[:1], tmp_path / "run", "--agent", agent, "--retries", "0", "-n", "1")
    assert done.returncode == 4
    assert "every episode was void" in done.stderr
    assert f"void (model): 1 episode of {agent}" in done.stdout
