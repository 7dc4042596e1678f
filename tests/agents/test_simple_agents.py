"""Chance, the answer key and people."""

from __future__ import annotations

import dataclasses

import pytest

from proctor.actions.action import ACTIONS, Answer, AskUser, Done, Fail
from proctor.agents.agent import Over, Turn
from proctor.agents.human import Human, read_signal
from proctor.agents.random import Random
from proctor.agents.sample import sample_brief, sample_observation
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import AgentError
from proctor.exam.brief import allowed_actions
from proctor.exam.exam import Exam
from proctor.exam.rules import Rules
from proctor.observations.observation import Observation
from proctor.records import Told
from proctor.runner.loop import examine
from proctor.tasks.free import free_task


def drawn(seed: int, count: int = 200, kinds: tuple[str, ...] = tuple(ACTIONS)) -> list[dict[str, object]]:
    agent = Random()
    agent.start(dataclasses.replace(sample_brief(), seed=seed, actions=kinds))
    seen = sample_observation()
    return [agent.act(seen).actions[0].to_json() for _ in range(count)]


def test_chance_depends_on_the_seed_alone() -> None:
    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)


def test_chance_takes_every_kind_that_is_allowed_and_no_other() -> None:
    assert {action["type"] for action in drawn(0, 3000)} == set(ACTIONS)
    assert {action["type"] for action in drawn(0, 50, ("press", "done"))} == {"press", "done"}
    assert drawn(0, 1, ()) == [{"type": "done"}]


def test_chance_works_on_a_computer() -> None:
    with FakeComputer() as computer:
        kinds = tuple(kind for kind in allowed_actions(computer) if kind not in ("done", "fail", "answer"))
        rules = Rules(
            actions=tuple(kind for kind in kinds if kind != "ask_user"), steps=60, fruitless=60, repetition=60
        )
        with Exam(free_task(), computer, rules) as exam:
            examine(exam, Random())
            ended = exam.end()
        assert (ended.stop in ("step_limit", "done", "gave_up", "answered"), ended.cause) == (True, None)


def test_a_person_asks_and_answers() -> None:
    prompts: list[str] = []
    lines = iter(["hello", "ask which day?", "answer Tuesday"])

    def prompt(text: str) -> str:
        prompts.append(text)
        return next(lines)

    turns: list[Turn] = []

    def step(turn: Turn) -> Observation:
        turns.append(turn)
        if isinstance(turn.actions[0], Answer):
            raise Over
        return sample_observation(told=(Told("reply", "The second."),))

    human = Human(prompt)
    human.start(sample_brief())
    with pytest.raises(Over):
        human.drive(step)
    assert [turn.actions[0] for turn in turns] == [AskUser(question="which day?"), Answer(text="Tuesday")]
    assert sample_brief().instruction in prompts[0]
    assert "'hello' is none of these" in prompts[1]
    assert "The second." in prompts[2]
    assert turns[1].thought.startswith("worked for ")


def test_nobody_at_the_desktop() -> None:
    def gone(text: str) -> str:
        raise EOFError

    human = Human(gone)
    human.start(sample_brief())
    with pytest.raises(AgentError, match="nobody"):
        human.drive(lambda turn: sample_observation())


@pytest.mark.parametrize(
    ("line", "action"),
    [("DONE ", Done()), ("fail no printer", Fail(reason="no printer")), ("answer", None), ("", None), ("donee", None)],
)
def test_words_of_people(line: str, action: object) -> None:
    assert read_signal(line) == action
