"""How a passage that was written anew would look, had nobody given it other looks."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

MOST_LETTERS = 20_000
"""Longer passages are taken as they are."""
_WORDS = re.compile(r"\w+|\s+|[^\w\s]")

Run = dict[str, object]
"""Letters of one look: `text`, and the look itself."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """Words that are others, and look otherwise than they need to."""

    words: int
    """The difference that they are others."""
    look: int
    """The difference that they look otherwise."""
    before: object
    after: object
    plain: object
    """The later words as they would look."""

    def without(self, undone: Collection[int]) -> object:
        """Return them with some differences taken back."""
        if self.words in undone:
            return self.before
        return self.plain if self.look in undone else self.after


def looks_kept(before: object, after: object) -> list[Run] | None:
    """Return the later runs with the looks that their letters had, or that stood beside new ones.

    None where they have those already, or where that cannot be told.
    """
    if not (_are_runs(before) and _are_runs(after)):
        return None
    assert isinstance(before, list) and isinstance(after, list), "as was just seen"
    then, now = _letters(before), _letters(after)
    if not then or not now or max(len(then), len(now)) > MOST_LETTERS:
        return None
    kept = list(_known_looks(then, now))
    return None if kept == [look for _, look in now] else _runs(now, kept)


def _are_runs(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(run, dict) and isinstance(run.get("text"), str) for run in value)


def _letters(runs: Sequence[Run]) -> list[tuple[str, Run]]:
    looks = [(str(run["text"]), {name: value for name, value in run.items() if name != "text"}) for run in runs]
    return [(letter, look) for text, look in looks for letter in text]


def _known_looks(then: Sequence[tuple[str, Run]], now: Sequence[tuple[str, Run]]) -> Iterator[Run]:
    """Yield each letter's look: what stayed keeps its own, what is new may have any there was."""
    words = [_WORDS.findall("".join(letter for letter, _ in letters)) for letters in (then, now)]
    starts = [_starts(each) for each in words]
    matcher = difflib.SequenceMatcher(None, words[0], words[1], autojunk=False)
    for kind, first, end, new, new_end in matcher.get_opcodes():
        old, late = slice(starts[0][first], starts[0][end]), slice(starts[1][new], starts[1][new_end])
        if kind == "equal":
            yield from (look for _, look in then[old])
            continue
        # A word that is typed looks like what it takes the place of, or like what stands beside it.
        usual = [look for _, look in then[max(old.start - 1, 0) : old.stop + 1]]
        own = [look for _, look in then[old]] or usual
        yield from (look if look in usual else own[0] for _, look in now[late])


def _starts(words: Sequence[str]) -> list[int]:
    places = [0]
    for word in words:
        places.append(places[-1] + len(word))
    return places


def _runs(letters: Sequence[tuple[str, Run]], looks: Sequence[Run]) -> list[Run]:
    pairs = zip(letters, looks, strict=True)
    return [
        {"text": "".join(letter for (letter, _), _ in some), **look}
        for look, some in ((look, list(each)) for look, each in groupby(pairs, key=lambda pair: pair[1]))
    ]
