"""What an instruction says: subtasks, what with, and which of them depends on which.

Only the text is read, with the wordings of the subtasks it may ask for; the graph it was written from is never seen.
A subtask depends on another when it refers to something that the other makes, or when a connective puts it later.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from proctor.graphs.compose.resource import kind_of
from proctor.graphs.compose.subtask import Subtask
from proctor.graphs.language import connectives
from proctor.graphs.language.apps import app_before
from proctor.graphs.language.connectives import AFTER, AND_AFTER, FRAME, JOINER, LEAD, NEXT_SENTENCE, Link
from proctor.graphs.language.phrases import Filled, Placeholder, Wording, asks, steps
from proctor.graphs.language.references import Discourse, Thing, unquote

_NUMBER = re.compile(r'"[^"]*"|“[^”]*”|\n(\d{1,4})\. ')
"""The number of a part; what stands in quotes may look like one."""
_WAITS = re.compile(r"\(after ([\d, and]+)\) ")
_WORD = re.compile(r"\w*")
MOST_CHARACTERS = 50_000
"""Longer texts are not read to the end; no instruction is that long."""


@dataclass(frozen=True, kw_only=True)
class Clause:
    """A part of the text that asks for one subtask."""

    subtask: str
    text: str
    takes: Mapping[str, Thing]
    gives: Mapping[str, Thing]
    params: Mapping[str, str]
    app: str = ""
    """The application in which the text says that it is done, apart from what its wording says."""

    def says(self, slot: str) -> str | None:
        """Return the name or value that the text gives for a placeholder, here or by reference."""
        thing = self.takes.get(slot) or self.gives.get(slot)
        return thing.value if thing else self.params.get(slot)


@dataclass(kw_only=True)
class Inference:
    """All that could be read from a text."""

    clauses: list[Clause] = field(default_factory=list)
    told: set[tuple[int, int]] = field(default_factory=set)
    """Pairs of clauses that a connective puts in order."""
    unread: list[str] = field(default_factory=list)
    """Passages that ask for no known subtask."""
    unclear: list[str] = field(default_factory=list)
    """Phrases of which it cannot be told what they refer to."""

    @property
    def dependencies(self) -> frozenset[tuple[int, int]]:
        """Pairs of clauses, by number: the second depends on the first or has to come after it."""
        shared = {
            (thing.giver, number)
            for number, clause in enumerate(self.clauses)
            for thing in clause.takes.values()
            if thing.giver is not None and thing.giver != number
        }
        return frozenset(shared | self.told)


def infer(text: str, subtasks: Iterable[Subtask]) -> Inference:
    """Read an instruction that asks for some of these subtasks."""
    text = text[:MOST_CHARACTERS].strip()
    reader = _Reader(list(subtasks))
    head, *parts = _split_at_numbers(text)
    if parts:
        reader.read_parts(head, parts)
    else:
        reader.read_prose(text)
    return reader.found


def _split_at_numbers(text: str) -> list[str]:
    """Return what stands before the first number and after each, while lines are numbered in order."""
    found: list[str] = []
    start = 0
    for match in _NUMBER.finditer(text):
        if match[1] == str(len(found) + 1):
            found.append(text[start : match.start()])
            start = match.end()
    return [*found, text[start:]]


class _Reader:
    def __init__(self, subtasks: list[Subtask]) -> None:
        self.subtasks = {subtask.name: subtask for subtask in subtasks}
        self.found = Inference()
        self.discourse = Discourse()
        self.sentence: list[int] = []
        """The clauses of the sentence being read."""
        self.before: list[int] = []
        """The clauses of the sentence before."""

    # Prose.

    def read_prose(self, text: str) -> None:
        by_word: dict[str, list[Wording]] = {}
        for subtask in self.subtasks.values():
            for wording in asks(subtask):
                by_word.setdefault(wording.first_word, []).append(wording)
        place = 0
        while place < len(text):
            frame = FRAME.match(text, place)
            if frame:
                place = _past_space(text, frame.end())
                continue
            end = self._read_sentence(text, place, by_word)
            if end is None:
                following = NEXT_SENTENCE.search(text, place)
                end = following.start() + 1 if following else len(text)
                self.found.unread.append(text[place:end].strip())
            self.before, self.sentence = self.sentence or self.before, []
            place = _past_space(text, end)

    def _read_sentence(self, text: str, place: int, by_word: Mapping[str, list[Wording]]) -> int | None:
        """Read clauses up to a full stop; return where the next sentence begins, None if not understood."""
        waits: list[int] = []
        while text.startswith(AFTER if not waits else AND_AFTER, place):
            found = self._clause_at(text, place + len(AFTER if not waits else AND_AFTER), by_word)
            named = self._earlier_clause(found) if found else None
            if found is None or named is None:
                return None
            waits.append(named)
            place = found.end
        lead = LEAD.match(text, place)
        link: Link = connectives.LEAD_LINKS[lead.group()] if lead else "plain"
        place = lead.end() if lead else place + 2 * bool(waits)
        while True:
            found = self._clause_at(text, place, by_word)
            if found is None:
                return None
            self._say(found, self._scope(link) + waits)
            place, waits = found.end, []
            joiner = JOINER.match(text, place)
            if joiner is None:
                return place + 1 if text.startswith(".", place) else place if place == len(text) else None
            link, place = connectives.JOINER_LINKS[joiner.group()], joiner.end()

    def _scope(self, link: Link) -> list[int]:
        if link == "then":
            return self.sentence or self.before
        return list(range(len(self.found.clauses))) if link == "all" else []

    def _clause_at(self, text: str, place: int, by_word: Mapping[str, list[Wording]]) -> Filled | None:
        app, place = app_before(text, place)
        word = _WORD.match(text, place)
        listed = by_word.get(word.group().lower() if word else "", ())
        best = self._best([found for wording in listed if (found := wording.match(text, place))])
        return replace(best, app=app) if best and app else best

    def _best(self, fitting: list[Filled]) -> Filled | None:
        """Return the wording that says the most, if possible one whose phrases can be understood."""
        if len(fitting) < 2:
            return fitting[0] if fitting else None
        return max(fitting, key=lambda found: (self._understand(found), found.wording.weight))

    def _understand(self, found: Filled) -> bool:
        self.discourse.turn += 1
        clear = all(self._clear(part, phrase) for part, phrase in found)
        self.discourse.turn -= 1
        return clear

    def _clear(self, part: Placeholder, phrase: str) -> bool:
        if part.role == "take":
            return self.discourse.denotation(phrase, part.kind) is not None
        if part.role == "give":
            return part.is_called(phrase) if part.single else self.discourse.may_name(phrase, part.kind)
        return True

    # Parts with numbers.

    def read_parts(self, head: str, parts: list[str]) -> None:
        in_order = head in connectives.IN_ORDER
        if not in_order and head not in connectives.IN_ANY_ORDER:
            self.found.unread.append(head)
        listed = [steps(subtask) for subtask in self.subtasks.values()]
        for line, part in enumerate(parts):
            waits = _WAITS.match(part)
            app, place = app_before(part, waits.end() if waits else 0)
            body = part[place:]
            fitting = [filled for wording in listed if (filled := wording.match(body))]
            found = self._best([filled for filled in fitting if filled.end == len(body)])
            if found is None:
                # The numbers of later parts would no longer be those of their clauses.
                self.found.unread += parts[line:]
                return
            found = replace(found, app=app)
            first = [int(number) - 1 for number in re.findall(r"\d{1,4}", waits[1])] if waits else []
            self._say(found, [line - 1] if in_order and line else first)
        clauses = range(len(parts))
        self.found.told = {(one, other) for one, other in self.found.told if one in clauses and one != other}

    # Clauses.

    def _say(self, found: Filled, after: list[int]) -> None:
        number = self.discourse.begin()
        wording = found.wording
        subtask = self.subtasks[wording.subtask]
        takes: dict[str, Thing] = {}
        gives: dict[str, Thing] = {}
        params: dict[str, str] = {}
        for slot, kind in subtask.takes.items():
            if slot not in wording.slots and kind_of(kind).slot:
                takes[slot] = self.discourse.single(kind)
        for part, phrase in found:
            if part.role == "param":
                if params.setdefault(part.slot, unquote(phrase)) != unquote(phrase):
                    self.found.unclear.append(phrase)
            elif part.role == "take":
                self._take(part, phrase, takes)
            elif part.slot not in gives:
                name = None if part.single else self.discourse.name_in(phrase)
                gives[part.slot] = self.discourse.give(part.kind, name)
                if not self._clear(part, phrase):
                    self.found.unclear.append(phrase)
        for slot, kind in subtask.gives.items():
            if slot not in gives:
                gives[slot] = self.discourse.give(kind, None)
        clause = Clause(
            subtask=wording.subtask, text=found.text, takes=takes, gives=gives, params=params, app=found.app
        )
        self.found.clauses.append(clause)
        self.found.told |= {(first, number) for first in after}
        self.sentence.append(number)

    def _take(self, part: Placeholder, phrase: str, takes: dict[str, Thing]) -> None:
        thing = self.discourse.denotation(phrase, part.kind)
        if thing is None or takes.get(part.slot, thing) is not thing:
            self.found.unclear.append(phrase)
        else:
            self.discourse.mention(thing, phrase)
            takes[part.slot] = thing

    def _earlier_clause(self, found: Filled) -> int | None:
        """Return the number of the only clause that asked for the same thing."""
        said = {
            part.slot: unquote(phrase) if part.role == "param" else self.discourse.name_in(phrase)
            for part, phrase in found
            if not part.single
        }
        same = [
            number
            for number, clause in enumerate(self.found.clauses)
            if clause.subtask == found.wording.subtask
            and all(clause.says(slot) == value for slot, value in said.items())
        ]
        return same[0] if len(same) == 1 else None


def _past_space(text: str, place: int) -> int:
    while place < len(text) and text[place].isspace():
        place += 1
    return place
