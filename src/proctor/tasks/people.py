"""People as events: each answer is one, and is due once the question has come."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from proctor.errors import UnknownName
from proctor.tasks.call import Call, DataPath
from proctor.tasks.events import Event, When
from proctor.tasks.person import Reply, Respondent
from proctor.tasks.shelf import Problem

TIMES = 3
"""How often somebody tells the same, or says that they do not understand."""


def people_events(people: Sequence[Respondent]) -> list[Event]:
    """Return all that people may say, in the order in which it is said where it is due at once."""
    return [event for person in people if person.answers for event in _events_of(person)]


def people_problems(people: Sequence[Respondent], events: Sequence[Event], setup: Sequence[Call]) -> Iterator[Problem]:
    """Yield what is wrong with the people of a task, whom its setup must bring into the chat."""
    names = {event.name for event in events}
    nicks = {nick for channel in _entries_of(setup, "chat_server", "channels") for nick in channel.get("people", ())}
    accounts = {str(account.get("address", "")) for account in _entries_of(setup, "mail_service", "accounts")}
    seen: set[str] = set()
    for place, person in enumerate(people):
        at = ("people", place)
        if person.name in seen:
            yield Problem((*at, "name"), f"there are two people called {person.name!r}; give one another name")
        seen.add(person.name)
        if bool(person.chat) != bool(person.says_in) or bool(person.mail) != bool(person.writes_to):
            said = "give 'chat' and 'says_in', or 'mail' and 'writes_to'"
            yield Problem(at, f"where {person.name!r} is asked and where they answer belong together; {said}")
        elif not person.chat and not person.mail:
            yield Problem(at, f"nobody can ask {person.name!r}; give 'chat' and 'says_in', or 'mail' and 'writes_to'")
        for field, name, what, known in (
            ("chat", person.chat, "person in the chat", nicks),
            ("writes_to", person.writes_to, "account of the mail service", accounts),
        ):
            if name and name not in known:
                error = UnknownName(what, name, known)
                yield Problem((*at, field), f"{error.message}; {error.remedy}")
        for number, fact in enumerate(person.facts):
            yield from fact_problems(fact, (*at, "facts", number), names)


def _entries_of(setup: Sequence[Call], step: str, field: str) -> list[Mapping[str, Collection[str]]]:
    """Return what a setup step lists; what is wrong with the step itself is said elsewhere."""
    found = [entry for call in setup if call.name == step for entry in call.arguments.get(field) or ()]
    return [entry for entry in found if isinstance(entry, Mapping)]


def fact_problems(fact: Reply, at: DataPath, names: Collection[str]) -> Iterator[Problem]:
    """Yield what is wrong with what somebody knows, in a task with events of these names."""
    if bool(fact.asks_back) != bool(fact.given):
        yield Problem(at, "'asks_back' is a question and 'given' its answers; give both or neither")
    if bool(fact.later) != bool(fact.changes_after):
        yield Problem(at, "'later' is said after the events of 'changes_after'; give both or neither")
    for place, name in enumerate(fact.changes_after):
        if name not in names:
            error = UnknownName("event", name, names)
            yield Problem((*at, "changes_after", place), f"{error.message}; {error.remedy}")


def _events_of(person: Respondent) -> Iterator[Event]:
    for fact in person.facts:
        about = fact.about[0]
        if fact.asks_back:
            yield from _series(person, f"asks back about {about}", fact.asks_back, about, "asks_back")
        over = When(after=fact.changes_after) if fact.later else None
        yield from _series(person, f"tells {about}", fact.reply, about, "answers", until=over)
        if fact.later:
            yield from _series(person, f"tells {about} anew", fact.later, about, "answers", fact.changes_after)
    yield from _series(person, "does not understand", person.otherwise, "", "lost")


def _series(
    person: Respondent,
    what: str,
    said: str,
    about: str,
    stage: str,
    after: tuple[str, ...] = (),
    until: When | None = None,
) -> Iterator[Event]:
    """Yield what is said once, and once more whenever it is asked again."""
    names = [f"{person.name} {what}{f' ({number})' if number > 1 else ''}" for number in range(1, TIMES + 1)]
    for number, name in enumerate(names, 1):
        before = names[number - 2 : number - 1] if number > 1 else []
        when = When(
            check=_heard_check(person, about, stage, number),
            after=(*after, *before),
            actions=person.actions,
            seconds=person.seconds,
        )
        yield Event(name=name, do=tuple(_say(person, said)), when=when, until=until)


def _heard_check(person: Respondent, about: str, stage: str, number: int) -> Call:
    """Return the check that they have been asked so often, wherever they can be."""
    told = person.model_dump(mode="json", exclude_defaults=True)
    where = [name for name, there in (("chat_log", person.chat), ("posted_mail", person.mail)) if there]
    arguments = {"person": told, "about": about, "stage": stage, "at_least": number}
    checks = [Call("check", "person_heard", {"of": Call("probe", name), **arguments}) for name in where]
    return checks[0] if len(checks) == 1 else Call("check", "any_of", {"of": checks})


def _say(person: Respondent, text: str) -> Iterator[Call]:
    if person.chat:
        yield Call("setup", "chat_say", {"messages": [{"who": person.chat, "to": person.says_in, "text": text}]})
    if person.mail:
        letter = {
            "from": f"{person.name} <{person.mail}>",
            "to": person.writes_to,
            "subject": f"Re: {person.subject}",
            "text": text,
            "read": False,
        }
        yield Call("setup", "mail_delivered", {"address": person.writes_to, "letters": [letter]})
