"""A question read: clause by clause, what kind it is, what it asks for, and what it offers to do."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from importlib import resources
from typing import Literal

from proctor.tasks.topics import stem
from proctor.tasks.words import loose

Kind = Literal[
    "what", "time", "place", "count", "amount", "person", "manner", "reason",
    "whether", "act", "plan", "advice", "other", "said",
]  # fmt: skip
"""What a clause asks for.

`whether` something is so, leave for an `act`, `advice` on how to go on. A `plan` asks only where nothing else does, and
what is `said` asks nothing.
"""

OPENINGS = resources.files("proctor.tasks") / "openings.toml"
"""How people open a question."""

MOST = 4_000
"""Characters of a question that are read."""
MOST_BARE = 6
"""Words of a "which one do you want?" that names nothing itself."""
_ASIDE = 5
"""Words before which a word such as "which" must stand to open a clause."""

_PATTERNS = tomllib.loads(OPENINGS.read_text(encoding="utf-8"))


def _any_of(name: str, end: str = "") -> re.Pattern[str]:
    """Return what matches any of some openings at the beginning of a clause."""
    return re.compile(f"(?:{'|'.join(_PATTERNS[name])}){end}".replace("(?:i)", _I))


def _each_of(name: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern.replace("(?:i)", _I)) for pattern in _PATTERNS[name])


def _words(name: str) -> frozenset[str]:
    return frozenset(" ".join(_PATTERNS[name]).split())


_I = "(?:i|we|one)"
_SHORT = [(re.compile(short), whole) for short, whole in _PATTERNS["short"]]
_WH = re.compile(r"(?:which|what|when|where|who|whom|whose|why|how)\b")
_OFFER_BY_WH = re.compile(r"(?:what (?:about|if)|how about|why not)\b")
_YES_NO = re.compile(
    r"(?:shall|should|may|can|could|might|must|do|does|did|is|are|was|were|would|will|have|has|am|ought)\b"
)
_OPENER = _any_of("clause")
_SENTENCE = re.compile(r"(?<=[.?!])[\"')]*\s+|\n+|;|\?(?=\w)")
_CLAUSE = re.compile(
    r"(?:\s*[,:(]\s*(?:and |or |but |so |then )?|\s+-+\s+|\s*\b(?:and|or|but|so)\s+(?:then )?)"
    f"(?={_OPENER.pattern})"
)
_RELATIVE = re.compile(r"(?:which|who|where) (?:is|are|was|has|i|you|we|the)\b")
_MARKER = re.compile(
    r"(?:^|[\s,:;(])(?:\(?(?:[a-h]|[1-9]|i{1,3})\)|(?:option )?(?:[1-9])\.(?=\s)|option [a-h1-9]\b:?|[-*•](?=\s))\s*"
)
_CUT = re.compile(rf",?\s*\b(?:{'|'.join(_PATTERNS['cut'])})\b.*")
_REJECTED = re.compile(rf",?\s*\b(?:{'|'.join(_PATTERNS['rejected'])})\b.*")
_OR = re.compile(r"\s*(?:,\s*(?:or\s+)?|\bor(?: else)?\b|\s/\s|:\s|\beither\b|\bversus\b|\bvs\b)\s*")
_REMARK = re.compile(r"\s*\((?!\w\))(?![^()]*(?:\bor\b|[,/:?]))[^()]*\)")
"""What stands in brackets by the way and lists nothing: "bill 184 (750 euros)"."""
_RELAYED = re.compile(
    r".{0,80}?\b(?:asks?|asking|asked|know|knows|wonders?|wondering)\s+"
    r"(?:(?:in|on|at|to|for|under|by|from|of|with|until) )?(?=(?:which|what|when|where|who|how)\b)"
)
"""What somebody else wants to know: "she asks how many we are"."""
_LEAD = re.compile(rf"(?:{_any_of('lead').pattern}\b[\s,:.-]*)+")
_ASKING = re.compile(r"\b(?:tell|say|know|ask|confirm|clarify|check|specify|advise|explain|remind|sure|wonder\w*)\b")
_BEGGING = re.compile(r"\b(?:please|pls|plz)$")
_ACTS, _MIND, _PLAN, _ADVICE = (_each_of(name) for name in ("act", "mind", "plan", "advice"))
_WISH, _PROMPT, _NUMBER, _YOURS = (_each_of(name) for name in ("wish", "prompt", "number", "yours"))
_TAG = _any_of("tag", "$")
_TAG_OF_MIND = re.compile(r"mind|objection")
_ONLY_A_PLAN = re.compile(r"(?:i|we) (?:\w+ )?(?:need|want|like|would like) to\b(?!.*\bto know)")
_TOKEN = re.compile(r"[.~]?[\w.~/#:@+-]{0,80}\w|\w")
_FILE = re.compile(r"[.~]?[\w~/#-]*(?:[\w-]\.[a-z0-9]{2,6}|/\.?\w+|^\.\w+)#?/?")
_STOP, _BEFORE_HEAD, _EMPTY_HEADS = _words("stop"), _words("before_head"), _words("empty_heads")
_COUNTS = frozenset({"number", "count", "amount", "tally", "total", "sum"})
_WH_KINDS: dict[str, Kind] = {
    "when": "time", "where": "place", "who": "person", "whom": "person", "whose": "person", "why": "reason",
    "which": "what", "what": "what", "how": "manner",
}  # fmt: skip
_SIZED: dict[str, Kind] = {
    "expensive": "amount", "costly": "amount", "dear": "amount", "pricey": "amount", "cheap": "amount",
    "many": "count", "big": "count", "large": "count", "often": "count", "much": "amount", "long": "time",
}  # fmt: skip


@dataclass(frozen=True)
class QuestionClause:
    """One clause of a question."""

    kind: Kind
    words: tuple[str, ...] = ()
    """Stems of all it says, without what it says by the way ("although it is locked")."""
    head: tuple[str, ...] = ()
    """What it asks for, where it says so: the colour, in "which colour"."""
    several: bool = False
    """Whether it asks for several things in one go: the headcount and the number of vegetarians."""
    parts: tuple[tuple[str, ...], ...] = ()
    """What it offers: one, or several with "or" between them."""
    unwelcome: bool = False
    """Whether it asks if something is unwelcome ("do you mind"), so that yes is no."""
    aside: tuple[str, ...] = ()
    """What was said before it, and by the way."""


@dataclass
class _Reading:
    asked: list[QuestionClause] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)


def read_question(text: str) -> list[QuestionClause]:
    """Return what a text asks, in its order; where nothing is asked, what it says."""
    plain = loose(text[:MOST])
    for short, whole in _SHORT:
        plain = short.sub(whole, plain)
    marked = _MARKER.sub(" or ", f" {plain}") if len(_MARKER.findall(plain)) > 1 else plain
    reading = _Reading()
    for sentence in _SENTENCE.split(re.sub(r"\n\s*or ", " or ", marked)):
        asks = sentence.rstrip(" \"')").endswith("?")
        for clause in _clauses(sentence.strip(" .!?,:\"'")):
            _note(reading, clause, asks=asks)
    found = _with_offers_chosen_from(reading.asked)
    asked = [each for each in found if each.kind not in {"said", "plan"}]
    return asked or [replace(each, kind="act") for each in found if each.kind == "plan"] or found[-1:]


def stems(text: str) -> tuple[str, ...]:
    """Return the stems of a text's words, in their order; names of files stay whole."""
    found: list[str] = []
    for word in _TOKEN.findall(loose(text)):
        parts = [word.strip("/").rpartition("/")[2]] if is_file(word) or ":" in word else re.split(r"[/.:_-]+", word)
        found += [stem(part) if part.isalpha() else part for part in parts if part]
    return tuple(found)


def is_file(word: str) -> bool:
    """Tell whether a word is the name of a file."""
    return _FILE.fullmatch(word) is not None and any(map(str.isalpha, word))


def _with_offers_chosen_from(asked: list[QuestionClause]) -> list[QuestionClause]:
    """Take a list and the "which one?" after it (or before it) for one question."""
    found: list[QuestionClause] = []
    for each in asked:
        bare = each.kind in {"what", "advice"} and not each.head and len(each.words) <= MOST_BARE
        offer = next((old for old in reversed(found) if old.kind in {"said", "other"} and old.several), None)
        if bare and offer is not None:
            found[found.index(offer)] = replace(offer, kind="other")
        else:
            found.append(each)
    return found


def _clauses(sentence: str) -> list[str]:
    """Return the clauses of a sentence: each that opens a question of its own."""
    pieces: list[str] = []
    start = 0
    for cut in _CLAUSE.finditer(sentence):
        before = sentence[start : cut.start()]
        rest = sentence[cut.end() :]
        # "the file, which is locked" goes on with what was begun.
        if _RELATIVE.match(rest) and _OPENER.match(before.strip()):
            continue
        pieces.append(before)
        start = cut.end()
    pieces.append(sentence[start:])
    return [piece.strip(" ,.:") for piece in pieces if piece.strip(" ,.:")]


def _note(reading: _Reading, clause: str, *, asks: bool) -> None:
    """Read one clause and add what it asks."""
    lead = _LEAD.match(clause)
    bare = clause[lead.end() :].strip(" ,:.-") if lead and lead.end() < len(clause) else clause
    bare = re.sub(r"^(?:if|whether)(?: or not)? (?=you\b)", "", bare)
    asks = asks or (lead is not None and _ASKING.search(lead[0]) is not None) or _BEGGING.search(bare) is not None
    earlier = [each for each in reading.asked if each.kind in {"act", "plan"}]
    if earlier and _TAG.match(bare):
        unwelcome = earlier[-1].unwelcome or _TAG_OF_MIND.search(bare) is not None
        reading.asked[reading.asked.index(earlier[-1])] = replace(earlier[-1], kind="act", unwelcome=unwelcome)
        return
    by_the_way = [word for remark in _REMARK.findall(bare) for word in stems(remark)]
    new = _read_clause(_REMARK.sub("", bare) or bare, asks=asks, aside=(*reading.aside, *by_the_way))
    reading.asked.append(new)
    reading.aside += stems(clause)


def _first(patterns: Iterable[re.Pattern[str]], text: str) -> re.Match[str] | None:
    """Return how the first of some openings opens a text."""
    return next((found for pattern in patterns if (found := pattern.match(text))), None)


def _read_clause(bare: str, *, asks: bool, aside: tuple[str, ...]) -> QuestionClause:
    if _first(_ADVICE, bare):
        offered = re.split(r"[:,(]|\bor\b|-", bare, maxsplit=1)
        return QuestionClause("advice", stems(bare), parts=_parts(offered[1]) if len(offered) > 1 else (), aside=aside)
    if (wish := _first(_WISH, bare)) and not _ONLY_A_PLAN.match(bare):
        return _read_head("what", wish["rest"], aside)
    if found := _first(_MIND, bare):
        return _act(found["rest"], aside, unwelcome=True)
    if not _WH.match(bare) or _OFFER_BY_WH.match(bare):
        if found := _first(_ACTS, bare):
            return _act(found["rest"], aside)
        if found := _first(_PLAN, bare):
            return replace(_act(found["rest"], aside), kind="act" if asks else "plan")
        if not asks and (found := _RELAYED.match(bare)):
            return _wh(bare[found.end() :].split(), aside)
    return _read_open(bare, asks=asks, aside=aside)


def _read_open(bare: str, *, asks: bool, aside: tuple[str, ...]) -> QuestionClause:
    """Read a clause that offers nothing to do."""
    if _first(_YOURS, bare):
        return QuestionClause("what", aside=aside)
    if number := _first(_NUMBER, bare):
        return _read_head("count", number["rest"], aside)
    words = bare.split()
    for place, word in enumerate(words if asks else words[:_ASIDE]):
        if word in _WH_KINDS and (place <= 1 or asks):
            return _wh(words[place:], aside)
    if not asks and not _YES_NO.match(bare) and (found := _first(_PROMPT, bare)):
        return _read_head("what", found["rest"], aside)
    kind: Kind = "whether" if _YES_NO.match(bare) else "other" if asks else "said"
    kept = bare if kind == "said" else _CUT.sub("", bare) or bare
    return QuestionClause(kind, stems(kept), several=_is_list(bare), parts=_parts(bare), aside=aside)


def _act(rest: str, aside: tuple[str, ...], *, unwelcome: bool = False) -> QuestionClause:
    """Read what an offer is, without what it is set against and what is said by the way."""
    offer = _REJECTED.sub("", f" {rest}").strip() or rest
    cut = _CUT.search(f" {offer}")
    kept = _CUT.sub("", f" {offer}").strip() or offer
    aside += stems(cut[0]) if cut else ()
    return QuestionClause("act", stems(kept), parts=_parts(kept), unwelcome=unwelcome, aside=aside)


def _is_list(text: str) -> bool:
    return re.search(r"\bor\b|\s/\s", text) is not None


def _parts(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the alternatives of an offer."""
    pieces = _OR.split(_CUT.sub("", f" {text}").strip())
    return tuple(found for piece in pieces if (found := stems(piece)))


def _wh(words: list[str], aside: tuple[str, ...]) -> QuestionClause:
    """Read a clause from its word such as "which" on."""
    first, rest = words[0], words[1:]
    kind = _WH_KINDS[first]
    text = " ".join(rest)
    if first == "how" and rest:
        if rest[0] in _SIZED:
            kind = _SIZED[rest[0]]
            if rest[0] in {"big", "large"}:
                return QuestionClause(kind, stems(f"size {text}"), stems("size"), aside=aside)
            return _read_head(kind, re.sub(r"^\w+ (?:of )?\b", "", text), aside)
        return QuestionClause(kind, stems(text), parts=_parts(text), aside=aside)
    if kind != "what":
        return QuestionClause(kind, stems(text), parts=_parts(text), aside=aside)
    return _read_head(kind, re.sub(r"^(?:is|are|was|were|would be|will be|should be)\b", "", text).strip(), aside)


def _read_head(kind: Kind, text: str, aside: tuple[str, ...]) -> QuestionClause:
    """Read a clause whose first noun is what it asks for."""
    if number := _first(_NUMBER, text.strip()):
        kind, text = "count", number["rest"]
    head: list[str] = []
    for word in re.findall(r"[^\s,:()]+|[,:()]", text):
        if not head and word in _BEFORE_HEAD:
            continue
        if word in {"and", "or", ","} and head and head[-1] not in {"and", "or", ","}:
            head.append(word)
            continue
        if word == "of" and head and head[-1] in _COUNTS:
            continue
        if word in _STOP or word in ",:()":
            break
        head.append(word)
    named = [word for word in head if word not in _EMPTY_HEADS and word not in {"and", "or", ","}]
    several = any(word in {"and", ","} for word in head[:-1])
    words = stems(_CUT.sub("", f" {text}") or text)
    return QuestionClause(kind, words, stems(" ".join(named)), several, _parts(text), aside=aside)
