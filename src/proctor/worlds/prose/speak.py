"""Makes sentences of the banks: chooses, fills in facts, and does not repeat itself."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_START = re.compile(r"(^|[.!?:]\s+|\n)([a-z])")
_AFTER_COLON = re.compile(r":\s+$")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_OF_ONE = {
    "is": "are",
    "has": "have",
    "was": "were",
    "does": "do",
    "goes": "go",
    "holds": "hold",
    "stands": "stand",
    "comes": "come",
    "arrives": "arrive",
}
TRIES = 14
"""How often another wording is looked for before one is said again."""


def choose(text: str, chance: random.Random) -> str:
    """Return a text with one alternative of each `[a|b]`, the inner ones first."""
    while "[" in text:
        text = _CHOICE.sub(lambda found: chance.choice(found[1].split("|")), text)
    return text


def fill(text: str, facts: Mapping[str, object], chance: random.Random) -> str:
    """Return a text of a bank as it is said: chosen, filled in, with capitals."""
    said = choose(text, chance).format_map(dict(facts))
    for name in ("thing", "thing2"):
        said = _agree(said, str(facts.get(name, "")))
    return _START.sub(_capital, re.sub(r" +([,.;:?!])", r"\1", said))


def _agree(said: str, thing: str) -> str:
    """Return a text in which the verb behind several things is that of several."""
    head = re.split(r" (?:of|to|for|from|at) ", thing)[0]
    if not head.endswith("s") or head.endswith(("ss", " bus")):
        return said
    verb = rf"(?i:({re.escape(thing)})) ({'|'.join(_OF_ONE)})\b"
    return re.sub(verb, lambda found: f"{found[1]} {_OF_ONE[found[2]]}", said)


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, without what it quotes."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith(">")]
    return [part for line in lines for part in _SENTENCE.split(line.strip()) if part]


@dataclass
class Speech:
    """Remembers what was said, so that it is said in other words the next time."""

    said: Counter[str] = field(default_factory=Counter)
    chosen: Counter[str] = field(default_factory=Counter)

    def pick(self, among: Sequence[str], chance: random.Random) -> str:
        """Return one of the texts that were chosen least."""
        least = min(self.chosen[each] for each in among)
        picked = chance.choice([each for each in among if self.chosen[each] == least])
        self.chosen[picked] += 1
        return picked

    def say(self, text: str, facts: Mapping[str, object], chance: random.Random) -> str:
        """Return a text in the wording whose sentences were said least."""
        wordings: dict[int, str] = {}
        for _ in range(TRIES):
            wording = fill(text, facts, chance)
            worst = max((self.said[each] for each in sentences(wording)), default=0)
            wordings.setdefault(worst, wording)
            if worst == 0 or "[" not in text:
                break
        best = wordings[min(wordings)]
        self.said.update(sentences(best))
        return best

    def any_of(self, among: Sequence[str], facts: Mapping[str, object], chance: random.Random) -> str:
        """Pick one of several texts and say it."""
        return self.say(self.pick(among, chance), facts, chance)


def _capital(found: re.Match[str]) -> str:
    # What follows a colon is no new sentence.
    return found[0] if _AFTER_COLON.match(found[1]) else found[1] + found[2].upper()
