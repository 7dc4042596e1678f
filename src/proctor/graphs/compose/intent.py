"""What a composition is for, in one sentence: its theme, and what is there at the end."""

from __future__ import annotations

from collections import Counter

from proctor.graphs.compose.composition import Composition
from proctor.graphs.compose.resource import kind_of

_ALONE = {
    "archive": "Have everything for {title} in one archive.",
    "folder": "Have everything for {title} together in one folder.",
    "pdf": "Have a PDF for {title} to hand out.",
    "slides": "Have a presentation for {title} ready to show.",
    "letter": "Send out what is needed for {title} by e-mail.",
    "message": "Let everyone in the chat know about {title}.",
    "event": "Have {title} in the calendar.",
    "reminder": "Make sure that nothing about {title} is forgotten.",
    "contact": "Have the people who matter for {title} in the address book.",
    "note": "Have the important things about {title} in a note.",
    "setting": "Have the computer set up for {title}.",
    "wallpaper": "Have a wallpaper that goes with {title}.",
    "playing_track": "Have the right thing playing for {title}.",
    "clipboard_text": "Have the words for {title} on the clipboard, ready to paste.",
}
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
MOST_NAMED = 3
"""How many kinds of things a sentence lists."""


def intent(composition: Composition) -> str:
    """Return what somebody is after who asks for all of this."""
    title = composition.theme.title
    dag = composition.dag
    last = [composition.node(id) for id in dag.nodes if not dag.successors(id)]
    kinds = Counter(given.kind for node in last for given in node.bound.gives.values())
    if not kinds:
        return f"Get {title} ready."
    if kinds.total() == 1:
        (kind,) = kinds
        return _ALONE.get(kind, f"Have {_some(kind, 1)} for {{title}} ready.").format(title=title)
    named = [_some(kind, count) for kind, count in kinds.most_common(MOST_NAMED)]
    if len(kinds) > MOST_NAMED:
        named.append("everything that goes with it")
    return f"Have {', '.join(named[:-1])}{' and ' if len(named) > 1 else ''}{named[-1]} for {title} ready."


def _some(kind: str, count: int) -> str:
    noun = kind_of(kind).noun
    if kind_of(kind).slot:
        return f"the {noun}"
    if count == 1:
        return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
    return f"{_NUMBERS[count] if count < len(_NUMBERS) else count} {noun}s"
