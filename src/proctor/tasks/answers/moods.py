"""The words by which people deny, doubt, leave open, round and add."""

from __future__ import annotations

import re
import tomllib
from importlib import resources

PHRASES: dict[str, list[str]] = tomllib.loads((resources.files("proctor.tasks.answers") / "moods.toml").read_text())
_MONEY = r"[€$£~(]{0,2}\s?"


def _any_of(*keys: str) -> str:
    return "|".join(phrase for key in keys for phrase in PHRASES[key]).replace("{I}", "(?:I|we)")


def _phrases(*keys: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{_any_of(*keys)})(?!\w)", re.IGNORECASE)


DENIAL = _phrases("denial")
DECLINES = _phrases("denial", "declines")
NO_DENIAL = _phrases("no_denial")
ACCEPTS = _phrases("accepts")
INSTEAD = _phrases("instead")
REJECTS = _phrases("rejects")
DOUBT = _phrases("doubt")
LEFT_OPEN = _phrases("left_open")
ADDS = _phrases("adds")
NOUGHT = _phrases("nought")
FINITE = _phrases("finite")
GENERIC = frozenset("".join(PHRASES["generic"]).split())
"""Words that say nothing of what an answer is about."""
YES = re.compile(rf"^(?:{_any_of('yes')})(?!\w)", re.IGNORECASE)
NO = re.compile(rf"^(?:{_any_of('no')})(?!\w)", re.IGNORECASE)
WORKS_OUT = re.compile(rf"(?<!\w)(?:{_any_of('works_out')})(?!\w)|[=+×÷]", re.IGNORECASE)

ROUNDS = re.compile(
    rf"(?:(?<!\w)(?:{_any_of('rounds')})|~|±)\s?(?:(?:at|the|a|an|in|of|to|from|between|exactly)\s)?{_MONEY}$",
    re.IGNORECASE,
)
BOUNDS = re.compile(rf"(?<!\w)(?:{_any_of('bounds')})\s?(?:(?:the|a|an)\s)?{_MONEY}$", re.IGNORECASE)
ROUNDS_BEHIND = re.compile(
    rf"^\s?(?:[€$£%]|eur(?:os?)?|dollars?)?\s?(?:[^\W\d_]{{1,20}}\s)?,?\s?(?:{_any_of('rounds_behind')})(?!\w)",
    re.IGNORECASE,
)
OFF = re.compile(r"(?<!closed )(?<!shut )(?:^|(?<!\w))(?:after|before|past)\s$", re.IGNORECASE)
"""Before or after a time is none."""
NOT_BEFORE = re.compile(r"(?<!\w)(?:not before|(?:no|not) (?:earlier|sooner) than)\s$", re.IGNORECASE)
AT_THE_OUTSIDE = re.compile(r"^\s?,?\s?at the (?:latest|earliest)(?!\w)", re.IGNORECASE)
DUE = re.compile(r"(?<!\w)(?:by|until|till|before|no later than|not later than)\s$", re.IGNORECASE)
"""By five at the latest: that says when something is due."""
RANKED_BEHIND = re.compile(
    r"(?<!\w)(?:\w{2,}est|best|first|most|least)(?!\w).*"
    r"(?<!\w)(?:then|followed by|next|before|second|third)(?!\w)[^.;]*$",
    re.IGNORECASE,
)
"""The cheapest is this one, then that one: what is ranked behind is no answer."""
ISH = re.compile(r"^-?ish\b|^\+(?!\s?[\d€$£])", re.IGNORECASE)
ADDS_BEFORE = re.compile(
    r"(?<!\w)(?:plus|another|an additional|an extra|a further|additional|extra|on top of)\s?[€$£]?\s?$", re.IGNORECASE
)

PREFERS = re.compile(
    r"(?<!\w)(?:prefer|chose|choos|pick|went for|go for|select|opt)\w*\b[^,.;]{1,60}\bover(?!\w)", re.IGNORECASE
)
FOR_A_REASON = re.compile(r"^\W*(?:since|because|as|whereas|while|although|though|who|whose|which)\b", re.IGNORECASE)
EXCEPT = re.compile(r"except(?: for)?|apart from|(?:any|every|all)\w*(?: \w+)? but", re.IGNORECASE)
"""What follows is left out, over commas too."""
FORMERLY = re.compile(
    r"\b(?:moved|changed|postponed|rescheduled|shifted|put off|brought forward|switched)\b[^.]{0,20}\bfrom\s$",
    re.IGNORECASE,
)
ROW_ENDS_DENIED = re.compile(
    r"(?:and|or|nor)\s(?!not\b)[^,]{1,40}\b(?:are|is|do|does|will|can|could|have|has|were|was)(?:n't| not)\b",
    re.IGNORECASE,
)
IS_WRONG = re.compile(
    r"(?<!\w)(?:that|this|which|it|these|those|the (?:answer|number|figure|time|total|date))"
    r"(?:'s| is| was| are| can| would)?(?: all| simply| probably)?(?: not| n't|n't|not)? ?(?:be )?"
    r"(?:wrong|cancelled|incorrect|false|untrue|mistaken|a guess|(?<=not )(?:right|correct|true|so|it))[.!]?$"
    r"|(?:is|was|been|got) (?:put off|postponed|called off|delayed|rescheduled)[.!]?$"
    r"|(?:cancel|reject|drop|revok|withdr|revers)\w* (?:it|that|this)|^(?:no|wrong)$",
    re.IGNORECASE,
)
"""A piece that takes back what was said."""
CHOOSES_BETWEEN = re.compile(
    r"\bor\b(?! so\b| rather\b| thereabouts\b)|^\s?/\s?$|\bversus\b|\bvs\b|\balternatively\b|\botherwise\b",
    re.IGNORECASE,
)
SPAN = re.compile(
    r"^\s?(?:[€$£%]|[^\W\d_]{1,12})?\s?(?:-|to|until|till?|through|up to|\.\.\.?)\s?[€$£]?\s?$", re.IGNORECASE
)
BETWEEN = re.compile(r"\b(?:between|from|anywhere from)\s?[€$£]?\s?$", re.IGNORECASE)
ENDS_BETWEEN = re.compile(
    r"\b(?:clos|shut|end|finish|start|begin|arriv|leav|depart)\w*\s(?:\w+\s){0,2}(?:between|from)\s?$", re.IGNORECASE
)
