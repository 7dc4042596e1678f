"""Checks on what somebody has been asked."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from proctor.tasks.dialogue import count_lost, follow
from proctor.tasks.findings import Finding, right, wrong
from proctor.tasks.person import Respondent
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS


@CHECKS.register
def person_heard(
    of: Seen,
    person: dict[str, JsonValue],
    about: str = "",
    stage: Literal["answers", "asks_back", "lost"] = "answers",
    at_least: Annotated[int, Field(ge=1)] = 1,
) -> Finding:
    """Somebody was asked so often for what they know, by what was said in a chat or sent by email.

    A person is written as in the `people` of a task. With `asks_back` they have to ask back for
    something first, with `lost` they do not understand.
    """
    who = Respondent(**person)  # type: ignore[arg-type]  # checked by its model
    messages = messages_to(of, who)
    if stage == "lost":
        count = count_lost(who, messages)
    else:
        progress = follow(who, next(fact for fact in who.facts if fact.about[0] == about), messages)
        count = progress.answered if stage == "answers" else progress.asked_back
    if count >= at_least:
        return right()
    return wrong(f"{who.name} was asked about {about or 'something else'} {count} times, expected {at_least}.")


def messages_to(seen: Seen, person: Respondent) -> list[str]:
    """Return what was said to somebody, in order: a whole chat, or all that was sent by email."""
    if "letters" in seen:
        letters = [each for each in seen["letters"] if person.mail.lower() in each["recipients"]]
        return [f"{each['subject']}. {each['own']}" for each in letters]
    nick = person.chat.lower()
    named = re.compile(rf"(?<![\w-]){re.escape(nick)}(?![\w-])", re.IGNORECASE)
    return [
        named.sub("", each["text"]).strip(" ,:;-@")
        for each in seen["entries"]
        if each["kind"] == "message" and (each["where"] == nick or named.search(each["text"]))
    ]
