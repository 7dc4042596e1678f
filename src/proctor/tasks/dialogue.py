"""What somebody makes of messages: which facts they ask for, and how far each has come."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

from proctor.tasks.person import Reply, Respondent
from proctor.tasks.topics import is_about
from proctor.tasks.user import SimulatedUser

MOST_MESSAGES = 100
"""Messages to one person that are read; later ones are not answered."""
MOST_MESSAGE = 2_000
"""Characters of a message that are read."""


@dataclass(frozen=True)
class FactProgress:
    """How often what became of one fact, by the messages so far."""

    answered: int = 0
    """How often it was asked for, with all that they want to know first."""
    asked_back: int = 0


def follow(person: Respondent, fact: Reply, messages: Sequence[str]) -> FactProgress:
    """Return how far a fact has come: the same messages always lead to the same."""
    answered = asked_back = 0
    waiting = False
    for message in messages[:MOST_MESSAGES]:
        asks = fact.about[0] in facts_in(person, message)
        if not asks and not waiting:
            continue
        if not fact.asks_back or _gives(fact, message):
            answered, waiting = answered + 1, False
        elif asks:
            asked_back, waiting = asked_back + 1, True
    return FactProgress(answered, asked_back)


def count_lost(person: Respondent, messages: Sequence[str]) -> int:
    """Return how many messages they do not understand."""
    return sum(
        not facts_in(person, message) and not any(_gives(fact, message) for fact in person.facts)
        for message in messages[:MOST_MESSAGES]
    )


@functools.lru_cache(maxsize=2048)
def facts_in(person: Respondent, message: str) -> frozenset[str]:
    """Return which facts a message asks for, by the first word of what each is about."""
    meant = (
        SimulatedUser(person.as_user(), instruction=f"{person.name} {person.chat}").answer(message[:MOST_MESSAGE]).meant
    )
    return frozenset(each.about[0] for each in meant if isinstance(each, Reply))


def _gives(fact: Reply, message: str) -> bool:
    return bool(fact.given) and is_about(message[:MOST_MESSAGE], fact.given)
