"""Put a composition into words.

A request as somebody would write it, or numbered parts step by step.

The presentation follows some order that the graph admits. Dependencies are said by referring to what an earlier clause
makes, and by connectives where these are true; parallel branches are joined by words that put them in no order. Every
text is read back by the validator before it is handed out, and another is written where it could be misunderstood.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Literal

from proctor.errors import SpecError
from proctor.graphs.compose.composition import Composition
from proctor.graphs.compose.resource import kind_of
from proctor.graphs.compose.subtask import Subtask
from proctor.graphs.language import connectives
from proctor.graphs.language.apps import app_name, inside
from proctor.graphs.language.clauses import Speaker, lone_clause
from proctor.graphs.language.connectives import AFTER, AND_AFTER, JOINERS, LAST, LEADS, REGISTERS, Link, Register
from proctor.graphs.language.phrases import Wording, fullest, least_words, shortest, steps
from proctor.graphs.language.validate import WordingFault, validate

Style = Literal["high", "low"]
TRIES = 12
"""How many texts are written before a composition is refused."""
FEW_WORDS, WORDS_BESIDES, MORE_WORDS = 9, 8, 1.2
"""What is more than a few words for each subtask is put tersely; others take more, and some words around them."""
MOST_WORDS = 140
"""Longer requests are not written."""
MOST_CLAUSES = 3
"""In one sentence."""


class Unsaid(SpecError):
    """A composition cannot be put into words that say exactly what is meant, or not in so few."""


def realise(
    composition: Composition,
    subtasks: Mapping[str, Subtask],
    *,
    style: Style = "high",
    variant: int = 0,
    unlike: Sequence[str] = (),
) -> str:
    """Return the instruction of a composition; the same for the same arguments.

    Args:
        composition: What is to be done.
        subtasks: The pool, by name.
        style: `high` for a request, `low` for steps.
        variant: Which paraphrase; others mean the same in another order and other words.
        unlike: Texts that it must not be the same as, if there is another way to say it.

    Raises:
        Unsaid: The wordings do not allow a text that says exactly what is meant.
    """
    if composition.words and style == "high" and not variant:
        return composition.words
    faults: list[WordingFault] = []
    known = ""
    for attempt in range(TRIES):
        text = draft(composition, subtasks, style=style, variant=variant, attempt=attempt)
        # A graph that somebody has drawn by hand may be as long as it is.
        if composition.goal and style == "high" and (words := len(text.split())) > MOST_WORDS:
            faults = [WordingFault("length", f"{words} words")]
            continue
        faults = validate(composition, subtasks, text)
        if not faults and text not in unlike:
            return text
        known = known or ("" if faults else text)
    if known:
        return known
    raise Unsaid(
        f"composition {composition.seed} cannot be put into words: {faults[0]}",
        remedy="give its subtasks wordings that name every resource and parameter and differ from one another",
    )


def steps_of(composition: Composition, subtasks: Mapping[str, Subtask]) -> dict[str, str]:
    """Return what each node asks for, by its id and in an order that the graph admits."""
    random = Random(f"{composition.seed}/steps")
    writer = _Writer(composition, subtasks, random, REGISTERS["terse"], plain=True)
    return {node: writer.step(node) for node in writer.order}


def draft(
    composition: Composition, subtasks: Mapping[str, Subtask], *, style: Style, variant: int, attempt: int
) -> str:
    """Return a text that nobody has read back yet; later attempts are plainer."""
    random = Random(f"{composition.seed}/{style}/{variant}/{attempt}")
    # What did not come out well is put in as few words as will do.
    register = _register(composition, subtasks, random) if attempt < 2 else REGISTERS["terse"]
    writer = _Writer(composition, subtasks, random, register, plain=attempt > TRIES // 2)
    return writer.prose() if style == "high" else writer.parts()


def _register(composition: Composition, subtasks: Mapping[str, Subtask], random: Random) -> Register:
    """Choose how to put it: whatever would take too many words is put tersely."""
    words = sum(least_words(subtasks[node.subtask]) for node in composition.nodes)
    talkative = WORDS_BESIDES + MORE_WORDS * words <= FEW_WORDS * (len(composition.nodes) + 1)
    return REGISTERS[random.choice(list(REGISTERS)) if talkative else "terse"]


@dataclass(frozen=True, slots=True)
class _Join:
    link: Link
    scope: tuple[str, ...] = ()
    """The nodes that it puts before the next one."""
    joined: bool = False
    """Whether in the same sentence."""
    again: bool = False
    """Whether the nodes of the scope are named again."""


class _Writer:
    def __init__(
        self,
        composition: Composition,
        subtasks: Mapping[str, Subtask],
        random: Random,
        register: Register,
        *,
        plain: bool,
    ) -> None:
        self.register = register
        self.composition, self.subtasks, self.random, self.plain = composition, subtasks, random, plain
        self.gates = composition.gates
        self.nodes = {node.id: node for node in composition.nodes}
        self.sources: dict[str, list[str]] = {node: [] for node in self.nodes}
        """For each node, those that give what it takes."""
        for binding in composition.bindings:
            self.sources[binding.consumer].append(binding.producer)
        self.speaker = Speaker(composition, subtasks, random)
        self.speaker.bare = register.bare
        self.apps: set[str] = set()
        """The applications that the text has named."""
        self.order = self._order()
        self.told: dict[str, int] = {}
        """Of each node presented, the nodes that the text has put before it, as bits."""
        self.loose = False
        """Whether a sentence follows another without a word on their order."""
        self.used: list[str] = []
        """The leads and joiners so far."""

    def _order(self) -> list[str]:
        """Return an admitted order that mostly goes on with what the last node made possible."""
        order: list[str] = []
        done = after = waiting = 0
        while len(order) < len(self.nodes):
            ready = self.gates.available(done)
            near = ready & waiting or (ready & after if self.random.random() < 0.8 else 0)
            chosen = self.random.choice(self.gates.names(near or ready))
            order.append(chosen)
            done |= 1 << self.gates.position(chosen)
            after = self.gates.after[self.gates.position(chosen)]
            waiting = (waiting | self._takers_from_slots(chosen)) & ~done
        return order

    def _takers_from_slots(self, node: str) -> int:
        """Return who takes what a node puts on the clipboard or the like: of that one speaks at once."""
        gives = self.nodes[node].bound.gives
        takers = {
            binding.consumer
            for binding in self.composition.bindings
            if binding.producer == node and kind_of(gives[binding.gives].kind).slot
        }
        return self.gates.mask(takers)

    @property
    def parallel(self) -> bool:
        """Whether more than one order is admitted."""
        pairs = sum(mask.bit_count() for mask in self.gates.ancestors)
        return pairs < len(self.nodes) * (len(self.nodes) - 1) // 2

    # Prose.

    def prose(self) -> str:
        theme = self.composition.theme
        # What was composed for no goal has no purpose to tell.
        openings = [one for one in self.register.openings if self.composition.purpose or "{purpose}" not in one]
        opening = self.random.choice(openings).format(
            title=theme.title, person=theme.person, purpose=self.composition.purpose
        )
        sentences = [opening] if opening else []
        sentence: list[str] = []
        for node in self.order:
            join = self._join(node, sentence)
            wording = self._choose_wording(node)
            where = self._inside(node, wording)
            text = self._connective(node, join, wording, where) + where
            clause = self.speaker.say(self.nodes[node], wording, by_name=self.plain)
            self.loose |= bool(self.told) and join.link == "plain" and not join.scope
            self.told[node] = self._cover(self.sources[node]) | self._cover(join.scope)
            text = text if join.joined else text[:1].upper() + text[1:]
            if join.joined:
                sentences[-1] = f"{sentences[-1][:-1]}{text}{clause}."
                sentence.append(node)
            else:
                sentences.append(f"{text}{clause if text else clause[:1].upper() + clause[1:]}.")
                sentence = [node]
        if self.parallel and self.loose:
            sentences.append(self.random.choice(self.register.closings))
        sentences += filter(None, [self.random.choice(self.register.farewells)])
        return " ".join(sentences)

    def _choose_wording(self, node: str) -> Wording:
        subtask = self.subtasks[self.nodes[node].subtask]
        brief = self.random.random() < self.register.brief
        wordings = shortest(subtask) if brief else fullest(subtask)
        return wordings[0] if self.plain else self.random.choice(wordings)

    def _inside(self, node: str, wording: Wording) -> str:
        """Return in which application it is done, where that matters and nothing has said so yet."""
        subtask = self.subtasks[self.nodes[node].subtask]
        if not subtask.needs_app or subtask.app in self.apps:
            return ""
        self.apps.add(subtask.app)
        return "" if app_name(subtask.app) in wording.text else inside(subtask.app)

    def _join(self, node: str, sentence: list[str]) -> _Join:
        """Choose how a node follows: by a true connective that says whatever references do not say."""
        place = self.gates.position(node)
        ancestors = self.gates.ancestors[place]
        unsaid = ancestors & ~self._cover(self.sources[node])
        ways = [_Join("then", tuple(sentence))]
        if len(sentence) < MOST_CLAUSES:
            ways.append(_Join("then", tuple(sentence), joined=True))
        if len(self.told) > 2:
            ways.append(_Join("all", tuple(self.told)))
        covers = [(way, self._cover(way.scope)) for way in ways if way.scope]
        true = [way for way, cover in covers if not cover & ~ancestors and not unsaid & ~cover]
        if true:
            return self.random.choice(true)
        if unsaid:
            last = [
                one for one in self.gates.names(unsaid) if not unsaid & self.gates.descendants[self.gates.position(one)]
            ]
            return _Join("plain", tuple(last), again=True)
        if len(sentence) == 1 and not ancestors and self.random.random() < 0.25:
            return _Join("free", joined=True)
        goes_on = bool(sentence) and sentence[-1] in self.composition.dag.predecessors(node)
        return _Join("free" if self.told and not goes_on and self.random.random() < self.register.linked else "plain")

    def _cover(self, nodes: Iterable[str]) -> int:
        """Return nodes and what the text has put before them, as bits."""
        cover = 0
        for node in nodes:
            cover |= self.told[node] | 1 << self.gates.position(node)
        return cover

    def _connective(self, node: str, join: _Join, wording: Wording, where: str) -> str:
        if join.again:
            return AFTER + AND_AFTER.join(map(self._again, join.scope)) + ", "
        begins = wording.verb_first and not where
        if join.link == "plain":
            return "Please " if begins and not self.told and self.random.random() < 0.4 else ""
        choices = [
            text
            for text in (self.register.joiners if join.joined else self.register.leads)[join.link]
            # `Then for Monday, write` would stumble, and so would `please in Gnote, write`.
            if (begins or text.endswith(", ")) and (node == self.order[-1] or text not in LAST)
        ]
        if not choices:
            choices = [text for text in (JOINERS if join.joined else LEADS)[join.link] if text.endswith(", ")]
        # Not the same word again while there are others.
        used = [self.used.count(_words(text)) for text in choices]
        fewest = min(used)
        chosen = self.random.choice([text for text, times in zip(choices, used, strict=True) if times == fewest])
        self.used.append(_words(chosen))
        return chosen

    def _again(self, node: str) -> str:
        wordings = fullest(self.subtasks[self.nodes[node].subtask])
        return lone_clause(self.nodes[node], next((one for one in wordings if one.verb_first), wordings[0]))

    # Parts with numbers.

    def parts(self) -> str:
        reduced = self.gates.reduction()
        number = {node: place for place, node in enumerate(self.order, 1)}
        lines = [self.random.choice(connectives.IN_ANY_ORDER if self.parallel else connectives.IN_ORDER)]
        for node in self.order:
            first = [str(place) for place in sorted(number[other] for other in reduced.predecessors(node))]
            after = f"(after {_join_words(first)}) " if first and self.parallel else ""
            lines.append(f"{number[node]}. {after}{self.step(node)}")
        return "\n".join(lines)

    def step(self, node: str) -> str:
        """Return what the next node in order asks for, with everything called by its name."""
        wording = steps(self.subtasks[self.nodes[node].subtask])
        where, clause = self._inside(node, wording), self.speaker.say(self.nodes[node], wording, by_name=True)
        return f"{where[:1].upper()}{where[1:]}{clause[:1].lower()}{clause[1:]}" if where else clause


@cache
def _words(connective: str) -> str:
    return connective.strip(" ,;").lower()


def _join_words(items: list[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
