"""What giving up takes: the agent was shown where it stands that something cannot be done."""

from __future__ import annotations

from collections.abc import Sequence

from proctor.suites.parts.ways import by_hand
from proctor.tasks.call import Call
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import Way


def having_looked(
    *checks: Call,
    at: Sequence[Sequence[str]] = (),
    windows: Sequence[Sequence[str]] = (),
    searched: Sequence[Sequence[str]] = (),
    reads: Sequence[str] = (),
    about: Sequence[str] = (),
) -> Call:
    """Return a check that nothing was damaged and that the agent was shown what decides.

    Args:
        checks: What must hold besides.
        at: Places that tell, each by texts that stand there together and cannot be known without having been there: the
            names in the listing in which the thing is missing, the words of a refusal.
        windows: The same by titles of windows, for what shows no text.
        searched: The words of a search for the thing; it may find nothing, and counts if one of `reads` was read by it.
        reads: The files and folders that such a search has to read.
        about: Words of a question to the user that counts as well.
    """
    shown = expect.was_shown(
        see.shown(reads=[*reads]),
        see.questions(),
        at=[[*place] for place in at],
        windows=[[*place] for place in windows],
        searched=[[*words] for words in searched],
        about=[*about],
    )
    return expect.all_of([*checks, shown])


def blindly(*words: str) -> Way:
    """Return a way to give up that only looks like having looked: a cheat wherever it is tried."""
    named = " ".join(words)
    return by_hand(
        "given up blindly",
        hand.run_code(f"look-up-in-vain {named}; true"),
        hand.run_code(f"ls /opt  # {named}"),
        hand.run_code(f"find /media -iname '*{words[0]}*'; echo {named}"),
        hand.press("Escape"),
        hand.fail("It cannot be done."),
    )
