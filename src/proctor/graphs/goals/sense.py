"""What no composed task may do, because nobody would ask for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from proctor.graphs.goals.goal import Goal

PACKERS = frozenset({"zip-a-file", "zip-two-files", "zip-three-files", "zip-a-folder", "pack-a-file"})
COPIERS = frozenset({"copy-a-folder", "copy-a-picture", "copy-a-text", "copy-picture", "save-a-copy-of-a-pdf"})
FORM_ALONE = frozenset(
    {
        *PACKERS, *COPIERS, "convert-picture", "convert-recording", "export-a-database", "export-a-document",
        "export-a-pdf-as-text", "export-a-sheet", "export-a-sheet-as-table", "export-slides", "make-a-database",
        "note-from-a-reminder", "note-from-a-text", "print-a-text-file", "print-a-web-page", "publish-a-text",
        "remind-of-a-note", "remind-of-a-text", "turn-a-table-into-a-spreadsheet", "turn-a-text-into-a-document",
        "turn-a-text-into-a-slide", "unpack-an-archive",
    }
)  # fmt: skip
"""Subtasks after which the same is there in another form; one after the other, they must not come back."""


FIXERS = frozenset({"flip-picture", "invert-picture", "mirror-picture", "turn-picture"})
"""Subtasks that put a picture right, of which one picture needs one."""
POINTLESS = {
    ("add-a-last-line", "copy-the-last-line"): "copies the line that",
    ("list-a-folder", "sort-the-lines"): "sorts again what",
    ("multiply-two-columns", "drop-a-column"): "takes away what",
    ("put-a-heading-on-a-document", "copy-the-first-paragraph"): "copies the heading that",
    ("sort-the-lines", "reverse-the-lines"): "turns round what",
    ("write-a-script", "sign-a-script"): "signs what",
}
"""Pairs of which nobody asks for the second after the first, and why."""
ONE_OF = (
    frozenset({"record-a-total", "record-the-largest"}),
    frozenset({"remind-of-a-text", "remind-of-the-last-line"}),
    frozenset({"note-of-two-texts", "note-of-three-texts"}),
    frozenset({"note-the-entries", "remind-of-the-entries", "take-a-column"}),
    frozenset({"copy-the-last-line", "keep-the-end", "note-the-last-line", "post-the-last-line",
               "remind-of-the-last-line"}),
)  # fmt: skip
"""Subtasks of which one says of a thing what the others would say once more."""
MOST_PASTED = 2
"""How often the same text is put somewhere."""


@dataclass(frozen=True, slots=True)
class NodeSense:
    """What a node does: its subtask, the kinds of what it takes, and the kind of what it gives."""

    subtask: str
    takes: tuple[str, ...]
    gives: str


def nonsense(
    senses: Mapping[str, NodeSense],
    links: Collection[tuple[str, str]],
    *,
    last: Collection[str],
    several: bool = False,
) -> Iterator[str]:
    """Yield what makes no sense in a graph.

    Args:
        senses: What each node does.
        links: Which node hands something on to which.
        last: The nodes whose outcome is wanted for itself.
        several: Whether it is about several things of a kind, for each of which something may be done.
    """
    idle = set(senses) - {first for first, _ in links} - set(last)
    yield from (f"nobody uses what {senses[node].subtask} makes" for node in sorted(idle))
    if not several:
        times = Counter(sense.subtask for sense in senses.values())
        yield from (f"{name} is done {count} times" for name, count in sorted(times.items()) if count > 1)
    for first, later in sorted(set(links)):
        if senses[first].subtask == senses[later].subtask:
            yield f"{senses[first].subtask} feeds itself"
        if why := POINTLESS.get((senses[first].subtask, senses[later].subtask)):
            yield f"{senses[later].subtask} {why} {senses[first].subtask} makes"
        if senses[later].subtask in COPIERS:
            yield f"{senses[later].subtask} copies what has only just been made"
        if {senses[first].subtask, senses[later].subtask} <= FIXERS:
            yield f"{senses[later].subtask} changes what {senses[first].subtask} has put right"
        if senses[first].gives == "archive" and senses[later].subtask in PACKERS:
            yield f"{senses[later].subtask} packs an archive into an archive"
    for first, pasted in sorted(Counter(first for first, later in set(links)).items()):
        if senses[first].gives == "clipboard_text" and pasted > MOST_PASTED:
            yield f"what {senses[first].subtask} copies is pasted {pasted} times"
    yield from _round_trips(senses, links)


def old_versions(goal: Goal, taken: Mapping[str, Collection[str]]) -> Iterator[str]:
    """Yield what is made of an old version where a newer one has been made.

    `taken` says what each role is made of, in the order of the ports of its subtask.
    """
    origins = {role: _origins(role, taken) for role in taken}
    for role, sources in taken.items():
        allowed = {option for way in goal.ways[role] for options in way.sources for option in options}
        for source in sources:
            newer = [
                one
                for one in sorted(allowed & set(taken) - set(sources))
                if source in origins[one] and role not in origins[one]
            ]
            yield from (f"{role!r} is made of {source!r}, not of the newer {one!r}" for one in newer)


def said_twice(subtasks: Mapping[str, str], taken: Mapping[str, Collection[str]]) -> Iterator[str]:
    """Yield what says the same of one thing as another part; `subtasks` makes each role."""
    for one, other in combinations(sorted(subtasks), 2):
        pair = {subtasks[one], subtasks[other]}
        if len(pair) == 2 and set(taken[one]) & set(taken[other]) and any(pair <= alike for alike in ONE_OF):
            yield f"{one!r} and {other!r} say the same of one thing"


def _origins(role: str, taken: Mapping[str, Collection[str]]) -> frozenset[str]:
    """Return all that something is made of, however far back."""
    found: set[str] = set()
    waiting = list(taken[role])
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += taken.get(one, ())
    return frozenset(found)


def _round_trips(senses: Mapping[str, NodeSense], links: Collection[tuple[str, str]]) -> Iterator[str]:
    before: dict[str, list[str]] = {}
    for first, later in sorted(set(links)):
        if {senses[first].subtask, senses[later].subtask} <= FORM_ALONE:
            before.setdefault(later, []).append(first)
    for node in sorted(before):
        for way in _ways_back(node, before):
            steps = [senses[one] for one in reversed(way)]
            named = " and then ".join(step.subtask for step in steps)
            changes = any(step.gives not in steps[0].takes for step in steps)
            if len(steps) > 1 and changes and steps[-1].gives in steps[0].takes:
                yield f"{named} go round in a circle"


def _ways_back(node: str, before: Mapping[str, Sequence[str]]) -> Iterator[list[str]]:
    yield [node]
    for first in before.get(node, ()):
        yield from ([node, *way] for way in _ways_back(first, before))
