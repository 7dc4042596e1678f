"""Actions that a person confirms or a policy vetoes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from proctor.actions.action import Click, Done, Press, Type
from proctor.agents.agent import Vetoed
from proctor.agents.sample import sample_brief
from proctor.errors import SpecError
from proctor.exam.confirm import Confirmation, action_line
from proctor.exam.policy import load_policy

ACTIONS = (Click(x=1, y=2), Type(text="secret"), Press(keys="Return"))


def answers(*lines: str) -> Callable[[str], str]:
    left = iter(lines)
    return lambda question: next(left)


def test_a_policy_says_why_not() -> None:
    policy = load_policy("tests.agents.own:no_typing")
    assert policy.check(sample_brief(), ACTIONS[0]) is None
    assert policy.check(sample_brief(), ACTIONS[1]) == "typing is forbidden"


def test_a_policy_may_be_a_class() -> None:
    assert load_policy("tests.agents.own:Strict").check(sample_brief(), ACTIONS[0])


def test_yes_no_and_all() -> None:
    brief = sample_brief()
    person = Confirmation(answers("y", "n", "perhaps", "a"))
    said = [person.check(brief, action) for action in (*ACTIONS, *ACTIONS)]
    assert said[0] is None
    assert said[1] == "the person watching did not allow it"
    assert said[2:] == [None] * 4


def test_quitting_ends_the_episode() -> None:
    with pytest.raises(Vetoed, match="ended the episode"):
        Confirmation(answers("q")).check(sample_brief(), ACTIONS[0])


def test_nobody_at_the_terminal_ends_the_episode() -> None:
    def gone(question: str) -> str:
        raise EOFError

    with pytest.raises(Vetoed, match="nobody"):
        Confirmation(gone).check(sample_brief(), Done())


def test_an_action_is_shown_on_one_line_whatever_it_holds() -> None:
    assert action_line(Type(text="a\nb\x1b[2J")) == 'type text="a\\nb\\u001b[2J"'
    assert action_line(Click(x=1, y=2)) == "click x=1 y=2"


@pytest.mark.parametrize(
    ("target", "fault"),
    [
        ("tests.agents.own:wrong_shape", "cannot be asked"),
        ("tests.agents.own:Mine", "no check"),
        ("tests.agents.own:NUMBER", "not callable"),
        ("tests.agents.own:nothing", "cannot be loaded"),
        ("nowhere", "module:name"),
    ],
)
def test_a_policy_that_cannot_work_is_refused_when_it_is_loaded(target: str, fault: str) -> None:
    with pytest.raises(SpecError, match=fault):
        load_policy(target)
