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
    assert "[picture, PNG, 1440x810]" in output


def test_a_models_pictures_are_shown_as_large_as_they_are_sent() -> None:
    output = ran("show", "native", "--model", "anthropic/claude-opus-4-6")
    assert "1280 wide and 720 high" in output
    assert '"display_width_px": 1280' in output
    assert "[picture, PNG, 1280x720]" in output
    assert "[picture, PNG, 800x450]" in ran("show", "native", "--model", "anthropic/x", "--size", "800x450")
    assert "[picture, PNG, 1920x1080]" in ran("show", "prompted,picture_size=full")


def test_the_actions_that_a_run_allows_are_shown() -> None:
    assert "scroll" not in ran("show", "prompted", "--action", "click", "--action", "done").partition("--- system")[2]
    assert "run_code" not in ran("show", "prompted")
    with pytest.raises(UnknownName, match="did you mean 'click'"):
        ran("show", "prompted", "--action", "clik")


def test_options_change_what_is_shown() -> None:
    sent = shown("prompted,model=openai/gpt-4o,observe=tree")["sent"]
    assert [message["role"] for message in sent] == ["system", "user"]
    assert '2 "Save" 165,35' in sent[1]["parts"][0]
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
    assert options["dialect"]["form"].startswith("android_world | browsergym | computer13 | omnibench")
    assert options["history"]["form"] == "whole number, 0 or more"
    assert options["space"]["form"] == "image | unit | grid 0-999 | grid 0-1000"
    assert all(option["meaning"] for option in options.values())
    assert "computer_20251124" in {option["name"]: option for option in shown("native")["options"]}["version"]["form"]


def test_values_outside_their_bounds_are_refused() -> None:
    remark = shown("prompted,history=-1,scale=2,pictures=0,observe=marcs")["remark"]
    for fault in ("'-1' must be 0 or more", "must be at most 1", "must be 1 or more", "did you mean 'marks'"):
        assert fault in remark


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(UnknownName, match="did you mean 'prompted'"):
        ran("show", "promted")
    with pytest.raises(SpecError, match="not an option"):
        ran("show", "prompted,tree")
    assert "did you mean 'history'" in shown("prompted,histroy=3")["remark"]
