"""The prompted agent: what its model is sent, what it remembers, and what becomes of its replies."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from PIL import Image

from proctor.actions.action import Click, Done
from proctor.agents.messages import TOLD_CHARS
from proctor.agents.prompted.agent import Prompted
from proctor.agents.sample import sample_brief, sample_observation
from proctor.agents.spec import AgentSpec
from proctor.errors import ModelError, SpecError, UnknownName
from proctor.models.model import Message, Picture
from proctor.models.script import ScriptedModel
from proctor.models.usage import Budget, BudgetSpent
from proctor.observations.encode import png
from proctor.observations.observation import Want
from proctor.records import Told

DONE = '{"type": "done"}'


def made(*replies: str | dict[str, Any], **options: Any) -> tuple[Prompted, ScriptedModel]:
    """Return an agent that has its brief, and its model."""
    model = ScriptedModel(replies=replies or (DONE,))
    agent = Prompted(model, **options)
    agent.start(sample_brief())
    return agent, model


def words(message: Message) -> str:
    return "\n".join(part for part in message.parts if isinstance(part, str))


def pictures(message: Message) -> list[Picture]:
    return [part for part in message.parts if isinstance(part, Picture)]


@pytest.mark.parametrize(
    ("observe", "want", "has_picture", "says"),
    [
        ("screenshot", Want(), True, "This is the screen now, at the start."),
        ("tree", Want(screenshot=False, tree=True), False, '2 "Save" 165,35'),
        ("screenshot+tree", Want(tree=True), True, '1 button "Print" 65,35 90x30'),
        ("marks", Want(screenshot=False, marks=True), True, '2 "Save" 165,35'),
    ],
)
def test_the_four_ways_of_seeing(observe: Any, want: Want, has_picture: bool, says: str) -> None:
    agent, model = made(observe=observe)
    assert agent.want == want
    agent.act(sample_observation(agent.want))
    (asked,) = model.asked
    assert [message.role for message in asked] == ["system", "user"]
    assert bool(pictures(asked[-1])) is has_picture
    assert says in words(asked[-1])


def test_the_prompt_holds_the_task_and_the_actions_that_are_allowed() -> None:
    agent, model = made()
    agent.act(sample_observation())
    prompt = words(model.asked[0][0])
    for text in (
        "Sign the letter",
        "~/letter.txt",
        "sent today",
        '"type": "click"',
        "15 actions",
        '"type": "ask_user"',
    ):
        assert text in prompt


def test_what_is_not_allowed_is_not_offered() -> None:
    import dataclasses

    agent, model = made()
    agent.start(dataclasses.replace(sample_brief(), actions=("click", "done"), seconds=60.0))
    agent.act(sample_observation())
    prompt = words(model.asked[0][0])
    assert "ask_user" not in prompt
    assert '"type": "type"' not in prompt
    assert "60 seconds" in prompt


@pytest.mark.parametrize(("observe", "shown"), [("screenshot", 2), ("tree", 0)])
def test_pictures_of_tools_are_shown_once_to_those_who_see(observe: Any, shown: int) -> None:
    agent, model = made(DONE, DONE, observe=observe)
    image = Image.new("RGB", (4, 3), "red")
    url = "data:image/png;base64," + base64.b64encode(png(image)).decode()
    agent.act(sample_observation(agent.want, told=(Told("output", "[picture 1, 4x3]", (url,)),)))
    agent.act(sample_observation(agent.want))
    first, second = (asked[-1] for asked in model.asked)
    assert len(pictures(first)) == shown
    assert len(pictures(second)) == bool(shown)
    assert ("a tool answered with" in words(first)) is bool(shown)


def test_the_intent_can_be_left_out() -> None:
    agent, model = made(intent=False)
    agent.act(sample_observation())
    assert "sent today" not in words(model.asked[0][0])


def test_what_was_said_is_passed_on() -> None:
    told = (Told("reply", "It is 42."), Told("output", "x" * 50_000), Told("refused", "off the screen"))
    agent, model = made()
    agent.act(sample_observation(told=told))
    said = words(model.asked[0][-1])
    assert "The user answered: It is 42." in said
    assert "Not carried out: off the screen" in said
    assert len(said) < 2 * TOLD_CHARS
    assert "40000 characters left out" in said


@pytest.mark.parametrize("feedback", [True, False])
def test_feedback_is_an_option(feedback: bool) -> None:
    agent, model = made(feedback=feedback)
    agent.act(sample_observation(told=(Told("feedback", "the file is missing"),)))
    assert ("the file is missing" in words(model.asked[0][-1])) is feedback


def test_a_long_tree_is_cut_and_said_to_be() -> None:
    for observe in ("tree", "marks"):
        agent, model = made(observe=observe, tree_chars=60)
        agent.act(sample_observation(agent.want))
        said = words(model.asked[0][-1])
        assert "(3 more elements are left out)" in said
        assert "Novak" not in said


def test_windows_and_terminal_where_they_are_wanted() -> None:
    agent, model = made(windows=True, terminal=True)
    assert agent.want == Want(windows=True, terminal=True)
    agent.act(sample_observation(agent.want))
    assert "Windows, frontmost first:\n(none)" in words(model.asked[0][-1])
    assert "$ ls" in words(model.asked[0][-1])


@pytest.mark.parametrize("history", [0, 1, 2])
def test_it_remembers_as_many_turns_as_it_is_told_to(history: int) -> None:
    agent, model = made('{"type": "wait"}', "", DONE, DONE, history=history)
    for number in range(4):
        agent.act(sample_observation(told=(Told("reply", f"turn {number}"),)))
    last = model.asked[-1]
    assert len(last) == 2 + 2 * history
    assert [message.role for message in last[1:-1]] == ["user", "assistant"] * history
    assert "turn 3" in words(last[-1])
    assert ("turn 2" in words(last[-3])) if history else True
    assert all(part for message in last for part in message.parts)


def test_a_new_episode_begins_with_an_empty_memory() -> None:
    agent, model = made(DONE, DONE)
    agent.act(sample_observation())
    agent.start(sample_brief())
    agent.act(sample_observation())
    assert len(model.asked[1]) == 2


def test_coordinates_are_those_of_the_picture() -> None:
    agent, _ = made('{"type": "click", "x": 100, "y": 50}', scale=0.5)
    observation = sample_observation(agent.want)
    assert observation.screenshot is not None
    assert observation.screenshot.size == (640, 360)
    (click,) = agent.act(observation).actions
    assert isinstance(click, Click)
    assert (click.x, click.y) == (200, 100)
    assert click.given is not None
    assert click.given.points == ((100, 50),)


def test_marks_become_places() -> None:
    agent, _ = made('{"type": "click", "mark": 2}', observe="marks")
    (click,) = agent.act(sample_observation(agent.want)).actions
    assert isinstance(click, Click)
    assert (click.x, click.y) == (165, 35)


def test_reasoning_that_mentions_words_is_no_action() -> None:
    agent, _ = made('I might be done, or FAIL. But first:\n```json\n{"type": "wait"}\n```\n')
    turn = agent.act(sample_observation())
    assert [action.kind for action in turn.actions] == ["wait"]
    assert "I might be done" in turn.thought


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("What a nice desktop.", "no action"),
        ('{"type": "clik"}', "click"),
        ({"text": '[{"type": "click", "x"', "finish": "length"}, "cut off"),
        ({"text": "", "finish": "refusal"}, "declined"),
        ("", "no action"),
    ],
)
def test_what_is_not_understood_is_a_problem(reply: Any, problem: str) -> None:
    agent, _ = made(reply)
    turn = agent.act(sample_observation())
    assert turn.actions == ()
    assert problem in turn.problem
    assert turn.finish == (reply.get("finish") if isinstance(reply, dict) else "stop" if reply else "empty")
    assert len(turn.calls) == 1


def test_calls_and_words_are_part_of_the_turn() -> None:
    agent, _ = made({"text": DONE, "thought": "easy"})
    turn = agent.act(sample_observation())
    assert (turn.reply, turn.thought) == (DONE, "easy")
    assert [type(action) for action in turn.actions] == [Done]
    assert turn.calls[0].input_tokens > 1000


def test_a_model_that_fails_is_not_the_agents_fault() -> None:
    agent, _ = made({"error": "overloaded"})
    with pytest.raises(ModelError):
        agent.act(sample_observation())


def test_wrong_options_are_refused_when_it_is_made() -> None:
    with pytest.raises(SpecError, match="history=-1"):
        made(history=-1)
    with pytest.raises(SpecError, match="scale"):
        made(scale=2.0)
    with pytest.raises(UnknownName, match="plain_json"):
        made(dialect="plain_jsn")
    with pytest.raises(UnknownName, match="did you mean 'openai'"):
        Prompted("opneai/gpt-4o")


def test_it_opens_from_text(tmp_path: Any) -> None:
    from proctor.agents import open_agent

    script = tmp_path / "script.jsonl"
    script.write_text('"{\\"type\\": \\"done\\"}"\n')
    agent = open_agent(AgentSpec.parse(f"prompted,model=scripted/{script},observe=tree,history=0"))
    assert isinstance(agent, Prompted)
    agent.start(sample_brief())
    assert [action.kind for action in agent.act(sample_observation(agent.want)).actions] == ["done"]


def test_it_stops_when_its_budget_is_spent() -> None:
    agent, model = made(DONE, DONE, budget=Budget(tokens=10))
    agent.act(sample_observation())
    with pytest.raises(BudgetSpent):
        agent.act(sample_observation())
    assert len(model.asked) == 1


def test_it_can_let_go_of_its_model() -> None:
    made()[0].close()
