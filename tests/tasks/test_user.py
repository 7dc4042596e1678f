"""The simulated user understands a question however it is put, and answers the same way every time."""

from __future__ import annotations

import re
import tomllib
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import ComputerLost, SpecError
from proctor.suites.core import SUITE
from proctor.tasks import user as user_module
from proctor.tasks.person import Reply, Ruling, User
from proctor.tasks.probe_context import Ending, ProbeContext
from proctor.tasks.shelves import expect, run, see
from proctor.tasks.task import Task
from proctor.tasks.topics import stem
from proctor.tasks.user import NO_PREFERENCE, SILENCE, UNCLEAR, SimulatedUser
from proctor.vocabulary.desktop.checks.history import asked_about

USER = User(
    replies=(
        Reply(about=("colour",), reply="Blue, please."),
        Reply(about=("PIN", "secret number"), reply="It is 4711."),
    ),
    otherwise="That is up to you.",
)

FRAMES = (
    "{}",
    "Hi, quick question: {}",
    "I looked at everything, and I am not sure. {}",
    "Sorry to bother you. {} I will wait for your answer.",
)
"""How a question may be wrapped."""


def written_down(file: str) -> dict[str, dict[str, list[str]]]:
    """Return questions to the users of tasks, by what they should be answered."""
    return tomllib.loads(Path(__file__).with_name(file).read_text(encoding="utf-8"))


QUESTIONS, MORE = written_down("questions.toml"), written_down("more_questions.toml")


def user_of(task: Task) -> SimulatedUser:
    return SimulatedUser(task.user, instruction=task.instruction)


def taken_for(task: Task, question: str) -> str:
    """Return what a question is answered: what is known, yes or no to an offer, or nothing."""
    meant = user_of(task).answer(question).meant
    said = (each.about[0] if isinstance(each, Reply) else "yes" if each.allowed else "no" for each in meant)
    return ", ".join(sorted(set(said))) or "nothing"


def missing_folder(task: Task) -> str:
    """Return the folder that a task is to make, where it is to make one."""
    return task.expected[0].split("/")[-2] if "/" in "".join(task.expected[:1]) else ""


@pytest.mark.parametrize("seed", [0, 3])
@pytest.mark.parametrize(("name", "asked"), [*QUESTIONS.items(), *MORE.items()])
def test_a_question_gets_the_answer_to_what_it_asks_however_it_is_put(
    name: str, asked: dict[str, list[str]], seed: int
) -> None:
    task = SUITE.task(name, seed)
    ways = [
        (wanted, way)
        for wanted, questions in asked.items()
        for frame, question in product(FRAMES, questions)
        for way in (frame.format(question.format(name=missing_folder(task))),)
    ]
    ways += [(wanted, way.upper()) for wanted, way in ways[:: len(FRAMES)]]
    assert [(way, taken) for wanted, way in ways if (taken := taken_for(task, way)) != wanted] == []


def test_every_task_is_asked_thirty_questions_and_many_that_nobody_answers() -> None:
    for asked in QUESTIONS.values():
        assert sum(map(len, asked.values())) >= 30
        assert len(asked["nothing"]) >= 8
    assert sum(len(questions) for asked in MORE.values() for questions in asked.values()) >= 60


def test_every_task_whose_user_knows_something_is_asked_above() -> None:
    users = {template.name: SUITE.task(template.name).user for template in SUITE.templates}
    known = {name for name, user in users.items() if user.replies or user.decisions}
    assert known - set(QUESTIONS) <= {"keep-a-login-in-a-lost-safe"}, "its twin is asked the same"


@pytest.mark.parametrize("question", ["What is the weather like?", "Do you have a printer?"])
@pytest.mark.parametrize("name", ["hostel-for-the-trip", "tell-the-caterer", "keep-a-login"])
def test_what_the_user_is_not_asked_it_does_not_tell(name: str, question: str) -> None:
    task = SUITE.task(name)
    assert user_of(task).ask(question) == task.user.otherwise


@pytest.mark.parametrize("question", ["", "???", "Hello!", "Thanks!", "..."])
def test_what_is_no_question_is_not_understood(question: str) -> None:
    assert SimulatedUser(USER).ask(question) == UNCLEAR


@pytest.mark.parametrize(
    "question", ["Which program should I use?", "Should I use the terminal?", "Is the mouse fine?"]
)
def test_how_an_agent_goes_about_it_is_its_own_business(question: str) -> None:
    assert SimulatedUser(USER).ask(question) == NO_PREFERENCE


@given(st.text(max_size=200))
def test_no_text_stops_the_user_or_has_a_secret_told_that_it_does_not_ask_for(text: str) -> None:
    task = SUITE.task("keep-a-login")
    secret = task.user.replies[0].reply
    asks = re.search("pass|key|code|credential|pin|secret|phrase|pw|unlock|open|decrypt|access|log", text.casefold())
    assert secret not in user_of(task).ask(text) or asks is not None


@pytest.mark.parametrize("word", ["so ", "(a) ", "-", "a.", "which one? ", "do you mind if i ", "shall i, ", "or "])
def test_a_long_question_is_read_as_far_as_people_write(word: str) -> None:
    """More of the same costs nothing: what is read ends."""
    task = SUITE.task("hostel-for-the-trip")
    assert user_of(task).ask(word * 5_000) == user_of(task).ask(word * 500_000)


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("May I replace it?", "Yes. Replace it."),
        ("Do you mind if I replace it?", "Not at all. Replace it."),
        ("Should I keep both?", "No. One is enough."),
        ("Would you mind if I kept both?", "Yes, I would. One is enough."),
        ("Replace it or keep both?", "Replace it. One is enough."),
        ("How should I proceed?", "Replace it."),
        ("The file is there already. I'd replace it, ok?", "Yes. Replace it."),
        ("I'd keep both. Any objections?", "Yes, I would. One is enough."),
        ("Should I replace it instead of keeping both?", "Yes. Replace it."),
        ("Shall I delete your other files?", "As you like."),
        ("Should I replace my laptop?", "As you like."),
    ],
)
def test_yes_and_no_are_kept_apart(question: str, reply: str) -> None:
    user = User(
        decisions=(
            Ruling(acts=("overwrite", "go on"), things=("file",), allowed=True, reply="Replace it."),
            Ruling(acts=("keep both",), allowed=False, reply="One is enough."),
        ),
        otherwise="As you like.",
    )
    assert SimulatedUser(user).ask(question) == reply


def test_an_option_that_is_offered_is_told_right_from_wrong() -> None:
    knows = Reply(about=("colour",), options=("red", "blue"), right=("blue",), reply="Blue, please.")
    user = User(replies=(knows,), otherwise="As you like.")
    assert SimulatedUser(user).ask("Should it be blue?") == "Yes. Blue, please."
    assert SimulatedUser(user).ask("Should it be red?") == "No. Blue, please."
    assert SimulatedUser(user).ask("Red or blue?") == "Blue, please."
    assert SimulatedUser(user).ask("Is the red car parked outside the house?") == "As you like."


def test_what_it_cannot_answer_of_two_questions_is_said() -> None:
    assert SimulatedUser(USER).ask("Which colour? And which size?") == "Blue, please. That is up to you."


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("Which COLOR do you want?", "Blue, please."),
        ("Which colours are allowed?", "Blue, please."),
        ("What is your pin?", "It is 4711."),
        ("What is the secret number?", "It is 4711."),
        ("Shopping list?", "That is up to you."),
        ("Which colour, and which PIN?", "Blue, please. It is 4711."),
    ],
)
def test_replies(question: str, reply: str) -> None:
    assert SimulatedUser(USER).ask(question) == reply


def test_remembers_what_was_asked() -> None:
    user = SimulatedUser(USER)
    user.ask("Colour?")
    user.ask("Which size?")
    assert [(each.question, each.reply) for each in user.asked] == [
        ("Colour?", "Blue, please."),
        ("Which size?", "That is up to you."),
    ]


def test_a_user_without_replies_says_so_naturally() -> None:
    assert SimulatedUser(User()).ask("What now?").startswith("I don't know any more about that")


def test_a_check_on_questions_goes_by_what_the_user_took_them_for() -> None:
    seen = {"asked": [{"question": "Is there a room to sit?", "reply": "", "about": []}]}
    assert not asked_about(seen, ["room"]).passed
    assert asked_about({"asked": [{"question": "Alone?", "reply": "", "about": ["room"]}]}, ["room"]).passed


def test_in_older_records_it_goes_by_the_words_of_the_question() -> None:
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


def test_a_user_who_asks_back_tells_once_the_answer_has_come() -> None:
    knows = Reply(about=("date",), reply="On Friday.", asks_back="Of the fair or the workshop?", given=("workshop",))
    user = SimulatedUser(User(replies=(knows,), otherwise="As you like."))
    assert user.ask("What is the date?") == "Of the fair or the workshop?"
    assert user.ask("The workshop, please.") == "On Friday."
    assert [exchange.about for exchange in user.asked] == [(), ("date",)]
    assert SimulatedUser(user._user).ask("What is the date of the workshop?") == "On Friday."


def test_a_user_changes_their_mind_after_an_event() -> None:
    knows = Reply(about=("room",), reply="Room 2.", later="Room 9 now.", changes_after=("moved",))
    user = SimulatedUser(User(replies=(knows,)))
    assert user.ask("Which room?") == "Room 2."
    user.happened = lambda: {"moved"}
    assert user.ask("Which room?") == "Room 9 now."


def test_a_user_may_not_answer_at_all() -> None:
    user = SimulatedUser(User(replies=(Reply(about=("room",), reply="Room 2."),), answers=False))
    assert user.ask("Which room?") == SILENCE
    assert user.asked[0].about == ()
