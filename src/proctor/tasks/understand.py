"""What of all that a user knows and has decided a clause of a question is about."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from importlib import resources
from itertools import pairwise

from proctor.tasks.person import QuestionKind, Reply, Ruling
from proctor.tasks.question import QuestionClause, is_file, stems

ASKING = resources.files("proctor.tasks") / "asking.toml"
"""What people say when they ask."""
_SECTIONS: dict[str, dict[str, list[str]]] = tomllib.loads(ASKING.read_text(encoding="utf-8"))
"""Read at once: checks, which also understand questions, may open no files."""
GAP = 3
"""Words that may stand between two words of a phrase."""
_PRONOUNS = frozenset(stems("it this that them these those one ones so"))
_TYPE, _INTO = frozenset(stems("type enter")), stems("get into")
_NEEDED = frozenset(stems("needed required necessary"))
_TOGETHER = frozenset(stems("both all them these"))
_OURS = frozenset(stems("we us"))
_PARTICLES = frozenset(("off", "up", "away", "out", "down"))
"""Words that may also stand after what something is done to: take off the lock, take the lock off."""
_LINKS = frozenset(
    stems("and or of to in on at with from by as into about if despite although because again now then like")
)

Phrase = tuple[str, ...]


def asks_for(asked: QuestionClause, reply: Reply, known: frozenset[str]) -> bool:
    """Tell whether a clause asks for what a reply says; `known` words are those of the request."""
    own, options = _vocabulary(reply.about), _phrases(reply.options)
    if reply.unless and _holds(asked.words, _vocabulary(reply.unless)) and not asked.several:
        return False
    if reply.secret:
        return _asks_for_secret(asked, own, _vocabulary(reply.opens))
    if asked.kind in {"advice", "reason"}:
        return False
    said = asked.words
    offered = {option for option in options if _find(said, option)}
    strange, understood = _weigh(asked, (*own, *options, *_acts(reply.verbs)), known)
    if len(offered) > 1 or asked.kind == "said":
        return len(offered) > 1 and strange <= understood
    if _content(asked.head) and asked.head not in _acts(reply.verbs):
        right_kind = not reply.kinds or asked.kind in {"what", *reply.kinds}
        named = _names(asked, own, options) or (
            asked.kind in reply.kinds and asked.kind != "what" and _holds(said, own)
        )
        return right_kind and named and strange <= understood + 1
    key = bool(offered) or _holds(said, own)
    if asked.kind in {"what", "time", "place", "count", "amount", "person", "manner"}:
        if reply.kinds and asked.kind not in {"what", *reply.kinds}:
            return False
        return strange < understood if key else _goes_without_saying(asked, reply, known)
    if asked.kind in {"act", "whether"} and reply.kinds and "whether" not in reply.kinds and not offered:
        # "Is it still room 12?" asks for the room.
        guess = asked.kind == "whether" and any(map(_is_number, said))
        return guess and key and strange <= understood
    return key and strange < understood


def goes_by_kind(asked: QuestionClause, reply: Reply, known: frozenset[str]) -> bool:
    """Tell whether the kind of a question alone asks for this.

    As in "where do we meet?", or "is it on Friday?".
    """
    kinds = set(reply.kinds) - {"what", "whether"}
    if reply.secret or not kinds or (reply.unless and _holds(asked.words, _vocabulary(reply.unless))):
        return False
    kind = asked.kind
    if kind == "what" and set(asked.head) & set(stems("number figure")):
        kind = "count"
    elif kind == "what" and "amount" in kinds and _holds(asked.words, _doings("amount")):
        kind = "amount"
    elif kind in {"whether", "other", "act"} and (named := _kinds_of_guess(asked.words)) & kinds:
        kind = "time" if named == {"time"} else "count" if "count" in kinds else "amount"
    if kind not in kinds or kind == "person":
        return False
    own = (*_vocabulary((*reply.about, *reply.given)), *_doings(kind))
    strange, _ = _weigh(replace(asked, words=tuple(word for word in asked.words if not _is_number(word))), own, known)
    return strange == 0


def offers(asked: QuestionClause, reply: Reply) -> tuple[bool, bool]:
    """Tell whether a clause offers what is right, and whether it offers what is wrong."""
    named = {option for option in reply.options if _find(asked.words, stems(option))}
    return bool(named & set(reply.right)), bool(named - set(reply.right))


def concerns(part: Sequence[str], decision: Ruling, aside: Sequence[str], known: frozenset[str]) -> bool:
    """Tell whether a part of an offer is the act that a decision is about.

    `aside` tells what "it" is, and files whose names are `known` are no new ones.
    """
    if "rename" in decision.acts and _has_new_name(part, known):
        return True
    if not decision.things:
        return _holds(part, _acts(decision.acts))
    things = _vocabulary(decision.things)
    if decision.unless and _holds(part, _vocabulary(decision.unless)):
        return False
    for act in _acts(decision.acts):
        found = _find(part, act)
        if found is None:
            continue
        after = [word for word in _thing(part[found[1] :]) if word not in _near()]
        before = _content(part[: found[0]])
        if _holds(act, things) or _holds(after, things) or _holds(before, things):
            return True
        if not after and all(word in _of_acts() for word in before):
            # "it", or nothing at all, is what was spoken of last.
            return decision.allowed or (_holds(aside, things) and not _holds(aside, _vocabulary(decision.unless)))
    return False


def is_situation(asked: QuestionClause, decision: Ruling) -> bool:
    """Tell whether an open question ("how should I proceed?") comes out of what a decision is about."""
    said = (*asked.words, *asked.aside)
    things, acts = _vocabulary(decision.things), _acts(decision.acts)
    return _holds(said, things) or any(_find(said, act) for act in acts) or not _content(asked.aside)


def goes_on(part: Sequence[str]) -> bool:
    """Tell whether an offer is just to go on."""
    left = list(part)
    for act in _acts(("go on",)):
        if found := _find(left, act):
            return not _content(left[: found[0]] + left[found[1] :])
    return not _content(left)


def is_content(words: Iterable[str]) -> bool:
    """Tell whether some words say anything."""
    return bool(_content(words))


def leaves_open(asked: QuestionClause) -> bool:
    """Tell whether a clause is about how the agent goes about it."""
    ways = _phrases(tuple(_section("whatever")["words"]))
    said = asked.head or asked.words
    return any(_find(said, way) for way in ways)


def words_of(text: str) -> frozenset[str]:
    """Return the stems of a text; a file is also known by its name without the ending."""
    found = stems(text)
    return frozenset(found).union(*(stems(word.partition(".")[0]) for word in found if "." in word))


# -- how it is weighed ------------------------------------------------------------------------------------------------


def _goes_without_saying(asked: QuestionClause, reply: Reply, known: frozenset[str]) -> bool:
    """Tell whether a clause that names no thing asks for this: "which one?", "what should I book?"."""
    verbs, own = _acts(reply.verbs), _vocabulary(reply.about)
    if asked.kind != "what" and asked.kind not in reply.kinds:
        return False
    said = _content(asked.words)
    if not said and asked.kind == "count" and _OURS & set(asked.words):
        return _holds(tuple(_OURS), own)  # how many are we?
    named = frozenset(word for phrase in _vocabulary(("file",)) for word in phrase) if asked.kind == "place" else ()
    if any(word not in known and word not in named and not any(word in verb for verb in verbs) for word in said):
        return False
    if _holds(asked.words, verbs):
        return True
    before = _content(asked.aside)
    spoken_of = _holds(asked.aside, (*own, *_phrases(reply.options), *verbs))
    several = bool(_TOGETHER & set(asked.words))
    if said or (not several and _holds(asked.aside, _vocabulary(reply.unless))):
        return False
    return spoken_of or (bool(reply.options) and 2 * sum(word in known for word in before) >= len(before))


def _weigh(asked: QuestionClause, own: Iterable[Phrase], known: frozenset[str]) -> tuple[int, int]:
    """Return how many words of a clause say something else, and how many something of this."""
    said = [phrase for phrase in own if _find(asked.words, phrase)]
    held = {word for phrase in said for word in (_content(phrase) or phrase)}
    understood = sum(word in held for word in asked.words)
    beside = known | _near()
    return sum(word not in held and word not in beside for word in _content(asked.words)), understood


def _asks_for_secret(asked: QuestionClause, own: Iterable[Phrase], opens: Iterable[Phrase]) -> bool:
    """Tell whether a clause asks for a secret itself, and for what this one opens."""
    held = {word for phrase in own for word in phrase}
    doors = {word for phrase in opens for word in phrase} - held
    unlocking = set(stems("unlock open decrypt access enter log"))
    said = asked.words
    if asked.kind in {"manner", "advice"} or (
        asked.kind == "what" and (not asked.head or asked.head[0] in unlocking | _NEEDED)
    ):
        # "How do I unlock the safe?", "What opens it?", "Which one?" after what asks for a key.
        meant = doors & {*said, *(asked.aside if _PRONOUNS & set(said) else ())}
        before = set(asked.aside)
        wanted = not _content(said) and bool(
            held & before or (asked.kind == "what" and unlocking & before and _TYPE & set(said))
        )
        return wanted or bool(meant and (unlocking & set(said) or _find(said, _INTO)))
    if asked.kind not in {"what", "other"}:
        return False
    named = asked.head or said
    places = [place for place, word in enumerate(named) if word in held]
    if not places or (asked.head and any(word not in unlocking | doors for word in named[places[-1] + 1 :])):
        return False
    beside = [word for word in _content(said) if word not in held | unlocking and not _is_plain(word)]
    if not beside:
        return True
    return bool(doors & set(said)) and all(
        word in doors | unlocking or _is_plain(word) for word in _content(named) if word not in held
    )


def _names(asked: QuestionClause, own: Iterable[Phrase], options: Iterable[Phrase]) -> bool:
    """Tell whether what is asked for is known: by its first or last word, or any of several."""
    head = _content(asked.head) or list(asked.head)
    ends = ((head[0], head[-1]), (head[-1],))
    return any(
        set(phrase) & set(last) or asked.several
        for phrases, last in zip((own, options), ends, strict=True)
        for phrase in phrases
        if _find(head, phrase) or _find(asked.head, phrase)
    ) or any(len(phrase) > 1 and head[-1] in phrase and set(phrase) <= set(asked.words) for phrase in own)


def _has_new_name(part: Sequence[str], known: frozenset[str]) -> bool:
    """Tell whether something is to be saved as a file that nobody has spoken of."""
    new = [word for word in part if is_file(word) and word not in known]
    return any(before in {"as", "und", "nam"} and word in new for before, word in pairwise(part)) or bool(
        new and part[0] in {"call", "nam"}
    )


def _thing(words: Sequence[str]) -> list[str]:
    """Return what an act is done to: the words up to the next "with", "in" and the like."""
    thing: list[str] = []
    for word in words:
        if word in _LINKS and thing:
            break
        if word in _PRONOUNS:
            return thing
        if word not in _LINKS and word not in _silent():
            thing.append(word)
    return thing


def _holds(words: Sequence[str], phrases: Iterable[Phrase]) -> bool:
    return any(_find(words, phrase) for phrase in phrases)


def _find(words: Sequence[str], phrase: Phrase) -> tuple[int, int] | None:
    """Return where a phrase stands, its words in order and no more than a few others between them."""
    for start, word in enumerate(words):
        if word != phrase[0]:
            continue
        at = start
        for sought in phrase[1:]:
            near = words[at + 1 : at + 2 + GAP]
            if sought not in near:
                break
            at += 1 + list(near).index(sought)
        else:
            return start, at + 1
    return None


def _content(words: Iterable[str]) -> list[str]:
    return [word for word in words if word not in _silent()]


def _is_plain(word: str) -> bool:
    return word in _polite() or word in _silent()


def _kinds_of_guess(words: Sequence[str]) -> set[QuestionKind]:
    """Return of what kind of thing some words name one: a day, a number."""
    found: set[QuestionKind] = {"time"} if _moments() & set(words) else set()
    return found or ({"count", "amount"} if any(map(_is_number, words)) else set())


def _is_number(word: str) -> bool:
    return word[:1].isdigit() or word in _numbers()


# -- the words --------------------------------------------------------------------------------------------------------


def _section(name: str) -> dict[str, list[str]]:
    return _SECTIONS[name]


@functools.cache
def _silent() -> frozenset[str]:
    words = " ".join(_section("silent")["words"])
    return frozenset(stems(words)) | frozenset(words.split())


@functools.cache
def _near() -> frozenset[str]:
    """Return the words that say by the way when something is."""
    return words_of(" ".join(_section("moments")["near"]))


@functools.cache
def _moments() -> frozenset[str]:
    return _near() | words_of(" ".join(_section("moments")["named"]))


@functools.cache
def _numbers() -> frozenset[str]:
    return words_of(" ".join(_section("numbers")["words"]))


@functools.cache
def _doings(kind: str) -> tuple[Phrase, ...]:
    """Return what is done at a time, in a place, for an amount, by so many."""
    return _phrases(tuple(_section("kinds").get(kind, ())))


@functools.cache
def _of_acts() -> frozenset[str]:
    """Return the words that only lead to an act: go ahead and, click."""
    return frozenset(stems("go ahead proceed continue click press choose carry on try start begin attempt"))


@functools.cache
def _polite() -> frozenset[str]:
    return frozenset(stems("master current actual secret family locked encrypted whole proper valid"))


@functools.lru_cache(maxsize=512)
def _phrases(texts: tuple[str, ...]) -> tuple[Phrase, ...]:
    return tuple(found for text in texts if (found := stems(text)))


@functools.lru_cache(maxsize=512)
def _vocabulary(words: tuple[str, ...]) -> tuple[Phrase, ...]:
    """Return words and phrases with all that belongs to the same thing."""
    things = _section("things")
    return _phrases(tuple(each for word in words for each in (word, *things.get(word, ()))))


@functools.lru_cache(maxsize=512)
def _acts(names: tuple[str, ...]) -> tuple[Phrase, ...]:
    """Return how kinds of acts are called; what is none is a phrase itself."""
    acts = _section("acts")
    found = _phrases(tuple(each for name in names for each in acts.get(name, (name,))))
    turned = ((each[0], *each[2:], each[1]) for each in found if len(each) > 2 and each[1] in _PARTICLES)
    return (*found, *turned)
