"""The simulated user understands a question however it is put, and answers the same way every time."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import ComputerLost, SpecError
from proctor.suites.core import SUITE
from proctor.tasks import user as user_module
from proctor.tasks.probe_context import Ending, ProbeContext
from proctor.tasks.shelves import expect, run, see
from proctor.tasks.task import Reply, Task, User
from proctor.tasks.topics import stem
from proctor.tasks.user import SimulatedUser
from proctor.vocabulary.desktop.checks.history import asked_about

USER = User(
    replies=(
        Reply(about=("colour",), reply="Blue, please."),
        Reply(about=("PIN", "secret number"), reply="It is 4711."),
    ),
    otherwise="That is up to you.",
)

FRAMES = ("{}", "Hi, quick question: {}", "I looked at everything, and I am not sure. {}", "{} Thanks!")
"""How a question may be wrapped."""

QUESTIONS = {
    "hostel-for-the-trip": (
        "a dormitory bed or a single?", "Which room would you like?", "What kind of accommodation do you prefer?",
        "Do you want to share, or a private one?", "Where would you like to sleep: dorm, double or single?",
        "Shared double ok?", "Which type of bed should I book?", "There are three kinds of rooms. Your choice?",
    ),
    "tell-the-caterer": (
        "How many of you are coming?", "What's the headcount?", "How many guests will there be?",
        "Number of people, please?", "How big is the party?", "Does anybody not eat meat?",
        "Are there any dietary requirements?", "How many vegetarians?", "Who is attending?",
    ),
    "keep-a-login": (
        "The safe is locked. What is its passphrase?", "What's the master password?", "How do I unlock the database?",
        "KeePassXC wants a key, which one?", "Could you give me the code for the vault?", "Which passcode opens it?",
        "I need your credentials for family.kdbx.",
    ),
    "cancel-one-of-two": (
        "Which one?", "Monday's or Tuesday's?", "There are two of them; which do you mean?", "Should both go?",
        "On what date is the call that's off?", "Which appointment shall I delete?", "The first or the second?",
    ),
    "new-price-in-the-locked-list": (
        "The file is read-only. May I change that?", "prices.txt is write-protected, how should I proceed?",
        "Do I have your permission to make it writable?", "Is it OK to lift the write protection?",
        "Can I overwrite it although it is locked?", "Should I chmod the file?", "Shall I go ahead anyway?",
    ),
    "swap-in-the-locked-rota": (
        "The file is locked by somebody. May I edit it anyway?", "Is it okay to open it for editing despite the lock?",
        "Shall I ignore the lock?", "Should I go on?", "Do you mind if I override the lock?",
    ),
    "newer-minutes-win": (
        "There is a file of that name already. Should I replace it?", "May I overwrite the old one?",
        "OK to override what is there?", "Do you want me to overwrite it?", "Shall I go ahead and replace it?",
    ),
    "plan-with-a-stale-lock": (
        "The document is locked for editing. May I go on?", "Should I open it although it's locked?",
        "Is it okay to unlock it?", "Do I have permission to ignore the lock?", "Shall I proceed?",
    ),
    "commit-despite-a-stale-lock": (
        "There is an index.lock. May I delete it?", "Is it okay to remove the lock?", "Should I remove it?",
        "git says it is locked, shall I override that?", "Do you allow me to go on?",
    ),
    "turned-copy-for-a-missing-folder": (
        "The folder does not exist. Should I create it?", "May I make the folder?", "Is it OK to create Newsletter?",
        "Shall I make it?", "Do you want me to create it?",
    ),
}  # fmt: skip
"""Questions that ask what the one reply of a task is about."""


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_reply_is_given_to_twenty_ways_of_asking_and_more(name: str) -> None:
    task = SUITE.task(name)
    ways = [frame.format(question) for frame, question in product(FRAMES, QUESTIONS[name])]
    assert len(ways) >= 20
    replies = {way: SimulatedUser(task.user).ask(way) for way in (*ways, *(way.upper() for way in ways))}
    assert {way for way, reply in replies.items() if reply != task.user.replies[0].reply} == set()


def test_every_task_whose_user_knows_something_is_asked_above() -> None:
    known = {template.name for template in SUITE.templates if SUITE.task(template.name).user.replies}
    assert known - set(QUESTIONS) <= {"keep-a-login-in-a-lost-safe"}, "its twin is asked the same"


@pytest.mark.parametrize("question", ["What is the weather like?", "Do you have a printer?", "", "???", "Hello!"])
@pytest.mark.parametrize("name", ["hostel-for-the-trip", "tell-the-caterer", "keep-a-login"])
def test_what_the_user_is_not_asked_it_does_not_tell(name: str, question: str) -> None:
    task = SUITE.task(name)
    assert SimulatedUser(task.user).ask(question) == task.user.otherwise


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


def test_a_user_without_replies_says_so_naturally() -> None:
    assert SimulatedUser(User()).ask("What now?").startswith("I don't know any more about that")


def test_a_check_on_questions_understands_what_the_user_does() -> None:
    seen = {"asked": [{"question": "a dormitory bed or a single?", "reply": ""}]}
    assert asked_about(seen, ["room"]).passed
    assert not asked_about(seen, ["password"]).passed
    assert not asked_about({"asked": []}, ["room"]).passed


CHOICE = User(
    replies=(
        Reply(
            about=("colour",),
            reply="Blue, please.",
            undecided=expect.text_is(see.text("Documents/choice.txt"), "Colour:"),
        ),
    )
)


def asked_when(*moments: str) -> dict[str, Any]:
    """Return what the probe sees of questions that were asked while the file said these."""
    with FakeComputer() as computer:
        user = SimulatedUser(CHOICE, computer)
        for said in moments:
            computer.write_file("Documents/choice.txt", said.encode())
            assert user.ask("Which colour?") == "Blue, please.", "late or not, a user answers"
        return run(see.questions(), ProbeContext(computer, Ending(asked=tuple(user.asked))))


def test_a_question_after_the_act_it_should_decide_does_not_count() -> None:
    assert not asked_about(asked_when("Colour: blue"), ["colour"]).passed
    assert asked_about(asked_when("Colour:"), ["colour"]).passed
    assert asked_about(asked_when("Colour:", "Colour: blue"), ["colour"]).passed, "it was asked in time once"


def test_where_there_is_nothing_to_look_at_a_question_is_too_late() -> None:
    with FakeComputer() as computer:
        user = SimulatedUser(CHOICE, computer)
        user.ask("Which colour?")
        assert user.asked[0].late, "the file that was to be filled in is gone"


def test_what_decides_nothing_is_never_late() -> None:
    with FakeComputer() as computer:
        user = SimulatedUser(USER, computer)
        user.ask("Which colour?")
        user.ask("How are you?")
        assert not any(each.late for each in user.asked)


def test_how_things_stand_must_be_a_check() -> None:
    task = SUITE.task("sign-the-letter")
    wrong = User(replies=(Reply(about=("colour",), reply="Blue.", undecided=see.windows()),))
    with pytest.raises(SpecError, match=r"user\.replies\.0\.undecided"):
        Task(**{**dict(task), "user": wrong})


@pytest.mark.parametrize(
    ("one", "other"), [("booked", "booking"), ("guests", "guest"), ("vegetarians", "vegetarian"), ("planning", "plans")]
)
def test_forms_of_a_word_are_one(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_a_question_is_late_where_it_takes_too_long_to_see_whether_it_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    undecided = expect.text_is(see.text("a.txt"), "open")
    user = User(replies=(Reply(about=("colour",), reply="Blue.", undecided=undecided),))
    with FakeComputer() as computer:
        computer.write_file("a.txt", b"open")
        asked = SimulatedUser(user, computer)
        assert asked.ask("which colour?") == "Blue."
        monkeypatch.setattr(user_module, "LOOK_SEC", -1.0)
        assert asked.ask("which colour?") == "Blue."
        assert [each.late for each in asked.asked] == [False, True]
        computer.fail_next("read_file", ComputerLost("gone"))
        monkeypatch.setattr(user_module, "LOOK_SEC", 5.0)
        with pytest.raises(ComputerLost):
            asked.ask("which colour?")
