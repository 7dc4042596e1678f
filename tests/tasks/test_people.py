"""People who are asked in a chat or by email: what they understand, when they answer, and what they never do."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.errors import SpecError
from proctor.exam.watchers.events import MOST_KEPT
from proctor.tasks.agenda import Acted, Agenda
from proctor.tasks.call import Call
from proctor.tasks.dialogue import MOST_MESSAGES, FactProgress, count_lost, facts_in, follow
from proctor.tasks.events import Event, When
from proctor.tasks.people import TIMES, people_events
from proctor.tasks.person import Reply, Respondent, Ruling, User
from proctor.tasks.shelves import make, run
from proctor.tasks.task import Task
from proctor.tasks.user import SimulatedUser
from proctor.vocabulary.services.people.checks import messages_to
from tests.prove.machines import shopping

ROOM = Reply(about=("room", "meeting room"), reply="Room 214.", kinds=("place",))
PRICE = Reply(about=("price", "cost"), reply="It costs 340 euros.", kinds=("amount",))
DATE = Reply(
    about=("date", "day", "deadline"),
    reply="On Friday.",
    kinds=("time",),
    asks_back="Do you mean the workshop or the fair?",
    given=("workshop",),
)
NORA = Respondent(name="Nora", facts=(ROOM, PRICE, DATE), chat="nora", says_in="#move")

CHAT: dict[str, Any] = {
    "setup": (make.chat_server([{"name": "#move", "people": ["nora"]}]), *shopping().setup),
    "machine": {"network": "loopback"},
}

PHRASINGS: dict[str, list[str]] = tomllib.loads(Path(__file__).with_name("phrasings.toml").read_text(encoding="utf-8"))
"""Ways to ask for each fact."""


@pytest.mark.parametrize("fact", PHRASINGS)
def test_a_fact_is_told_however_it_is_asked_for(fact: str) -> None:
    assert len(PHRASINGS[fact]) >= 20
    assert [said for said in PHRASINGS[fact] if facts_in(NORA, said) != {fact}] == []


HAAS = Respondent(
    name="Haas",
    mail="haas@chairs.example",
    writes_to="ida@a.example",
    facts=(
        Reply(about=("address", "deliver to", "delivery address"), reply="Mill Lane 4.", kinds=("place",)),
        Reply(about=("order number", "order"), reply="20418.", kinds=("what",)),
        Reply(about=("colour",), reply="Green.", kinds=("what",), options=("green", "grey"), right=("green",)),
        Reply(about=("quantity", "how many", "piece", "chair"), reply="Twelve.", kinds=("count", "amount")),
        Reply(
            about=("bill 184", "invoice 184", "pay"),
            reply="Yes, pay it.",
            kinds=("whether",),
            verbs=("pay", "settle", "transfer"),
        ),
    ),
)
DECIDES = User(
    decisions=(
        Ruling(acts=("pay", "settle", "transfer"), things=("bill 184", "bill", "invoice"), allowed=True, reply="Do."),
        Ruling(acts=("cancel", "call off"), things=("meeting", "appointment"), allowed=False, reply="Keep it."),
    )
)
ASKED: dict[str, dict[str, list[str]]] = tomllib.loads(
    Path(__file__).with_name("asked_of_people.toml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize(("who", "person"), [("colleague", NORA), ("customer", HAAS)])
def test_colleagues_and_customers_tell_what_they_are_asked_for_and_nothing_else(who: str, person: Respondent) -> None:
    told = {(said, ", ".join(facts_in(person, said)) or "nothing") for asked in ASKED[who].values() for said in asked}
    assert told == {(said, about) for about, asked in ASKED[who].items() for said in asked}


def test_who_decides_is_understood() -> None:
    def decided(said: str) -> str:
        rulings = {each.allowed for each in SimulatedUser(DECIDES).answer(said).meant if isinstance(each, Ruling)}
        return ", ".join("yes" if allowed else "no" for allowed in sorted(rulings)) or "nothing"

    asked = [(said, wanted) for wanted, every in ASKED["decides"].items() for said in every]
    assert [(said, decided(said)) for said, _ in asked] == asked


@pytest.mark.parametrize(
    "said", ["Is there coffee?", "Hello!", "", "Who won the match?", "blorp the flarn", "340", "Thanks, bye"]
)
def test_what_is_not_understood_is_told_apart(said: str) -> None:
    assert facts_in(NORA, said) == frozenset()
    assert count_lost(NORA, [said]) == 1


def test_who_asks_back_tells_once_the_answer_has_come() -> None:
    assert follow(NORA, DATE, ["What is the date?"]) == FactProgress(answered=0, asked_back=1)
    assert follow(NORA, DATE, ["What is the date?", "Which room?"]) == FactProgress(answered=0, asked_back=1)
    assert follow(NORA, DATE, ["What is the date?", "the workshop"]) == FactProgress(answered=1, asked_back=1)
    assert follow(NORA, DATE, ["What is the date of the workshop?"]) == FactProgress(answered=1, asked_back=0)
    assert count_lost(NORA, ["the workshop"]) == 0


def test_an_answer_to_what_was_not_asked_back_tells_nothing() -> None:
    assert follow(NORA, DATE, ["the workshop was nice"]) == FactProgress()


@given(st.lists(st.text(max_size=60), max_size=8))
def test_the_same_messages_lead_to_the_same(messages: list[str]) -> None:
    once = [follow(NORA, fact, messages) for fact in NORA.facts]
    assert once == [follow(NORA, fact, messages) for fact in NORA.facts]


def test_somebody_asked_five_hundred_times_tells_three_times() -> None:
    messages = [f"Which room is it? ({number})" for number in range(500)]
    assert follow(NORA, ROOM, messages).answered == MOST_MESSAGES
    assert len(said_to(messages, NORA)) == TIMES
    assert len(people_events([NORA])) < MOST_KEPT


def test_a_check_tells_how_often_somebody_was_asked() -> None:
    told = NORA.model_dump(mode="json", exclude_defaults=True)
    entries = [{"kind": "message", "where": "nora", "text": text} for text in ("Which room?", "Good luck!")]
    for stage, count in (("answers", 1), ("asks_back", 0), ("lost", 1)):
        given = {"person": told, "about": "room", "stage": stage, "at_least": 1}
        found: Any = run(Call("check", "person_heard", given), {"entries": entries})
        assert found.passed == bool(count), found.feedback


def said_to(messages: list[str], person: Respondent, *, events: tuple[Event, ...] = (), steps: int = 10) -> list[str]:
    """Return what happens when these messages have been said, with other events of the task."""
    agenda = Agenda([*events, *people_events([person])])
    seen = {"entries": [{"kind": "message", "who": "ida", "where": "nora", "text": text} for text in messages]}

    def holds(check: Call) -> bool:
        given: Any = {name: value for name, value in check.arguments.items() if name != "of"}
        found: Any = run(Call("check", check.name, given), seen)
        return bool(found.passed)

    happened = []
    for step in range(steps):
        for event, _ in agenda.due(Acted(step, step), holds):
            agenda.note(event, Acted(step, step))
            happened.append(event.name)
    return happened


def test_each_question_has_its_answer() -> None:
    assert said_to(["Which room?", "What is the price?", "Which room?"], NORA) == [
        "Nora tells room", "Nora tells room (2)", "Nora tells price",
    ]  # fmt: skip


def test_somebody_answers_late_or_not_at_all() -> None:
    late = NORA.model_copy(update={"actions": 4})
    assert said_to(["Which room?"], late, steps=4) == []
    assert said_to(["Which room?"], late, steps=6) == ["Nora tells room"]
    assert said_to(["Which room?"], NORA.model_copy(update={"answers": False})) == []


def test_somebody_changes_their_mind_and_says_so_to_who_has_asked() -> None:
    moved = Event(name="moved", do=(make.text_file("a", ""),), when=When(actions=3))
    fact = ROOM.model_copy(update={"later": "Room 9 now.", "changes_after": ("moved",)})
    nora = NORA.model_copy(update={"facts": (fact,)})
    assert said_to(["Which room?"], nora, events=(moved,)) == ["Nora tells room", "moved", "Nora tells room anew"]
    assert said_to([], nora, events=(moved,)) == ["moved"]


def test_two_people_may_contradict_one_another() -> None:
    other = NORA.model_copy(update={"name": "Ole", "chat": "ole", "facts": (ROOM.model_copy(update={"reply": "12"}),)})
    said = [str(event.do[0]) for event in people_events([NORA, other]) if "tells room" in event.name]
    assert (
        len([text for text in said if "Room 214." in text]) == len([text for text in said if "'12'" in text]) == TIMES
    )


def test_who_is_meant_in_a_chat_and_by_email() -> None:
    entries = [
        {"kind": "message", "where": "#move", "text": "nora: which room?"},
        {"kind": "message", "where": "#move", "text": "which room?"},
        {"kind": "message", "where": "nora", "text": "what is the price?"},
        {"kind": "join", "where": "#move", "text": "nora"},
        {"kind": "message", "where": "#move", "text": "ask eleonora"},
    ]
    assert messages_to({"entries": entries}, NORA) == ["which room?", "what is the price?"]
    letters = [
        {"recipients": ["ole@a.example"], "subject": "Room", "own": "Which one?"},
        {"recipients": ["nora@a.example", "ole@a.example"], "subject": "Price", "own": "How much?"},
    ]
    by_mail = Respondent(name="Nora", facts=(PRICE,), mail="Nora@a.example", writes_to="ida@a.example")
    assert messages_to({"letters": letters}, by_mail) == ["Price. How much?"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"says_in": ""}, "belong together"),
        ({"chat": "", "says_in": ""}, "nobody can ask 'Nora'"),
        ({"chat": "norah"}, "unknown person in the chat 'norah'"),
        ({"mail": "n@a.example", "writes_to": "ida@a.example"}, "unknown account of the mail service"),
        ({"facts": (ROOM.model_copy(update={"asks_back": "Which?"}),)}, "give both or neither"),
        ({"facts": (ROOM.model_copy(update={"later": "9", "changes_after": ("mooved",)}),)}, "unknown event 'mooved'"),
    ],
)
def test_people_who_cannot_be_are_refused_with_their_task(change: dict[str, Any], said: str) -> None:
    with pytest.raises(SpecError, match=said):
        shopping(people=(NORA.model_copy(update=change),), **CHAT)


def test_two_people_of_one_name_are_refused() -> None:
    with pytest.raises(SpecError, match="two people called 'Nora'"):
        shopping(people=(NORA, NORA), **CHAT)


def test_people_are_part_of_a_task_file() -> None:
    task = shopping(people=(NORA,), **CHAT)
    assert Task(**task.to_json()).people == (NORA,)
