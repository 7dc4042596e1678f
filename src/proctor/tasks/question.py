"""A question read: clause by clause, what kind it is, what it asks for, and what it offers to do."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Literal

from proctor.tasks.topics import stem
from proctor.tasks.words import loose

Kind = Literal["what", "time", "place", "count", "amount", "person", "manner", "reason", "whether", "act", "plan", "advice", "other", "said"]
"""What a clause asks for: `whether` something is so, leave for an `act`, `advice` on how to go on; a `plan` asks only where
nothing else does, and what is `said` asks nothing."""

MOST = 4_000
"""Characters of a question that are read."""
MOST_BARE = 6
"""Words of a "which one do you want?" that names nothing itself."""
_ASIDE = 5
"""Words before which a word such as "which" must stand to open a clause."""

_SHORT = {
    r"\bcan't\b": "cannot",
    r"\bwon't\b": "will not",
    r"\blet's\b": "let us",
    r"n't\b": " not",
    r"'re\b": " are",
    r"'ve\b": " have",
    r"'ll\b": " will",
    r"\b(i|we|you|they)'d\b": r"\1 would",
    r"\bi'm\b": "i am",
    r"\b(what|which|where|when|who|how|it|that|there|here|he|she)'s\b": r"\1 is",
    r"'s?\b": "",
    r"\be-mail": "email",
    r"\b(?:o\.k\.|okay|alright|all right)": "ok",
    r"\bgo-ahead\b": "permission",
}
_I = "(?:i|we|one)"
_AUX = "(?:shall|should|may|can|could|might|must|do|does|did|is|are|was|were|would|will|have|has|am|ought)"
_WH = "(?:which|what|when|where|who|whom|whose|why|how)"
_OPENER = (
    rf"(?:(?:(?:in|on|at|to|for|under|by|from|of|with) )?{_WH}\b|{_AUX} (?:i|we|you|it|that|this|there|they|these|those|the|he|she|any|some|all|both|my|your)\w*\b|"
    r"please\b|tell me\b|let me know\b|ok (?:to|if|with)\b|is ok\b|do not\b|(?:i|we) (?:need|will|would|could|can)\b)"
)
_SENTENCE = re.compile(r"(?<=[.?!])[\"')]*\s+|\n+|;|\?(?=\w)")
_CLAUSE = re.compile(rf"(?:\s*[,:(]\s*(?:and |or |but |so |then )?|\s+-+\s+|\s*\b(?:and|or|but|so)\s+(?:then )?)(?={_OPENER})")
_MARKER = re.compile(r"(?:^|[\s,:;(])(?:\(?(?:[a-h]|[1-9]|i{1,3})\)|(?:option )?(?:[1-9])\.(?=\s)|option [a-h1-9]\b:?|[-*•](?=\s))\s*")
_CUT = re.compile(
    r",?\s*\b(?:without|despite|in spite of|although|though|even though|even if|because|"
    r"since|as it|as the|given|considering|which is|which are|that is|that are|now that|so that|in order|before|after|while|because of|due to|"
    r"if that|if you|when i|once i|to avoid|regardless)\b.*"
)
_REJECTED = re.compile(r",?\s*\b(?:instead of|rather than|and not|but not|not)\b.*")
"""What an offer is set against."""
_LEAD = re.compile(
    r"^(?:(?:hi|hello|hey|sorry|excuse me|quick question|one question|just|please|so|and|or|but|also|well|ok(?! (?:to|if|with|for)\b)|then|next|now|thanks|thank you|"
    r"first|finally|secondly|otherwise|if so|if not|in that case|to be sure|to confirm|dear \w+|alternatively|instead|maybe|perhaps|"
    r"(?:can|could|would|will) you (?:please |kindly )?(?:tell|say|confirm|clarify|let|remind|specify|advise|explain)(?: me| us)?(?: know)?|"
    r"(?:please )?(?:tell|let|remind|advise)(?: me| us)(?: know)?|do you (?:happen to )?(?:know|remember|recall)|any idea|"
    r"(?:i|we) (?:just |still |also )?(?:need|want|would like|have|wanted) to (?:know|ask|confirm|clarify|check)|"
    r"(?:may|can|could) (?:i|we) (?:please )?(?:ask|know)|i wonder|i am wondering|i was wondering|i am not (?:sure|certain)|i am unsure|not sure|i do not know|"
    r"could you|please (?:confirm|clarify|specify|say|advise)|confirm|clarify|to clarify|can you confirm|before i (?:go on|start|proceed|continue|do anything))\b[\s,:.-]*)+"
)
_ASKING = re.compile(r"\b(?:tell|say|know|ask|confirm|clarify|check|specify|advise|explain|remind|sure|wonder\w*)\b")
_HOW_TO_GO_ON = re.compile(
    rf"^(?:how (?:shall|should|do|can|would|am|may|must) {_I}(?: to)?(?: best)? (?:proceed|go on|continue|go ahead|handle|deal|act|resolve|solve|react|go about)|"
    rf"how (?:would|do|should) you (?:like|want|prefer|suggest)\b.*|how to (?:proceed|go on|handle|deal|continue|resolve)|"
    rf"what (?:shall|should|can|do|must|am|could) {_I}(?: supposed to| to| now| best)? do\b|what (?:now|next|then|to do)\b|"
    r"what (?:would|do|should) you (?:like me to do|want me to do|suggest|recommend|advise|prefer|want done|want to do)|"
    r"what is (?:the best way|the right way|your preference|your decision|your choice|next|to be done)|how come|what are my options|any (?:advice|suggestions?|preference|ideas?|instructions?))"
)
_WELCOME = "(?:ok|fine|acceptable|possible|permissible|allowed|permitted|good|safe|cool|right|alright|sensible|advisable|best|correct|better|desired|intended|necessary|required)"
_ACTS = tuple(
    re.compile(f"^{pattern}")
    for pattern in (
        rf"(?:shall|should|may|can|could|might|must|do|would|will|ought|am) {_I}(?: (?:need|have|just|also|then|now|please|simply|really|still|perhaps|maybe|be allowed|better|rather|to|therefore|first|supposed|meant|expected|allowed|permitted|free|going|right|correct|right in|correct in))*\b(?P<rest>.*)",
        r"(?:would|do|did|should|is it that) you (?:like|want|prefer|need|expect|wish|rather have|intend|mean)(?: it)?(?: for)? (?:me|us|that i)(?: to)?\b(?P<rest>.*)",
        r"(?:want|like|need|prefer) me to (?P<rest>.*)",
        r"(?:would|do) you (?:like|want|prefer|wish)(?: to have)?\b(?P<rest>.* (?:to be )?\w+(?:ed|en|ne|pt|ft))$",
        r"(?:shall|should|may|can|could|must|is|are)\b(?P<rest>.* (?:to )?be .*)",
        rf"(?:(?:is|was|would|will) )?(?:it |that |this )?(?:be )?(?:still )?{_WELCOME}(?: with you| by you)?(?: for me)?(?:,? (?:if i|if we|to|that i|for me to|when i))\b(?P<rest>.*)",
        r"(?:are|would) you (?:be )?(?:ok|fine|happy|comfortable|good|cool|all right|content)(?: with)?(?: it)?(?: me| my)?(?: if i| if we| for me| that i)?(?: to)?\b(?P<rest>.*)",
        r"(?:is |would )?(?P<rest>.+?) (?:is |be )?(?:ok|fine|acceptable|good|enough|allowed|possible)(?: enough)?(?: with you| for you| by you)?$",
        r"(?:do|can|may) (?:i|we) (?:have|get) (?:your |the )?(?:permission|approval|leave|consent|ok|authori[sz]ation)(?: to| for| that)?\b(?P<rest>.*)",
        r"(?:i (?:need|would like|ask for|request) )?(?:your |the )?(?:permission|approval|leave|consent|authori[sz]ation) (?:to|for) (?P<rest>.*)",
        r"(?:do|will|would|can|could) you (?:please )?(?:allow|permit|let|authori[sz]e|approve|agree|consent|give me (?:permission|leave|your ok))(?: me| to me| that i| if i| with| of)?(?: to)?\b(?P<rest>.*)",
        r"(?:am i|are we) (?:allowed|permitted|free|right|supposed|meant|good|ok|cleared|correct)(?: to| in)?\b(?P<rest>.*)",
        r"(?:whether|if)(?: or not)? (?:i|we) (?:should|may|can|shall|could|am allowed to|must|am to|need to)\b(?P<rest>.*)",
        r"(?:whether|if)(?: it is| it would be) \w+ (?:if i|to)\b(?P<rest>.*)",
        r"(?:would|do) you (?:like|want|prefer|rather)(?: to)?(?: have)?\b(?P<rest>.*)",
        r"(?:how about|what about|what if (?:i|we)|why not|why do i not|let us|let me|would it help (?:if i|to)|is it best to)\b(?P<rest>.*)",
    )
)
_PLAN = re.compile(
    r"^(?:i|we) (?:will|would|am going to|plan to|intend to|am about to|want to|propose to|suggest|could|can|should|may|"
    r"might|have to|must|would like to|need to)\b(?P<rest>.*)"
)
_MIND = re.compile(
    rf"^(?:(?:do|would) you (?:mind|object)(?: it)?(?: to)?(?: if {_I}| me| my)?|mind if {_I}|(?:any|are there any|is there any|have you any|do you have any) "
    rf"(?:objections?|problems?|concerns?|reasons?)(?: to| if {_I}| with| against| not to)?(?: me| my)?|is it (?:wrong|bad|a problem|forbidden|not ok) (?:if i|to))\b(?P<rest>.*)"
)
_TAG = re.compile(
    r"^(?:(?:is|would) (?:that|this|it) (?:be )?(?:ok|fine|right|correct|good|acceptable|what you want)\b.*|ok|agreed|right|correct|yes|yes or no|shall i|should i|may i|can i|do you agree|"
    r"does that (?:work|sound).*|sounds? (?:good|ok)|fine with you|any objections?|do you mind|would you mind|am i right)$"
)
_TAG_OF_MIND = re.compile(r"mind|objection")
_WISH = re.compile(
    r"^(?:(?:i|we) (?:will |would |do |just |also |still |only |therefore |urgently )*(?:need|require|want|lack|miss|am missing|ask for|am looking for|do not (?:know|have)|have no|cannot find|could use|would like|like)"
    r"(?: to (?:know|have|get|be told|ask))?(?: for| about)?|(?:(?:can|could|would|will) you )?(?:please )?(?:give|tell|send|provide|share|specify|supply|enter|state|type|reveal|disclose|name|hand|pass)"
    r"(?: me| us)?(?: over)?(?: with| about)?|(?:may|can|could) (?:i|we) (?:please )?(?:have|get|ask for|know|learn|be told)|do you (?:have|know|remember|recall)|(?:have|has) you (?:got)?|is there|are there)\b (?P<rest>.*)"
)
_PROMPT = re.compile(r"\b(?:asks?|asking|asked|prompts?|prompting|wants?|needs?|requires?|demands?|requesting|requests?)(?: me)?(?: for)? (?P<rest>.*)")
_YOURS = re.compile(r"^(?:your|the|any) (?:choice|preference|pick|decision|call|wish)$|^choose|^pick")
_NUMBER = re.compile(r"^(?:the )?(?:exact |total |final )?(?:number|count|quantity|amount) of (?P<rest>.*)")
_TOKEN = re.compile(r"[.~]?[\w.~/#:@+-]*\w|\w")
_STOP = frozenset(
    "should shall do does did can may must would will is are was were has have i you we it they he she to for in on at from that which "
    "with by and or under into as if there be been so when where because of than".split()
)
_BEFORE_HEAD = frozenset("the a an your my our its their this that these those kind type sort of exact exactly other correct right".split())
_COUNTS = frozenset({"number", "count", "amount"})
_EMPTY_HEADS = frozenset("one ones them two three these those all both of first several many".split())
_WH_KINDS: dict[str, Kind] = {
    "when": "time", "where": "place", "who": "person", "whom": "person", "whose": "person", "why": "reason",
    "which": "what", "what": "what", "how": "manner",
}  # fmt: skip
_SIZED: dict[str, Kind] = {
    "many": "count", "big": "count", "large": "count", "often": "count", "much": "amount", "long": "time", "soon": "time",
}  # fmt: skip


@dataclass(frozen=True)
class Asked:
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
    asked: list[Asked] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)


def read_question(text: str) -> list[Asked]:
    """Return what a text asks, in its order; where nothing is asked, what it says."""
    plain = loose(text[:MOST])
    for short, whole in _SHORT.items():
        plain = re.sub(short, whole, plain)
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
    """Return the stems of the words of a text, in their order; names of files stay whole, without their folders."""
    found: list[str] = []
    for word in _TOKEN.findall(loose(text)):
        parts = [word.strip("/").rpartition("/")[2]] if is_file(word) or ":" in word else re.split(r"[/.:_-]+", word)
        found += [stem(part) if part.isalpha() else part for part in parts if part]
    return tuple(found)


def is_file(word: str) -> bool:
    """Tell whether a word is the name of a file."""
    return re.fullmatch(r"[.~]?[\w~/#-]*(?:[\w-]\.[a-z0-9]{2,6}|/\.?\w+|^\.\w+)#?/?", word) is not None and any(map(str.isalpha, word))


def _with_offers_chosen_from(asked: list[Asked]) -> list[Asked]:
    """Take a list and the "which one?" after it (or before it) for one question."""
    found: list[Asked] = []
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
        if re.match(r"(?:which|who|where) (?:is|are|was|has|i|you|we|the)\b", rest) and re.match(_OPENER, before.strip()):
            continue
        pieces.append(before)
        start = cut.end()
    pieces.append(sentence[start:])
    return [piece.strip(" ,.:") for piece in pieces if piece.strip(" ,.:")]


def _note(reading: _Reading, clause: str, *, asks: bool) -> None:
    """Read one clause and add what it asks."""
    lead = _LEAD.match(clause)
    bare = clause[lead.end() :].strip(" ,:.-") if lead and lead.end() < len(clause) else clause
    asks = asks or (lead is not None and _ASKING.search(lead[0]) is not None)
    earlier = [each for each in reading.asked if each.kind in {"act", "plan"}]
    if _TAG.match(bare) and (earlier or reading.asked):
        if earlier:
            unwelcome = earlier[-1].unwelcome or _TAG_OF_MIND.search(bare) is not None
            reading.asked[reading.asked.index(earlier[-1])] = replace(earlier[-1], kind="act", unwelcome=unwelcome)
            return
    new = _read_clause(bare, asks=asks, aside=tuple(reading.aside))
    reading.asked.append(new)
    reading.aside += stems(clause)


def _read_clause(bare: str, *, asks: bool, aside: tuple[str, ...]) -> Asked:
    if _HOW_TO_GO_ON.match(bare):
        offered = re.split(r"[:,(]|\bor\b|-", bare, maxsplit=1)
        return Asked("advice", stems(bare), parts=_parts(offered[1]) if len(offered) > 1 else (), aside=aside)
    if wish := _WISH.match(bare):
        if not re.match(r"(?:i|we) (?:\w+ )?(?:need|want|like|would like) to\b", bare) or "to know" in bare:
            return _headed("what", wish["rest"], aside)
    if found := _MIND.match(bare):
        return _act(found["rest"], aside, unwelcome=True)
    if not re.match(rf"{_WH}\b", bare) or re.match(r"(?:what (?:about|if)|how about|why not)\b", bare):
        for pattern in _ACTS:
            if found := pattern.match(bare):
                return _act(found["rest"], aside)
        if found := _PLAN.match(bare):
            return replace(_act(found["rest"], aside), kind="act" if asks else "plan")
    if _YOURS.match(bare):
        return Asked("what", aside=aside)
    if number := _NUMBER.match(bare):
        return _headed("count", number["rest"], aside)
    words = bare.split()
    for place, word in enumerate(words[:_ASIDE] if not asks else words):
        if word in _WH_KINDS and (place <= 1 or asks):
            return _wh(words[place:], aside)
    if re.match(rf"{_AUX}\b", bare):
        return Asked("whether", stems(_CUT.sub("", bare)), parts=_parts(bare), aside=aside)
    if asks:
        return Asked("other", stems(_CUT.sub("", bare) or bare), several=_is_list(bare), parts=_parts(bare), aside=aside)
    if found := _PROMPT.search(bare):
        return _headed("what", found["rest"], aside)
    return Asked("said", stems(bare), several=_is_list(bare), parts=_parts(bare), aside=aside)


def _act(rest: str, aside: tuple[str, ...], *, unwelcome: bool = False) -> Asked:
    """Read what an offer is, without what it is set against and what is said by the way."""
    offer = _REJECTED.sub("", f" {rest}").strip() or rest
    cut = _CUT.search(f" {offer}")
    kept = _CUT.sub("", f" {offer}").strip() or offer
    return Asked("act", stems(kept), parts=_parts(kept), unwelcome=unwelcome, aside=(*aside, *(stems(cut[0]) if cut else ())))


def _is_list(text: str) -> bool:
    return re.search(r"\bor\b|\s/\s", text) is not None


def _parts(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the alternatives of an offer."""
    pieces = re.split(r"\s*(?:,\s*(?:or\s+)?|\bor(?: else)?\b|\s/\s|:\s|\beither\b|\bversus\b|\bvs\b)\s*", _CUT.sub("", f" {text}").strip())
    return tuple(found for piece in pieces if (found := stems(piece)))


def _wh(words: list[str], aside: tuple[str, ...]) -> Asked:
    """Read a clause from its word such as "which" on."""
    first, rest = words[0], words[1:]
    kind = _WH_KINDS[first]
    text = " ".join(rest)
    if first == "how" and rest:
        if rest[0] in _SIZED:
            kind = _SIZED[rest[0]]
            if rest[0] in {"big", "large"}:
                return Asked(kind, stems(f"size {text}"), stems("size"), aside=aside)
            return _headed(kind, re.sub(r"^\w+ (?:of )?\b", "", text), aside)
        return Asked(kind, stems(text), parts=_parts(text), aside=aside)
    if kind != "what":
        return Asked(kind, stems(text), parts=_parts(text), aside=aside)
    return _headed(kind, re.sub(r"^(?:is|are|was|were|would be|will be|should be)\b", "", text).strip(), aside)


def _headed(kind: Kind, text: str, aside: tuple[str, ...]) -> Asked:
    """Read a clause whose first noun is what it asks for."""
    if number := _NUMBER.match(text.strip()):
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
    return Asked(kind, words, stems(" ".join(named)), several, _parts(text), aside=aside)
