"""The simulated user answers from what the task says, the same way every time."""

from __future__ import annotations

import pytest

from proctor.tasks.task import Reply, User
from proctor.tasks.user import SimulatedUser

USER = User(
    replies=(
        Reply(about=("colour", "color"), reply="Blue, please."),
        Reply(about=("PIN", "secret number"), reply="It is 4711."),
    ),
    otherwise="That is up to you.",
)


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("Which COLOR do you want?", "Blue, please."),
        ("Which colours are allowed?", "Blue, please."),
        ("What is your pin?", "It is 4711."),
        ("What is the secret number?", "It is 4711."),
        ("Shopping list?", "That is up to you."),
        ("", "That is up to you."),
        ("Which colour, and which PIN?", "Blue, please. It is 4711."),
    ],
)
def test_replies(question: str, reply: str) -> None:
    assert SimulatedUser(USER).ask(question) == reply


def test_remembers_what_was_asked() -> None:
    user = SimulatedUser(USER)
    user.ask("Colour?")
    user.ask("Really?")
    assert [(each.question, each.reply) for each in user.asked] == [
        ("Colour?", "Blue, please."),
        ("Really?", "That is up to you."),
    ]


def test_a_user_without_replies_refuses() -> None:
    assert SimulatedUser(User()).ask("What now?").startswith("I can't help you there")
