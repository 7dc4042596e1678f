"""How a text refers to things: the same rules tell what a phrase denotes and which may be used."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from proctor.graphs.compose.resource import KINDS, is_a, kind_of

_QUOTED = re.compile(r"""(?:(?P<noun>.*) )?(?:"(?P<plain>[^"]+)"|“(?P<curly>[^”]+)”)""")
_IN_BRACKETS = re.compile(r"(?P<noun>[^()]+) \((?P<name>[^()]+)\)")
_NOUN = re.compile(r"(?!.*\b(?:the|a|an)\b)[^\W\d][^\d./\"“”()]*")
_ONE_OF_TWO = re.compile(r"the (?P<which>first|second) of the two (?P<noun>.+)s")
_PLAIN_NAME = re.compile(r"[\w@#%+=~:&/.\-]*[\w/]")
_PROPER_NAME = re.compile(r"[A-Z0-9][\w'\-]*(?: [A-Z0-9][\w'\-]*)*")
_NOUNS = sorted((kind.noun for kind in KINDS.values()), key=len, reverse=True)
_KIND_CALLED = {kind.noun: kind.name for kind in KINDS.values()}
_SINGLE = {kind.noun: kind.name for kind in KINDS.values() if kind.slot}
_POINTERS = ("the ", "that ", "this ")
_NEW = "new "
"""Before a noun: the one that the clause before has made, though others go by the same noun."""
_ENDINGS = {
    ending: kind
    for kind, endings in {
        "text_file": "txt md log", "table_file": "csv tsv", "code_file": "sh py js c", "spreadsheet": "ods xlsx",
        "document": "odt docx", "slides": "odp pptx", "pdf": "pdf", "image": "png jpg jpeg gif webp bmp xcf",
        "audio": "wav mp3 ogg flac", "video": "mp4 mkv webm avi", "archive": "zip gz tar 7z", "web_page": "html htm",
        "database": "db sqlite", "drawing": "svg dia",
    }.items()
    for ending in endings.split()
}  # fmt: skip
"""What the name of a file tells about it."""
_TITLES = frozenset({"note", "reminder", "event", "letter", "message", "setting"})
"""Kinds whose names are words of their own, which stand in quotes."""


@lru_cache(maxsize=4096)
def _head(noun: str) -> str:
    return noun.rpartition(" ")[2].lower()


_HEADS = {kind.name: _head(kind.noun) for kind in KINDS.values()}


def quote(value: str) -> str:
    """Return a value in quotes that it does not contain itself."""
    return f"“{value}”" if '"' in value else f'"{value}"'


def unquote(text: str) -> str:
    """Return a value without its quotes, if it has any."""
    return text[1:-1] if len(text) > 1 and (text[0], text[-1]) in (('"', '"'), ("“", "”")) else text


def parameter_words(value: str) -> str:
    """Return a parameter as a text says it, quoted unless it is one word, a figure or a proper name."""
    return value if _PLAIN_NAME.fullmatch(value) or _PROPER_NAME.fullmatch(value) else quote(value)


def resource_words(value: str, kind: str) -> str:
    """Return the name of a resource as a text says it."""
    if kind in _TITLES:
        return quote(value)
    plain = _PLAIN_NAME.fullmatch(value) or (kind == "contact" and _PROPER_NAME.fullmatch(value))
    return value if plain else quote(value)


@dataclass(eq=False, slots=True)
class Thing:
    """Something that a text speaks of."""

    kind: str
    value: str | None
    """What names it; None when the text never says."""
    giver: int | None = None
    """The number of the clause that asks for it to be made; None when it is there from the beginning."""
    nouns: set[str] = field(default_factory=set)
    """What the text has called it, without the article."""
    heads: set[str] = field(default_factory=set)
    """The last words of these nouns."""
    clauses: set[int] = field(default_factory=set)
    """The numbers of the clauses that speak of it."""

    def call(self, noun: str) -> None:
        """Take note of what the text calls it."""
        self.nouns.add(noun)
        self.heads.add(_head(noun))

    def may_be(self, head: str) -> bool:
        """Tell whether somebody might call it by a noun with this last word, said or not."""
        return head in self.heads or head == _HEADS[self.kind]


@dataclass(frozen=True, slots=True)
class _Phrase:
    pointer: str
    noun: str
    name: str | None
    which: str = ""
    """`first` or `second` where it is one of two things that go by the noun."""


@lru_cache(maxsize=4096)
def _parse(phrase: str) -> _Phrase:
    pair = _ONE_OF_TWO.fullmatch(phrase)
    if pair:
        return _Phrase("the", pair["noun"], None, pair["which"])
    pointer = next((word for word in _POINTERS if phrase.lower().startswith(word)), "")
    rest = phrase[len(pointer) :]
    noun, name = _noun_and_name(rest, bare=not pointer)
    # What holds another name or article is more than one phrase.
    if name is None or (noun and not _NOUN.fullmatch(noun)):
        return _Phrase(pointer.strip().lower(), rest, None)
    return _Phrase(pointer.strip().lower(), noun, name)


def _noun_and_name(text: str, *, bare: bool) -> tuple[str, str | None]:
    found = _QUOTED.fullmatch(text) if text.endswith(('"', "”")) else None
    if found:
        return found["noun"] or "", found["plain"] or found["curly"]
    if bare:
        return "", text if _PLAIN_NAME.fullmatch(text) or _PROPER_NAME.fullmatch(text) else None
    found = _IN_BRACKETS.fullmatch(text)
    if found:
        return found["noun"], found["name"]
    noun, _, last = text.rpartition(" ")
    if noun and ("/" in last or "." in last):
        return noun, last
    for noun in _NOUNS:
        name = text.removeprefix(f"{noun} ")
        if name != text and text not in _NOUNS and (_PROPER_NAME.fullmatch(name) or _PLAIN_NAME.fullmatch(name)):
            return noun, name
    return text, None


def _fit(kind: str, wanted: str) -> bool:
    return is_a(kind, wanted) or is_a(wanted, kind)


def _kind_said(parsed: _Phrase, wanted: str) -> str | None:
    """Return the kind a text names where a kind is expected; None when it is none of that.

    A word of the task's own, such as `the guest list`, names no kind, but the ending of a file's name does.
    """
    if kind_of(wanted).slot:
        return None
    said = _KIND_CALLED.get(parsed.noun)
    if said is None and parsed.name is not None and is_a(wanted, "file"):
        said = _ENDINGS.get(parsed.name.rpartition(".")[2])
    if said is None:
        return wanted
    if is_a(said, wanted):
        return said
    return wanted if is_a(wanted, said) else None


class Discourse:
    """What a text has app_name of so far."""

    def __init__(self) -> None:
        self.things: list[Thing] = []
        self.turn = -1
        """The number of the clause that is being said."""
        self._by_value: dict[str, list[Thing]] = {}
        self._single: dict[str, Thing] = {}
        self._given: dict[int, list[Thing]] = {}

    def begin(self) -> int:
        """Go on to the next clause, and return its number."""
        self.turn += 1
        return self.turn

    def denotation(self, phrase: str, wanted: str) -> Thing | None:
        """Return what a phrase means where a kind is expected; None when that cannot be told.

        A name never heard before denotes something that is there from the beginning.
        """
        if phrase == "it":
            return self._it(wanted)
        parsed = _parse(phrase)
        if parsed.which:
            return self._one_of_two(parsed.noun, parsed.which == "second", wanted)
        if parsed.noun in _SINGLE and parsed.name is None:
            return self.single(_SINGLE[parsed.noun]) if _fit(_SINGLE[parsed.noun], wanted) else None
        if parsed.name is not None:
            known = [thing for thing in self._by_value.get(parsed.name, ()) if _fit(thing.kind, wanted)]
            kind = _kind_said(parsed, wanted)
            return known[-1] if known else Thing(kind, parsed.name) if kind is not None else None
        return self._by_noun(parsed, wanted)

    def _it(self, wanted: str) -> Thing | None:
        """Return what the clause before makes, if it speaks of nothing else that could be meant."""
        near = [thing for thing in self.things if self.turn - 1 in thing.clauses and _fit(thing.kind, wanted)]
        return near[0] if len(near) == 1 and near[0].giver == self.turn - 1 else None

    def _one_of_two(self, noun: str, second: bool, wanted: str) -> Thing | None:
        """Return one of the two things that go by a noun, in the order in which the text has them."""
        head = _head(noun)
        both = [thing for thing in self.things if thing.may_be(head)]
        clear = len(both) == 2 and all(noun in thing.nouns and _fit(thing.kind, wanted) for thing in both)
        return both[second] if clear else None

    def _by_noun(self, parsed: _Phrase, wanted: str) -> Thing | None:
        if parsed.pointer == "the":
            new = parsed.noun.removeprefix(_NEW)
            # Somebody who hears `the file` may think of any kind of file, so all that share the last word compete.
            rivals = self.things if new == parsed.noun else self._given.get(self.turn - 1, [])
            head = _head(new)
            rivals = [thing for thing in rivals if thing.may_be(head)]
        else:
            new, head = parsed.noun, _head(parsed.noun)
            rivals = [thing for thing in self.things if self.turn - 1 in thing.clauses and head in thing.heads]
        if len(rivals) != 1 or new not in rivals[0].nouns or not _fit(rivals[0].kind, wanted):
            return None
        return rivals[0] if parsed.pointer == "the" or rivals[0].giver == self.turn - 1 else None

    def mention(self, thing: Thing, phrase: str) -> None:
        """Take note that the present clause speaks of a thing in this way."""
        self._keep(thing)
        thing.clauses.add(self.turn)
        parsed = _parse(phrase)
        if parsed.pointer and parsed.noun and not parsed.which:
            thing.call(parsed.noun.removeprefix(_NEW))
        elif not thing.nouns:
            thing.call(kind_of(thing.kind).noun)

    def give(self, kind: str, value: str | None) -> Thing:
        """Take note that the present clause makes something; None for a value the text does not say."""
        early = [
            thing for thing in self._by_value.get(value or "", ()) if thing.giver is None and _fit(thing.kind, kind)
        ]
        thing = early[0] if early else Thing(kind, value)
        thing.giver = self.turn
        self._keep(thing)
        thing.call(kind_of(kind).noun)
        thing.clauses.add(self.turn)
        self._given.setdefault(self.turn, []).append(thing)
        if kind_of(kind).slot:
            self._single[kind] = thing
        return thing

    def _keep(self, thing: Thing) -> None:
        if thing in self.things:
            return
        self.things.append(thing)
        if kind_of(thing.kind).slot:
            self._single[thing.kind] = thing
        if thing.value is not None:
            self._by_value.setdefault(thing.value, []).append(thing)

    def single(self, kind: str) -> Thing:
        """Return what the text means by the only thing of a kind, such as what is on the clipboard."""
        return self._single.get(kind) or Thing(kind, None)

    @staticmethod
    def name_in(phrase: str) -> str | None:
        """Return the name that a phrase contains."""
        return _parse(phrase).name

    @staticmethod
    def may_name(phrase: str, wanted: str) -> bool:
        """Tell whether a phrase may name something new of a kind."""
        parsed = _parse(phrase)
        return parsed.name is not None and _kind_said(parsed, wanted) is not None

    def find_named(self, value: str, kind: str) -> Thing | None:
        """Return what bears a name, if the text has app_name of it."""
        return next((thing for thing in reversed(self._by_value.get(value, [])) if _fit(thing.kind, kind)), None)

    def phrases(self, thing: Thing, word: str = "") -> list[str]:
        """Return the phrases that may denote a thing where they are clear, the shortest first."""
        if kind_of(thing.kind).slot:
            return ["it", f"the {kind_of(thing.kind).noun}"]
        nouns = sorted(thing.nouns or {kind_of(thing.kind).noun})
        fresh = thing not in self.things
        # A title says already what it is about.
        word = "" if thing.kind in _TITLES else word.removeprefix("the ")
        forms = [] if fresh else ["it", *(f"{which} {noun}" for which in ("that", "the", "the new") for noun in nouns)]
        if thing.value is not None:
            name = resource_words(thing.value, thing.kind)
            # A word of the task's own does not say what sort of name follows: `the guest list (lists/guests.csv)`.
            own = f"the {word} {name}" if name != thing.value else f"the {word} ({name})"
            forms += [own] if word else [f"the {noun} {name}" for noun in nouns]
            forms.append(name)
        return forms

    def together(self, one: Thing, other: Thing, wanted: str) -> str:
        """Return a phrase for two things, such as `the two pictures`; empty where it would not be clear."""
        for noun in sorted(one.nouns & other.nouns):
            pair = f"the two {noun}s"
            if (
                self.denotation(f"the first of {pair}", wanted) is one
                and self.denotation(f"the second of {pair}", wanted) is other
            ):
                return pair
        return ""

    def is_clear(self, phrase: str, thing: Thing, wanted: str) -> bool:
        """Tell whether a phrase denotes a thing here and nothing else."""
        meant = self.denotation(phrase, wanted)
        if meant is None or meant is thing:
            return meant is thing
        return thing not in self.things and meant not in self.things and meant.value == thing.value
