"""The mailbox: which letter each event left there."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from email.utils import formataddr
from pathlib import PurePosixPath

from proctor.worlds.chance import chance, clock, exact, in_words
from proctor.worlds.model import Contact, Life, LifeEvent
from proctor.worlds.people.load import firms
from proctor.worlds.prose.banks import text, texts
from proctor.worlds.prose.speak import Speech, choose
from proctor.worlds.views import services
from proctor.worlds.views.desk import Enclosure, Mail
from proctor.worlds.views.draft import MailDraft
from proctor.worlds.views.phrase import letter, quote
from proctor.worlds.writers.ics import invitation

TYPES = {
    ".pdf": "application/pdf", ".odt": "application/vnd.oasis.opendocument.text",
    ".ods": "application/vnd.oasis.opendocument.spreadsheet",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document", ".md": "text/markdown",
    ".jpg": "image/jpeg",
}  # fmt: skip
QUOTES = 0.55
"""How many answers hold what they answer."""
FRESH = timedelta(days=45)
"""How long a letter stays in the inbox before it is filed."""


class Postbox:
    """Writes the mails of one life."""

    def __init__(self, life: Life, files: Mapping[str, bytes]) -> None:
        self.life = life
        self.files = files
        self.me = life.owner.contact
        self.known = {each.name: each for each in life.owner.contacts} | {self.me.name: self.me}
        self.events = {event.id: event for event in life.events}
        self.speech = Speech()
        self.texts: dict[str, str] = {}
        """What was written, by event, for those who answer it."""
        self.mails: dict[str, Mail] = {}

    def write(self) -> list[Mail]:
        """Return all mails in their order."""
        for event in self.life.events:
            if maker := _MAKERS.get(event.kind):
                draw = chance("mail", self.life.owner.key, self.life.seed, event.id)
                if mail := maker(self, event, draw):
                    self.mails[event.id] = mail
        return list(self.mails.values())

    def mail(self, event: LifeEvent, draft: MailDraft, draw: random.Random) -> Mail:
        """Return the mail of an event, filed where its owner files such."""
        cause = self._cause_mail(event)
        sender = self._head(draft.sender)
        return Mail(
            event=event.id, at=event.at, sender=sender, to=", ".join(map(self._head, draft.to)),
            cc=", ".join(map(self._head, draft.cc)),
            subject=f"Re: {draft.subject.removeprefix('Re: ')}" if cause and draft.answers else draft.subject,
            text=draft.text, folder=self._folder(event, draft), answers=cause if draft.answers else "",
            enclosures=tuple(map(self._enclose, draft.paths)) + draft.enclosures,
            read=draft.sender is self.me or event.at < clock(self.life.last,
            8) - timedelta(hours=15) and not (draft.automatic and draw.random() < 0.08),
            starred=draw.random() < 0.03, automatic=draft.automatic,
        )  # fmt: skip

    def letter_between(self, event: LifeEvent, who: Contact, to: Contact, matter: str, draw: random.Random) -> str:
        """Return a letter between two people, with what it answers below it now and then."""
        cause = self._cause_mail(event)
        body = letter(who, to, matter, self.speech, draw, first=not cause)
        self.texts[event.id] = body
        if cause and cause in self.texts and draw.random() < QUOTES:
            answered = self.mails[cause]
            name = answered.sender.partition(" <")[0].strip('"')
            body = f"{body}\n\n{quote(self.texts[cause], f'On {answered.at:%a, %d %b %Y at %H:%M}, {name} wrote:')}"
        return body

    def _cause_mail(self, event: LifeEvent) -> str:
        """Return the event whose mail this one answers, through events that left none."""
        cause = event.cause
        while cause and cause not in self.mails:
            cause = self.events[cause].cause if cause in self.events else ""
        return cause

    def _folder(self, event: LifeEvent, draft: MailDraft) -> str:
        if draft.sender is self.me:
            return "Sent"
        if self.life.last - event.at.date() < FRESH:
            return "INBOX"
        if event.kind == "news":
            return "Newsletters"
        if draft.automatic:
            return "Orders and bills"
        return f"Archives.{event.at.year}"

    def _enclose(self, path: str) -> Enclosure:
        name = PurePosixPath(path)
        return Enclosure(name.name, self.files[path], TYPES.get(name.suffix, "application/octet-stream"))

    def _head(self, who: Contact) -> str:
        return formataddr((who.name, who.address))


def _message(post: Postbox, event: LifeEvent, draw: random.Random) -> Mail:
    other = post.known[event.text("other")]
    who, to = (post.me, other) if event.facts["mine"] else (other, post.me)
    copies = tuple(post.known[name] for name in event.names("copies"))
    draft = MailDraft(
        who,
        (to,),
        event.text("subject"),
        post.letter_between(event, who, to, event.text("text"), draw),
        cc=copies,
        answers=bool(event.cause) and not event.facts["first"],
    )
    return post.mail(event, draft, draw)


def _session(post: Postbox, event: LifeEvent, draw: random.Random) -> Mail | None:
    if not event.facts["announced"]:
        return None
    host, people = post.known[event.text("host")], [post.known[name] for name in event.names("people")]
    to = tuple(each for each in [*people, post.me] if each is not host)
    start, end = event.moment("start"), event.moment("end")
    facts = {
        "title": event.text("title"),
        "day": in_words(start.date()),
        "from": f"{start:%H:%M}",
        "until": f"{end:%H:%M}",
        "place": event.text("place"),
    }
    agenda = "\n".join(f"- {point}" for point in event.names("agenda"))
    matter = post.speech.any_of(texts("meetings", "invite"), facts, draw)
    body = letter(host, to[0] if len(to) == 1 else _ALL, f"{matter}\n\n{agenda}", post.speech, draw)
    post.texts[event.id] = body
    guests = tuple((each.name, each.address) for each in to)
    card = invitation(
        event.id, start, end, event.text("title"), event.text("place"), (host.name, host.address), guests, event.at
    )
    draft = MailDraft(
        host,
        to,
        f"Invitation: {event.text('title')}, {in_words(start.date())}, {start:%H:%M}",
        body,
        enclosures=(Enclosure("invite.ics", card.encode(), "text/calendar"),),
    )
    return post.mail(event, draft, draw)


def _answer(post: Postbox, event: LifeEvent, draw: random.Random) -> Mail:
    session = post.events[event.cause]
    host = post.known[session.text("host")]
    matter = post.speech.any_of(texts("meetings", "accept"), {"title": session.text("title")}, draw)
    return post.mail(
        event,
        MailDraft(
            post.me,
            (host,),
            f"Invitation: {session.text('title')}, {in_words(session.moment('start').date())}, "
            f"{session.moment('start'):%H:%M}",
            post.letter_between(event, post.me, host, matter, draw),
            answers=True,
        ),
        draw,
    )


def _change_mail(post: Postbox, event: LifeEvent, draw: random.Random) -> Mail:
    session = post.events[event.cause]
    host = post.known[session.text("host")]
    people = [post.known[name] for name in session.names("people")]
    old, new = session.moment("start"), event.moment("start") if "start" in event.facts else session.moment("start")
    later = event.kind == "session.later"
    who = post.me if later else host
    to = (host,) if later and host is not post.me else tuple(each for each in [*people, post.me] if each is not who)
    facts = {
        "title": session.text("title"),
        "old": f"{in_words(old.date())}, {old:%H:%M}",
        "day": in_words(new.date()),
        "time": f"{new:%H:%M}",
        "reason": event.text("reason"),
    }
    part = {"session.moved": "moved", "session.off": "off", "session.later": "later"}[event.kind]
    matter = post.speech.any_of(texts("meetings", part), facts, draw)
    subject = {
        "session.moved": f"New time: {session.text('title')}",
        "session.off": f"Cancelled: {session.text('title')}",
    }.get(event.kind, f"Re: {session.text('title')}")
    body = letter(who, to[0] if len(to) == 1 else _ALL, matter, post.speech, draw)
    enclosures: tuple[Enclosure, ...] = ()
    if event.kind != "session.off":
        guests = tuple((each.name, each.address) for each in to)
        card = invitation(
            session.id,
            new,
            event.moment("end"),
            session.text("title"),
            session.text("place"),
            (who.name, who.address),
            guests,
            event.at,
            1,
        )
        enclosures = (Enclosure("invite.ics", card.encode(), "text/calendar"),)
    return post.mail(
        event, MailDraft(who, to, subject, body, enclosures=enclosures, answers=bool(session.facts["announced"])), draw
    )


def _minutes(post: Postbox, event: LifeEvent, draw: random.Random) -> Mail:
    session = post.events[event.cause]
    writer = post.known[event.text("writer")]
    to = tuple(
        each for each in [*(post.known[name] for name in session.names("people")), post.me] if each is not writer
    )
    facts = {"title": session.text("title"), "day": in_words(event.moment("start").date())}
    matter = post.speech.any_of(texts("meetings", "minutes"), facts, draw)
    body = letter(writer, to[0] if len(to) == 1 else _ALL, matter, post.speech, draw)
    return post.mail(
        event,
        MailDraft(
            writer,
            to,
            f"Minutes: {session.text('title')}, {event.moment('start').date():%d.%m.%Y}",
            body,
            paths=(event.text("path"),),
        ),
        draw,
    )


def _expense(post: Postbox, event: LifeEvent, draw: random.Random) -> Mail:
    other = post.known[event.text("to")]
    paid = event.kind == "expense.paid"
    facts = {"trip": event.text("trip"), "total": exact(event.number("total"))}
    matter = post.speech.say(text("service", "expense", "paid" if paid else "text"), facts, draw)
    who, to = (other, post.me) if paid else (post.me, other)
    paths = () if paid else (event.text("path"),)
    return post.mail(
        event,
        MailDraft(
            who,
            (to,),
            f"Expenses {facts['trip']}",
            post.letter_between(event, who, to, matter, draw),
            paths=paths,
            answers=paid,
        ),
        draw,
    )


def _offer(post: Postbox, event: LifeEvent, draw: random.Random) -> Mail:
    to = post.known[event.text("to")]
    facts = {"what": event.text("what"), "number": event.text("invoice"), "total": exact(event.number("total"))}
    matter = post.speech.any_of(texts("meetings", event.kind), facts, draw)
    return post.mail(
        event,
        MailDraft(
            post.me,
            (to,),
            f"{event.kind.title()} {facts['number']}: {facts['what']}",
            post.letter_between(event, post.me, to, matter, draw),
            paths=(event.text("path"),),
        ),
        draw,
    )


def _outing_mail(post: Postbox, event: LifeEvent, draw: random.Random) -> Mail:
    people = [post.known[name] for name in event.names("people")]
    start = event.moment("start")
    facts = {"place": event.text("place"), "day": in_words(start.date()), "time": f"{start:%H:%M}"}
    matter = post.speech.any_of(texts("meetings", "outing"), facts, draw)
    who, to = (post.me, tuple(people)) if draw.random() < 0.5 else (people[0], (post.me, people[1]))
    body = letter(who, _ALL if len(to) > 1 else to[0], matter, post.speech, draw)
    return post.mail(
        event,
        MailDraft(
            who,
            to,
            choose(f"[{event.text('place').removeprefix('the ').capitalize()}|Out] on {in_words(start.date())}", draw),
            body,
        ),
        draw,
    )


def _by_machine(post: Postbox, event: LifeEvent, draw: random.Random) -> Mail:
    return post.mail(event, services.draft(event, post.life, draw, post.speech), draw)


def _statement(post: Postbox, event: LifeEvent, draw: random.Random) -> Mail:
    month = event.facts["month"]
    assert isinstance(month, date)
    return post.mail(event, services.statement(event, post.life, month), draw)


_ALL = Contact("all", "", "all", firms()["Packhof"].habits)
_MAKERS: dict[str, Callable[[Postbox, LifeEvent, random.Random], Mail | None]] = {
    "message": _message, "session": _session, "session.answer": _answer, "session.moved": _change_mail,
    "session.off": _change_mail, "session.later": _change_mail,
    "minutes": _minutes, "expense": _expense, "expense.paid": _expense, "offer": _offer, "invoice": _offer,
    "outing": _outing_mail,
    "statement": _statement, **dict.fromkeys(services.KINDS, _by_machine),
}  # fmt: skip
