"""`proctor agents`: what it lists and shows."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

from proctor.agents import AGENTS
from proctor.cli.agents import agents
from proctor.errors import SpecError, UnknownName


def ran(*arguments: str) -> str:
    done = CliRunner().invoke(agents, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def shown(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(ran("show", text, "--json"))
    return found


def test_every_agent_is_listed() -> None:
    lines = [json.loads(line) for line in ran("list", "--json").splitlines()]
    assert [line["agent"] for line in lines] == AGENTS.names()
    assert all(line["summary"] for line in lines)
    assert "prompted" in ran("list")


def test_the_prompt_is_shown_without_a_model_and_without_a_key() -> None:
    output = ran("show", "prompted")
    assert "Sign the letter" in output
    assert '"type": "click"' in output
    assert "[picture, image/png]" in output


def test_options_change_what_is_shown() -> None:
    sent = shown("prompted,model=openai/gpt-4o,observe=tree")["sent"]
    assert [message["role"] for message in sent] == ["system", "user"]
    assert "push-button\tSave" in sent[1]["parts"][0]
    assert len(sent[1]["parts"]) == 1


@pytest.mark.parametrize("text", ["grounded", "coder"])
def test_other_prompts(text: str) -> None:
    assert "Sign the letter" in shown(text)["sent"][0]["parts"][0]


@pytest.mark.parametrize("text", ["cmd:sh -c true", "http://127.0.0.1:1"])
def test_what_programs_read(text: str) -> None:
    start, observe = shown(text)["sent"]
    assert (start["type"], observe["type"]) == ("start", "observe")
    assert observe["screenshot"].startswith("<PNG as base64")
    assert '"type": "start"' in ran("show", text)


@pytest.mark.parametrize(
    "text", ["idle", "random", "oracle", "human", "osworld", "cmd", "http", "tests.agents.own:Mine"]
)
def test_agents_that_are_sent_nothing_that_could_be_shown(text: str) -> None:
    found = shown(text)
    assert found["sent"] == []
    assert found["remark"]
    assert found["about"].split()[0] in ran("show", text)


def test_options_are_listed_with_their_defaults() -> None:
    options = {option["name"]: option for option in shown("prompted")["options"]}
    assert options["observe"]["form"] == "screenshot | tree | screenshot+tree | marks"
    assert options["intent"]["default"] == "on"
    assert options["model"]["required"]
    assert options["history"]["meaning"].startswith("How many past turns")
    assert "budget" not in options


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(UnknownName, match="did you mean 'prompted'"):
        ran("show", "promted")
    with pytest.raises(SpecError, match="no option"):
        ran("show", "prompted,tree")
    assert "did you mean 'history'" in shown("prompted,histroy=3")["remark"]
