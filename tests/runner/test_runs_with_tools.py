"""Runs whose agents may call tools outside of the computer: recorded and limited like any action, trusted by name."""

from __future__ import annotations

import io
import json
import shlex
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from proctor.actions.action import Action, CallTool, Done, Press, Type
from proctor.cli.trust import starts
from proctor.exam.tools.server import ToolServer
from proctor.observations.observation import Observation
from proctor.records import Brief, Step
from proctor.runner.job import Job
from proctor.runner.plan_record import recall
from proctor.runner.run_episode import run_episode
from proctor.store.export import export
from proctor.store.exports import EXPORTS
from proctor.store.read import open_episode
from proctor.store.run import RunRecord
from proctor.store.verify import verify
from tests.prove.machines import BACKEND, shopping
from tests.runner.jobs import FAKE, job, plan
from tests.runner.test_run_cli import proctor

pytest.importorskip("mcp")

PROGRAM = (sys.executable, str(Path(__file__).with_name("tool_server.py")))
NOTES = ToolServer(name="notes", command=PROGRAM)
WITH_TOOLS = replace(FAKE, tool_servers=(NOTES,), tool_sec=5.0)
WRITTEN = f"notes={shlex.join(PROGRAM)}"


class Calling:
    """An agent that calls tools, works, and says that it is done; it keeps what it was told."""

    brief: Brief
    told: list[str]

    def __init__(self, first: str = "notes__add") -> None:
        self._first = first

    def start(self, brief: Brief) -> None:
        Calling.brief, Calling.told = brief, []
        self._left: list[Action] = [
            CallTool(tool=self._first, arguments={"text": "eggs" if self._first != "notes__drawn" else "1"}),
            Press(keys="ctrl+End"),
            Type(text="eggs"),
            Press(keys="ctrl+s"),
            Done(),
        ]

    def act(self, observation: Observation) -> Action:
        Calling.told += [f"{told.kind}: {told.text}" for told in observation.told]
        return self._left.pop(0)


def steps(one: Job) -> list[Step]:
    return list(open_episode(one.folder).steps())


def mine(tmp_path: Path, first: str = "notes__add", **rules: Any) -> Job:
    return job(tmp_path / "run", f"{__name__}:Calling,first={first}", rules=replace(WITH_TOOLS, **rules))


def test_a_call_is_a_step_with_its_output_in_the_record(tmp_path: Path) -> None:
    one = mine(tmp_path)
    result = run_episode(one)
    assert (result.score, result.stop, result.steps) == (1.0, "done", 4)
    first = steps(one)[0]
    assert first.action == {"type": "call_tool", "tool": "notes__add", "arguments": {"text": "eggs"}}
    assert first.output is not None and first.output.text == "noted eggs for nobody"
    assert first.saw is not None and first.saw.screenshot
    assert Calling.told == ["output: noted eggs for nobody"]
    header = open_episode(one.folder).header
    assert header.brief is not None and header.brief.tools == Calling.brief.tools
    assert header.brief.tools[0].server == "notes 1.2"
    assert header.rules["tool_servers"][0]["command"] == list(PROGRAM)


def test_a_picture_of_a_tool_is_in_the_record(tmp_path: Path) -> None:
    one = mine(tmp_path, "notes__drawn")
    assert run_episode(one).score == 1.0
    _, second, *_ = steps(one)
    assert second.saw is not None
    (told,) = second.saw.told
    (name,) = told.pictures
    episode = open_episode(one.folder)
    assert Image.open(io.BytesIO(episode.picture(name))).size == (4, 3)
    assert "data:" not in (one.folder / "steps.jsonl").read_text()


@pytest.mark.parametrize(
    ("tool", "told"),
    [
        ("notes__dies", "its server has ended"),
        ("notes__silent", "did not answer within 0.5 s"),
        ("notes__large", "more than 8 MB"),
        ("notes__wrong", "no such note"),
    ],
)
def test_a_tool_that_fails_is_told_and_the_episode_goes_on(tmp_path: Path, tool: str, told: str) -> None:
    result = run_episode(mine(tmp_path, tool, tool_sec=0.5 if "silent" in tool else 5.0))
    assert (result.score, result.stop) == (1.0, "done")
    assert told in Calling.told[0]


def test_a_tool_that_is_not_offered_is_refused(tmp_path: Path) -> None:
    one = mine(tmp_path, "notes__ad")
    assert run_episode(one).score == 1.0
    assert "did you mean 'notes__add'" in steps(one)[0].refused


def test_without_servers_a_call_is_refused_as_any_action_is(tmp_path: Path) -> None:
    one = mine(tmp_path, tool_servers=())
    assert run_episode(one).score == 1.0
    assert "'call_tool' is not allowed" in steps(one)[0].refused
    assert Calling.brief.tools == ()


def test_calls_count_against_the_steps_and_do_not_touch_the_computer(tmp_path: Path) -> None:
    one = mine(tmp_path, steps=1)
    assert run_episode(one).stop == "step_limit"
    assert open_episode(one.folder).header.acted is None


def test_a_policy_may_forbid_a_tool(tmp_path: Path) -> None:
    one = mine(tmp_path, policy=f"{__name__}:no_tools")
    assert run_episode(one).score == 1.0
    assert steps(one)[0].refused == "no tools today"


def no_tools(brief: Brief, action: Action) -> str:
    return "no tools today" if isinstance(action, CallTool) else ""


def test_a_server_that_does_not_start_in_an_episode_is_void(tmp_path: Path) -> None:
    gone = ToolServer(name="gone", command=("/nonexistent/server",))
    result = run_episode(mine(tmp_path, tool_servers=(gone,)))
    assert (result.stop, result.score) == ("void", None)


def test_a_model_that_writes_text_calls_a_tool(tmp_path: Path) -> None:
    replies = [
        'I ask the notes.\n```tool\n{"tool": "notes__add", "arguments": {"text": "x"}}\n```',
        "```tool\n{not json\n```",
        '```json\n[{"type": "press", "keys": "ctrl+End"}, {"type": "type", "text": "eggs"}]\n```',
        '```json\n[{"type": "press", "keys": "ctrl+s"}, {"type": "done"}]\n```',
    ]
    for agent in ("prompted", "coder"):
        script = tmp_path / f"{agent}.jsonl"
        script.write_text("\n".join(map(json.dumps, replies)))
        one = job(tmp_path / agent, f"{agent},model=scripted/{script}", rules=WITH_TOOLS)
        assert run_episode(one).score == 1.0
        first, second, *_ = steps(one)
        assert first.kind == "call_tool" and first.thought == "I ask the notes."
        assert first.output is not None and first.output.text == "noted x for nobody"
        assert "is not JSON" in second.problem
        asked = json.dumps(list(open_episode(one.folder).exchanges())[0].request())
        assert "labelled tool" in asked and "notes__dir_list_all" in asked


# On the command line


@pytest.fixture
def task(tmp_path: Path) -> str:
    path = tmp_path / "shopping.json"
    path.write_text(json.dumps(shopping().to_json()))
    return str(path)


def test_a_run_on_the_command_line_verified_exported_and_resumed_only_on_trust(task: str, tmp_path: Path) -> None:
    out = tmp_path / "run"
    agent = f"{__name__}:Calling"
    done = proctor(
        "run", task, "--computer", BACKEND, "--out", str(out), "--agent", agent, "--tools", WRITTEN, "-n", "1"
    )
    assert done.returncode == 0, done.stderr
    assert verify(out) == []
    record = RunRecord.open(out)
    assert recall(record).rules.tool_servers == (NOTES,)
    for form in EXPORTS.names():
        if form != "inspect":
            export(out, form, tmp_path / form)
    # As it would come by e-mail: another hash, another user.
    foreign = tmp_path / "foreign"
    shutil.copytree(out, foreign)
    config = json.loads((foreign / "run.json").read_text())
    (foreign / "run.json").write_text(json.dumps({**config, "started": 1.0}))
    asked = proctor("runs", "resume", str(foreign))
    assert asked.returncode == 1
    assert f"tool server notes: {shlex.join(PROGRAM)}" in asked.stderr


def test_what_a_plan_starts_names_its_servers() -> None:
    rules = replace(WITH_TOOLS, tool_servers=(replace(NOTES, command=("evil\x1b[2J", "x")),))
    (line,) = [line for line in starts(plan("idle", rules=rules)) if line.startswith("tool server")]
    assert "\x1b" not in line and "evil" in line


def test_what_cannot_be_started_is_refused_before_the_run(task: str, tmp_path: Path) -> None:
    out = tmp_path / "run"
    tools = "gone=/nonexistent/server"
    done = proctor("run", task, "--computer", BACKEND, "--out", str(out), "--agent", "idle", "--tools", tools)
    assert done.returncode == 1
    assert "did not start" in done.stderr and "remedy" in done.stderr
    assert not out.exists()
