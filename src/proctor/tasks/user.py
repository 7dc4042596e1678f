"""The simulated user: answers what is asked, the same way each time, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from proctor.errors import Overrun
from proctor.tasks.deadline import Deadline
from proctor.tasks.examine import examine, looker
from proctor.tasks.look_safely import look_safely
from proctor.tasks.person import Matter, Reply, Ruling, User
from proctor.tasks.probe_context import ProbeContext, UserExchange
from proctor.tasks.question import QuestionClause, read_question
from proctor.tasks.topics import is_about, is_named
from proctor.tasks.understand import (
    asks_for,
    concerns,
    goes_by_kind,
    goes_on,
    is_content,
    is_situation,
    leaves_open,
    offers,
    words_of,
)

if TYPE_CHECKING:
    from proctor.computers.computer import Computer

MOST_QUESTIONS = 20
"""Questions to the user in one episode; more are not answered."""
LOOK_SEC = 5.0
"""How long it may take to see whether a question is still open."""
UNCLEAR = "I'm not sure what you're asking. What would you like to know?"
"""The answer to what is no question."""
NO_PREFERENCE = "I have no preference there. Go about it as you like, as long as it comes out as I asked."
"""The answer to a question about how the agent goes about it."""
SILENCE = "(no answer)"
_FOR_FACTS = frozenset({"what", "time", "place", "count", "amount", "person"})


@dataclass
class UserAnswer:
    """What a question is answered: in whole sentences, and which of what the user can say they are."""

    said: list[str] = field(default_factory=list)
    meant: list[Reply | Ruling | Matter] = field(default_factory=list)

    def add(self, said: str, *meant: Reply | Ruling | Matter) -> None:
        """Add a sentence, once, and what it is said for."""
        if said not in self.said:
            self.said.append(said)
        self.meant += [each for each in meant if each not in self.meant]


class SimulatedUser:
    """Answers questions and remembers them, and whether they came in time."""

    def __init__(self, user: User, computer: Computer | None = None, instruction: str = "") -> None:
        self._user, self._computer = user, computer
        self.otherwise = user.otherwise
        # What somebody knows besides is no strange word in a question about one thing.
        self._known = words_of(" ".join((instruction, *(word for reply in user.replies for word in reply.about))))
        self.asked: list[UserExchange] = []
        self.happened: Callable[[], Collection[str]] = tuple
        """Returns the names of the events that have happened, after which the user may think otherwise."""
        self._asked_back: list[Reply] = []

    def ask(self, question: str) -> str:
        """Return what the user says to all that a question asks.

        Raises ComputerError where it must be looked at whether the question is still open, and cannot be.
        """
        answer = self._hold_back(question, self.answer(question)) if self._user.answers else UserAnswer([SILENCE])
        decided = [each for each in answer.meant if isinstance(each, Reply | Matter) and self._is_decided(each)]
        late = bool(decided)
        facts = tuple(each.about[0] for each in answer.meant if isinstance(each, Reply))
        about = (*facts, *(each.name for each in answer.meant if isinstance(each, Matter) and each not in decided))
        reply = " ".join(answer.said)
        self.asked.append(UserExchange(question, reply, late=late, about=about))
        return reply

    def _hold_back(self, question: str, answer: UserAnswer) -> UserAnswer:
        """Return what is said by somebody who may ask back first, or think otherwise by now."""
        facts = [each for each in answer.meant if isinstance(each, Reply)]
        vague = [fact for fact in facts if fact.asks_back and not is_about(question, fact.given)]
        known = [fact for fact in self._asked_back if fact not in facts and is_about(question, fact.given)]
        self._asked_back += vague
        said = answer.said if answer.meant or not known else []
        for fact in facts:
            now = fact.asks_back if fact in vague else self._current(fact)
            said = [now if now != fact.reply and each.endswith(fact.reply) else each for each in said]
        told = [self._current(fact) for fact in known]
        return UserAnswer([*said, *told], [*(each for each in answer.meant if each not in vague), *known])

    def _current(self, fact: Reply) -> str:
        """Return what the user thinks by now."""
        return fact.later if fact.later and set(fact.changes_after) <= set(self.happened()) else fact.reply

    def answer(self, question: str) -> UserAnswer:
        """Return what this user says to a question."""
        answer = UserAnswer()
        for matter in self._user.matters:
            if is_named(question, matter.about):
                answer.add(matter.reply, matter)
        if answer.said:
            return answer
        asked = read_question(question)
        open_end = False
        for each in asked:
            open_end |= not self._add(answer, each) and each.kind in _FOR_FACTS
        if not answer.said:
            answer.add(self._at_a_loss(asked))
        elif open_end:
            answer.add(self.otherwise)
        return answer

    def _add(self, answer: UserAnswer, asked: QuestionClause) -> bool:
        """Add what answers a clause; False where nothing does."""
        decided = self._decisions_about(asked)
        plain = len({decision.allowed for decision in decided}) == 1 and asked.kind in {"act", "other", "whether"}
        for decision in decided:
            answer.add(_yes_or_no(decision, unwelcome=asked.unwelcome) if plain else decision.reply, decision)
        replies = () if decided else self._user.replies
        facts = [reply for reply in replies if asks_for(asked, reply, self._known)]
        facts = facts or [reply for reply in replies if goes_by_kind(asked, reply, self._known)][:1]
        for fact in facts:
            answer.add(_with_yes_or_no(asked, fact), fact)
        return bool(decided or facts)

    def _decisions_about(self, asked: QuestionClause) -> list[Ruling]:
        """Return what was decided about an offer, or about how to go on."""
        if asked.kind not in {"act", "other", "advice", "said"}:
            return []
        found = [decision for part in asked.parts if (decision := self._decision_about(part, asked)) is not None]
        yes = [decision for decision in self._user.decisions if decision.allowed][:1]
        if not found and asked.kind == "act" and any(map(goes_on, asked.parts or ((),))):
            # "Shall I go on?" is about what was said before.
            before = self._decision_about(asked.aside, asked)
            found = yes if before is None else [before]
        if not found and asked.kind in {"advice", "said"}:
            found = [decision for decision in yes if is_situation(asked, decision)]
        return list(dict.fromkeys(found))

    def _decision_about(self, part: tuple[str, ...], asked: QuestionClause) -> Ruling | None:
        """Return what was decided about an act: what is forbidden comes before what is allowed."""
        found = [each for each in self._user.decisions if concerns(part, each, asked.aside, self._known)]
        return min(found, key=lambda each: each.allowed, default=None)

    def _at_a_loss(self, asked: list[QuestionClause]) -> str:
        """Return what is said to a question that nothing is known about."""
        if not any(is_content((*each.words, *each.aside)) or each.kind not in {"said", "other"} for each in asked):
            return UNCLEAR
        return NO_PREFERENCE if any(map(leaves_open, asked)) else self.otherwise

    def _is_decided(self, reply: Reply | Matter) -> bool:
        """Tell whether the agent has done already what it asks about.

        What it left may take too long to look at; then nobody can say that the question is still open.
        """
        check = reply.decided if isinstance(reply, Matter) else reply.undecided
        if check is None or self._computer is None:
            return False
        deadline, seen = Deadline(LOOK_SEC), dict[str, object]()
        look = looker(ProbeContext(self._computer, history=tuple(self._computer.history), deadline=deadline), seen)
        found = examine(check, look_safely(look, seen, _raise_all_but_overruns), deadline)
        return found.score > 0 if isinstance(reply, Matter) else not found.passed


def _raise_all_but_overruns(error: Exception) -> None:
    if not isinstance(error, Overrun):
        raise error


def _with_yes_or_no(asked: QuestionClause, reply: Reply) -> str:
    """Return what is said to a clause, with yes or no where it offers what is right or wrong."""
    right, wrong = offers(asked, reply)
    if asked.kind not in {"act", "whether", "other"} or right == wrong:
        return reply.reply
    return f"{'Yes' if right else 'No'}. {reply.reply}"


def _yes_or_no(decision: Ruling, *, unwelcome: bool) -> str:
    if unwelcome:
        return f"{'Not at all' if decision.allowed else 'Yes, I would'}. {decision.reply}"
    return f"{'Yes' if decision.allowed else 'No'}. {decision.reply}"
