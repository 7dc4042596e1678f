"""A model that plays the user chooses among the task's replies, and cannot say anything else."""

from __future__ import annotations

from typing import Any

import pytest

from proctor.cli.trust import starts
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import MissingExtra, SpecError
from proctor.exam.model_user import ModelUser
from proctor.exam.rules import Rules
from proctor.models.script import ScriptedModel
from proctor.runner.preflight import check_agents
from proctor.tasks.person import Reply, User
from proctor.tasks.shelves import expect, see
from tests.prove.machines import shopping

USER = User(
    replies=(Reply(about=("colour",), reply="Blue, please."), Reply(about=("size",), reply="The large one.")),
    otherwise="I cannot tell.",
)


def asked(said: Any, question: str = "Which colour would you like?") -> str:
    return ModelUser(shopping(user=USER), ScriptedModel(replies=[said])).ask(question)


@pytest.mark.parametrize(
    ("said", "reply"),
    [
        ("1", "Blue, please."),
        ("2", "The large one."),
        ("1, 2", "Blue, please. The large one."),
        ("[2, 1]", "Blue, please. The large one."),
        ("1 and 2.", "Blue, please. The large one."),
        ("none", "I cannot tell."),
        ("None.", "I cannot tell."),
        ("9", "I cannot tell."),
        ("It asks for the colour.\n1", "Blue, please."),
    ],
)
def test_the_model_chooses_and_the_task_speaks(said: str, reply: str) -> None:
    assert asked(said) == reply


@pytest.mark.parametrize("said", ["", "Green!", "1, 2 and whatever you like", "{}", {"error": "overloaded"}])
def test_without_a_usable_choice_rules_decide(said: Any) -> None:
    assert asked(said) == "Blue, please."


def test_a_question_that_comes_too_late_is_noted_whoever_plays_the_user() -> None:
    still_open = expect.text_is(see.text("choice.txt"), "Colour:")
    user = User(replies=(Reply(about=("colour",), reply="Blue, please.", undecided=still_open),))
    with FakeComputer() as computer:
        asked = ModelUser(shopping(user=user), ScriptedModel(replies=["1", "1", "none"]), computer)
        for said in ("Colour:", "Colour: red", "Colour: red"):
            computer.write_file("choice.txt", said.encode())
            asked.ask("Which colour would you like?")
    assert [each.late for each in asked.asked] == [False, True, False]


def test_what_is_asked_is_remembered_and_a_long_question_is_cut() -> None:
    model = ScriptedModel(replies=["none"])
    user = ModelUser(shopping(user=USER), model)
    assert user.ask("x" * 100_000) == "I cannot tell."
    (exchange,) = user.asked
    assert (len(exchange.question), exchange.reply) == (100_000, "I cannot tell.")
    (part,) = model.asked[0][0].parts
    assert isinstance(part, str) and len(part) < 6_000


def test_a_user_with_nothing_to_say_asks_no_model() -> None:
    model = ScriptedModel(replies=[])
    assert ModelUser(shopping(user=User(otherwise="No idea.")), model).ask("Which one?") == "No idea."
    assert model.asked == []


@pytest.mark.parametrize("name", ["gpt", "nobody/gpt", "openai/"])
def test_a_model_that_cannot_be_opened_is_refused_before_a_run(name: str) -> None:
    with pytest.raises((SpecError, MissingExtra)):
        check_agents([], Rules(user_model=name))


def test_a_run_from_elsewhere_says_that_it_asks_a_model() -> None:
    class Planned:
        agents = ()
        assets = None
        rules = Rules(user_model="module:Model/x")

    assert list(starts(Planned())) == ["model module:Model/x, which plays the user"]  # type: ignore[arg-type]
