"""The examples of agents, each brought the way its file says."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from proctor.actions.action import Click, Done, Press, Type
from proctor.actions.dialects.translation import bare
from proctor.agents import open_agent
from proctor.agents.agent import close, want_of
from proctor.agents.sample import sample_brief, sample_observation
from proctor.agents.spec import AgentSpec
from proctor.agents.wire import as_turn


@pytest.fixture(autouse=True)
def folder(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(project / "examples" / "agents")
    return Path.cwd()


@pytest.fixture
def server() -> Iterator[str]:
    process = subprocess.Popen([sys.executable, "web_server.py", "0"], stdout=subprocess.PIPE, text=True)
    assert process.stdout
    yield process.stdout.readline().split()[-1]
    process.kill()
    process.communicate()


def played(spec: AgentSpec) -> list[Any]:
    """Return the actions of three turns in the second of two episodes."""
    agent: Any = open_agent(spec)
    try:
        for _ in range(2):
            agent.start(sample_brief())
            seen = sample_observation(want_of(agent))
            turns = [as_turn(agent.act(seen)) for _ in range(3)]
        assert not any(turn.problem for turn in turns)
        return bare(action for turn in turns for action in turn.actions)
    finally:
        close(agent)


KEYS = [Press(keys="ctrl+End"), Type(text="Ada"), Press(keys="ctrl+s")]
SIGNED = [Click(x=640, y=380), *KEYS, Done(), Done()]


def test_a_python_class() -> None:
    assert played(AgentSpec.parse("python_class:SignLetter")) == SIGNED
    assert played(AgentSpec.parse("python_class:SignLetter,save=ctrl+w"))[3] == Press(keys="ctrl+w")


def test_a_program_in_python() -> None:
    command = shlex.join([sys.executable, "json_lines.py"])
    assert played(AgentSpec("cmd", {"command": command, "observe": "tree"})) == SIGNED


def test_a_program_in_the_shell() -> None:
    spec = AgentSpec.parse("cmd,command=sh json_lines.sh,observe=nothing")
    assert played(spec) == [*KEYS, Done(), Done()]


def test_a_server(server: str) -> None:
    assert played(AgentSpec("http", {"url": server, "observe": "tree"})) == SIGNED


def test_an_osworld_agent() -> None:
    spec = AgentSpec.parse("osworld,agent=osworld_style:SignLetter,observe=a11y_tree")
    assert [action.to_json()["type"] for action in played(spec)] == [action.to_json()["type"] for action in SIGNED]


def test_every_example_is_tried_here(folder: Path) -> None:
    listed = folder.joinpath("README.md").read_text()
    files = {path.name for path in folder.iterdir() if path.suffix in (".py", ".sh")}
    assert files == {"python_class.py", "json_lines.py", "json_lines.sh", "web_server.py", "osworld_style.py"}
    assert all(f"`{name}`" in listed for name in files)


@pytest.mark.sandbox("starter")
@pytest.mark.turns(day=1)
def test_each_example_passes_the_task_that_its_command_names(folder: Path, server: str, tmp_path: Path) -> None:
    block = folder.joinpath("README.md").read_text().split("```sh\n")[1].split("```")[0]
    commands = [shlex.split(line) for line in block.splitlines() if line.startswith("proctor run")]
    assert {command[2] for command in commands} == {"sign-the-letter"}
    agents = [command[command.index("--agent") + 1].replace("http://127.0.0.1:8765", server) for command in commands]
    named = [part for agent in agents for part in ("--agent", agent.replace("python3", sys.executable))]
    argv = [sys.executable, "-m", "proctor", "run", "sign-the-letter", *named, "--out", str(tmp_path / "run"), "--json"]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=380)
    assert done.returncode == 0, done.stderr
    success = {agent["agent"]: agent["success"] for agent in json.loads(done.stdout)["agents"]}
    assert len(success) == 5
    assert set(success.values()) == {1.0}, success
