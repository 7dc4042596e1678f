"""The agenda of events: which are due, by what was done and what checks say, and no clock."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from proctor.tasks.call import Call
from proctor.tasks.events import Event, When

Holds = Callable[[Call], bool]
"""Tells whether a check holds now."""


def always(_event: Event) -> bool:
    """Let every event come as soon as it is due."""
    return True


class Acted(NamedTuple):
    """How much an agent has done so far."""

    actions: int = 0
    seconds: float = 0.0
    """Of its acting: an action counts as one, and waiting as long as it lasts."""

    def since(self, earlier: Acted) -> Acted:
        """Return what it has done since."""
        return Acted(self.actions - earlier.actions, self.seconds - earlier.seconds)


@dataclass
class _Moment:
    """A moment that is waited for."""

    when: When
    came: Acted | None = None
    """How much had been done when its check held and all before it had happened."""
    fresh: bool = True
    """Whether its check counts: after the event, only once it was seen not to hold."""

    def is_there(self, now: Acted, holds: Holds, happened: Collection[str]) -> bool:
        """Tell whether it has come; its check is asked only while that matters."""
        when = self.when
        if self.came is None and all(name in happened for name in when.after):
            held = when.check is None or holds(when.check)
            if held and self.fresh:
                self.came = now
            self.fresh = self.fresh or not held
        if self.came is None:
            return False
        gone = now.since(self.came)
        return gone.actions >= when.actions and gone.seconds >= when.seconds

    def begin_again(self, now: Acted) -> None:
        """Wait for the next time."""
        self.fresh = self.when.check is None
        self.came = now if self.fresh else None


def _wait_for(when: When, now: Acted) -> _Moment:
    """Return a moment that is waited for from now on; one that only counts begins at once."""
    return _Moment(when, now if when.check is None and not when.after else None)


@dataclass
class _AgendaEntry:
    """One event on the agenda."""

    event: Event
    moment: _Moment
    until: _Moment | None = None
    undo: _Moment | None = None
    """When it is taken back, while it is there to be taken back."""
    left: int = 1
    """How often it may still happen."""


class Agenda:
    """Says what is due, in the order of the task; whoever asks brings it about.

    The same counts and the same answers of checks give the same order.
    """

    def __init__(self, events: Sequence[Event]) -> None:
        self._entries = [
            _AgendaEntry(
                event,
                _wait_for(event.when, Acted()),
                _wait_for(event.until, Acted()) if event.until else None,
                left=event.times,
            )
            for event in events
        ]
        self.happened: set[str] = set()
        """The names of the events that have been brought about."""

    @property
    def waits(self) -> bool:
        """Whether anything may still be due."""
        return any(entry.left or entry.undo for entry in self._entries)

    def due(self, now: Acted, holds: Holds, may: Callable[[Event], bool] = always) -> Iterator[tuple[Event, bool]]:
        """Yield what is due, and whether it is to be taken back.

        Each is to be done before the next is asked for.

        Whoever has brought an event about says so by `note`. Each event comes at most once in one look. One that may
        not come now is due again at the next look.
        """
        seen: set[str] = set()
        asked: dict[str, bool] = {}

        def ask(check: Call) -> bool:
            if check.key not in asked:
                asked[check.key] = holds(check)
            return asked[check.key]

        found = True
        while found:
            found = False
            for entry in self._entries:
                name = entry.event.name
                if entry.undo is not None and entry.undo.is_there(now, ask, self.happened):
                    entry.undo = None
                    yield entry.event, True
                if name in seen or not entry.left:
                    continue
                if entry.until is not None and entry.until.is_there(now, ask, self.happened):
                    entry.left = 0
                elif entry.moment.is_there(now, ask, self.happened) and may(entry.event):
                    seen.add(name)
                    found = True
                    entry.left -= 1
                    yield entry.event, False
                    entry.moment.begin_again(now)

    def note(self, event: Event, now: Acted) -> None:
        """Say that an event has been brought about."""
        self.happened.add(event.name)
        if event.undo is not None:
            entry = next(entry for entry in self._entries if entry.event is event)
            entry.undo = _wait_for(event.undo.when, now)

    def is_over(self, event: Event) -> bool:
        """Tell whether it can happen no more."""
        return next(not entry.left for entry in self._entries if entry.event is event)
