"""Every agent keeps the promises of the contract."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from proctor.actions.action import Click, Press, Type
from proctor.agents.agent import Agent, Driver
from proctor.agents.busy import Busy
from proctor.agents.external.command import CommandAgent
from proctor.agents.external.osworld import OSWorldAgent
from proctor.agents.hacker.agent import Hacker
from proctor.agents.human import Human
from proctor.agents.idle import Idle
from proctor.agents.oracle import Oracle
from proctor.agents.prompted.agent import Prompted
from proctor.agents.prompted.coder import Coder
from proctor.agents.prompted.planner import Grounded
from proctor.agents.random import Random
from proctor.agents.silent import Onlooker
from proctor.models.script import ScriptedModel
from proctor.testing import AgentContract, DriverContract

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "agents"


def scripted(*replies: str) -> ScriptedModel:
    """Return a model that gives the same replies over and over."""
    return ScriptedModel(replies=replies, repeat=True)


CLICK = '```json\n{"type": "click", "x": 165, "y": 35}\n```'


class TestIdle(AgentContract):
    def new_agent(self) -> Agent:
        return Idle()


class TestHacker(AgentContract):
    def new_agent(self) -> Agent:
        return Hacker(strategy="all")


class TestRandom(AgentContract):
    def new_agent(self) -> Agent:
        return Random()


class TestPrompted(AgentContract):
    def new_agent(self) -> Agent:
        return Prompted(scripted(CLICK))


class TestPromptedByTree(AgentContract):
    def new_agent(self) -> Agent:
        return Prompted(scripted(CLICK), observe="tree", windows=True, terminal=True)


class TestPromptedByMarks(AgentContract):
    def new_agent(self) -> Agent:
        return Prompted(scripted('{"type": "click", "mark": 2}'), observe="marks")


class TestPromptedThatIsNotUnderstood(AgentContract):
    def new_agent(self) -> Agent:
        return Prompted(scripted("I am done thinking about DONE and FAIL."))


class TestGrounded(AgentContract):
    def new_agent(self) -> Agent:
        return Grounded(scripted('[{"type": "click", "element": "Save"}]'), scripted("(165, 35)"))


class TestCoder(AgentContract):
    def new_agent(self) -> Agent:
        return Coder(scripted("I look.\n```sh\nls\n```"))


class TestCommand(AgentContract):
    def new_agent(self) -> Agent:
        command = shlex.join([sys.executable, str(EXAMPLES / "json_lines.py")])
        return CommandAgent(command, observe="screenshot+tree")


class TestCommandInTheShell(AgentContract):
    def new_agent(self) -> Agent:
        return CommandAgent(shlex.join(["sh", str(EXAMPLES / "json_lines.sh")]), observe="nothing")


class TestOSWorld(AgentContract):
    def new_agent(self) -> Agent:
        return OSWorldAgent("tests.agents.own:Blind", action_space="computer_13")


class TestOracle(DriverContract):
    def new_driver(self) -> Driver:
        def moves(perform: Any) -> None:
            for action in (Click(x=1, y=1), Type(text="Ada"), Press(keys="ctrl+s")):
                perform(action)

        return Oracle(moves)


class TestBusy(DriverContract):
    def new_driver(self) -> Driver:
        def moves(perform: Any, everything: bool) -> None:
            assert everything
            for action in (Click(x=1, y=1), Type(text="Ada"), Press(keys="ctrl+s")):
                perform(action)

        return Busy(moves)


class TestSilent(AgentContract):
    def new_agent(self) -> Agent:
        return Onlooker()


class TestHuman(DriverContract):
    def new_driver(self) -> Driver:
        lines = iter(["what?", "answer", "answer 42"])
        return Human(lambda text: next(lines))


def test_every_registered_agent_is_here_or_has_a_test_of_its_own() -> None:
    from proctor.agents import AGENTS

    here = {"idle", "hacker", "random", "prompted", "grounded", "coder", "cmd", "osworld", "oracle", "human"} | {
        "busy",
        "silent",
    }
    elsewhere: Sequence[str] = ("http", "mcp", "native", "rules")
    assert {*here, *elsewhere} == set(AGENTS.names())
