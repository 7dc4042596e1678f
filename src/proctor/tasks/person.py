"""People of a task: what they know, and what they say when they are asked."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from proctor.tasks.call import Call
from proctor.tasks.model import PlainModel, Text

QuestionKind = Literal["what", "time", "place", "count", "amount", "person", "manner", "whether"]
"""What a question asks for: which or what thing, when, where, how many, how much, who, how, or whether it is so."""


class Reply(PlainModel):
    """Something the simulated user knows, and says when asked for it."""

    about: Annotated[tuple[Text, ...], Field(min_length=1)]
    """What it is about: words and phrases, in any inflected form, each with its synonyms from
    `tasks/asking.toml`."""
    reply: Text
    kinds: tuple[QuestionKind, ...] = ()
    """Kinds of questions that it answers even if they do not name it; empty for any."""
    options: tuple[Text, ...] = ()
    """What a question may offer, including the right option: "a bunk or a single room?"."""
    right: tuple[Text, ...] = ()
    """The options that are right, so that the user can say yes or no."""
    verbs: tuple[Text, ...] = ()
    """What is done with it, as in `Ruling.acts`: "what should I book?" asks for it without naming it."""
    unless: tuple[Text, ...] = ()
    """Words that show that a question is about something else."""
    secret: bool = False
    """Whether it is told only if a question asks for it, never if one merely mentions it."""
    opens: tuple[Text, ...] = ()
    """What a secret opens; it is not told if the question is about opening something else."""
    undecided: Call | None = None
    """A check that holds as long as the question is open, if the reply decides between several things; asking after
    guessing does not count as having asked (`expect.asked_about`)."""
    asks_back: str = ""
    """What is asked first; empty to answer at once."""
    given: tuple[Text, ...] = ()
    """Words of which one answers that; in the first question they make it superfluous."""
    later: str = ""
    """What is said once they have changed their mind; in a chat or by email also to who had asked before."""
    changes_after: tuple[Text, ...] = ()
    """Events of the task after which they have changed their mind."""


class Ruling(PlainModel):
    """What the simulated user says to an offer to do something: "shall I ...?"."""

    acts: Annotated[tuple[Text, ...], Field(min_length=1)]
    """What is offered: kinds of acts by their names in `tasks/asking.toml`, or other phrases."""
    things: tuple[Text, ...] = ()
    """What it is done to, as in `Reply.about`; empty for anything."""
    unless: tuple[Text, ...] = ()
    """Words that show that it is a different act."""
    allowed: bool
    reply: Text
    """The reason or an alternative, in a sentence that also makes sense without a yes or no before it."""


class Matter(PlainModel):
    """Something that the user decides as soon as a question names it, however it is put."""

    name: Text
    about: Annotated[tuple[Text, ...], Field(min_length=1)]
    """Words and phrases that name it, in any inflected form."""
    reply: Text
    decided: Call
    """A check that holds once it was acted on; a question that comes later decides nothing."""


class User(PlainModel):
    """The simulated user behind the task."""

    matters: tuple[Matter, ...] = ()
    """What is decided by name; what a question names here is not looked for below."""

    replies: tuple[Reply, ...] = ()
    decisions: tuple[Ruling, ...] = ()
    """What the user allows and forbids; if both fit an offer, it is forbidden. The first that is allowed answers "how
    should I proceed?"."""
    otherwise: Text = "I don't know any more about that, sorry. Please go by what I asked for."
    """The answer to every other question."""
    answers: bool = True
    """Whether the user answers at all."""


class Respondent(PlainModel):
    """Somebody other than the user, who is asked in a chat or by email and answers there.

    Each fact is told at most three times; what was not understood is said so, and counts against nobody.
    """

    name: Text
    facts: Annotated[tuple[Reply, ...], Field(max_length=12)] = ()
    otherwise: Text = "Sorry, I don't know anything about that."
    """The answer to what they do not understand, or do not know."""
    chat: str = ""
    """What they are called in the chat; what is said to them privately, or with their name, is for them."""
    says_in: str = ""
    """Where they answer in the chat: a channel, or somebody's name."""
    mail: str = ""
    """Their address; every email to it is for them."""
    writes_to: str = ""
    """The account of the mail service to which they answer."""
    subject: Text = "Your question"
    """The subject of their emails."""
    answers: bool = True
    """Whether they answer at all."""
    actions: Annotated[int, Field(ge=0, le=1000)] = 0
    """How many actions later they answer."""
    seconds: Annotated[float, Field(ge=0, le=86_400)] = 0
    """How many seconds later, as events count them."""

    def as_user(self) -> User:
        """Return what they know as the rules that understand questions want it."""
        return User(replies=self.facts, otherwise=self.otherwise)
