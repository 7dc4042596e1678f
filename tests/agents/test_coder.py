"""The coder: blocks become code to run, their output comes back."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from proctor.actions.action import Click, Done, RunCode
from proctor.agents.agent import Turn
from proctor.agents.prompted.coder import Coder
from proctor.agents.sample import sample_brief, sample_observation
from proctor.models.script import ScriptedModel
from proctor.observations.observation import Observation, Want
from proctor.records import Told


def made(*replies: str | dict[str, Any], **options: Any) -> tuple[Coder, ScriptedModel]:
    model = ScriptedModel(replies=replies)
    agent = Coder(model, **options)
    agent.start(sample_brief())
    return agent, model


def answered(reply: str | dict[str, Any], **options: Any) -> Turn:
    agent, _ = made(reply, **options)
    return agent.act(sample_observation(agent.want))


def test_blocks_of_both_languages_run_in_order() -> None:
    turn = answered("First I look.\n```bash\nls\ncat a\n```\nThen:\n```python\nprint(1)\n```", timeout=5.0)
    shell, python = turn.actions
    assert isinstance(shell, RunCode)
    assert isinstance(python, RunCode)
    assert (shell.code, shell.language, shell.timeout_sec) == ("ls\ncat a", "shell", 5.0)
    assert (python.code, python.language) == ("print(1)", "python")
    assert "First I look." in turn.thought


def test_other_actions_are_json() -> None:
    click, done = answered('```json\n[{"type": "click", "x": 1, "y": 2}, {"type": "done"}]\n```').actions
    assert isinstance(click, Click)
    assert isinstance(done, Done)
    assert [action.kind for action in answered('{"type": "done"}').actions] == ["done"]


def test_a_word_in_code_or_reasoning_is_no_action() -> None:
    turn = answered("DONE is near. FAIL is not.\n```python\nprint('DONE')\n```")
    assert [action.kind for action in turn.actions] == ["run_code"]


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("```ruby\nputs 1\n```", "```ruby"),
        ("```python\n\n```", "empty"),
        ("```json\n{'type': 'clik'}\n```", "click"),
        ("I have no idea.", "no action"),
        ({"text": "```python\nimport shutil; shutil.rmtree('/home/us", "finish": "length"}, "cut off"),
    ],
)
def test_with_a_fault_anywhere_nothing_is_run(reply: Any, problem: str) -> None:
    turn = answered(reply)
    assert turn.actions == ()
    assert problem in turn.problem


def test_a_block_that_is_not_closed_runs_when_the_model_was_through() -> None:
    assert len(answered("```sh\nls").actions) == 1


def test_output_comes_back_and_the_screen_only_on_request() -> None:
    agent, model = made("```sh\nls\n```", '{"type": "done"}')
    assert agent.want == Want(screenshot=False)
    agent.act(Observation(at=0, desktop=(1280, 720)))
    agent.act(Observation(at=0, desktop=(1280, 720), told=(Told("output", "letter.txt"),)))
    assert model.asked[0][-1].parts == ("What do you do next?",)
    assert model.asked[1][-1].parts == ("Output: letter.txt",)
    assert made(observe="screenshot+tree")[0].want == Want(tree=True)


def test_code_is_offered_only_where_it_is_allowed() -> None:
    agent, _ = made()
    seen = sample_observation(agent.want)
    assert "```python" in str(agent.messages(seen)[0].parts[0])
    assert '"run_code"' not in str(agent.messages(seen)[0].parts[0])
    agent.start(dataclasses.replace(sample_brief(), actions=("click", "done")))
    prompt = str(agent.messages(seen)[0].parts[0])
    assert "Code cannot be run" in prompt
    assert "```python" not in prompt
