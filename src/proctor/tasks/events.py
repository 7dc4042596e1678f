"""Events: what happens on a computer while an agent is at work, and when."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Annotated

from pydantic import Field

from proctor.errors import UnknownName
from proctor.tasks.call import Call, DataPath
from proctor.tasks.model import PlainModel, Text
from proctor.tasks.shelf import Problem
from proctor.tasks.shelves import names as names_of
from proctor.tasks.shelves import problems as call_problems
from proctor.tasks.shelves import tool

LONGEST_SEC = 86_400.0


class When(PlainModel):
    """A moment: all of this has become true, followed by this many actions and seconds.

    Seconds count only while the agent acts: an action counts as one second, a wait as long as it lasts. The time that
    the agent thinks does not count, so that the same actions bring the same events; a run may ask for real seconds.
    """

    check: Call | None = None
    """A check that must have held once; if it stops holding later, that changes nothing."""
    checkpoint: str = ""
    """The checkpoint that must have held once, by its name, in place of a check."""
    after: tuple[Text, ...] = ()
    """Events that must have happened, by their names."""
    actions: Annotated[int, Field(ge=0, le=1000)] = 0
    """This many actions of the agent later."""
    seconds: Annotated[float, Field(ge=0, le=LONGEST_SEC)] = 0
    """This many seconds later, counting only time in which the agent acts."""

    @property
    def waits(self) -> bool:
        """Whether something must have come true, other than events."""
        return self.check is not None or bool(self.checkpoint)

    def __str__(self) -> str:
        held = [f"once {self.check} holds"] if self.check is not None else []
        held += [f"once the checkpoint {self.checkpoint!r} holds"] if self.checkpoint else []
        before = [f"after {' and '.join(map(repr, self.after))}"] if self.after else []
        counts = (("action", self.actions), ("second", self.seconds))
        later = [f"{number:g} {word}{'s' * (number != 1)} later" for word, number in counts if number]
        return ", ".join([*before, *held, *later])


class Undo(PlainModel):
    """How an event is undone, and when, counted from the event."""

    do: Annotated[tuple[Call, ...], Field(min_length=1)]
    """Setup steps, in order."""
    when: When


class Event(PlainModel):
    """Something that happens while the agent is working."""

    name: Text
    do: Annotated[tuple[Call, ...], Field(min_length=1)]
    """Setup steps that make it happen, in order."""
    when: When
    """When it happens, counted from the beginning."""
    times: Annotated[int, Field(ge=1, le=100)] = 1
    """Maximum number of times: each time the check holds again after it did not, or that many actions later."""
    until: When | None = None
    """From this moment on it no longer happens."""
    undo: Undo | None = None
    needed: bool = False
    """Whether the verdict depends on it: if one of its steps fails, the exam is void."""

    @property
    def checks(self) -> tuple[Call, ...]:
        """The checks that say when it happens."""
        return tuple(when.check for _, when in _moments(self) if when.check is not None)

    def with_checks(self, checkpoints: Mapping[str, Call]) -> Event:
        """Return it with the checks of checkpoints in place of their names."""

        def stated(when: When) -> When:
            named = when.checkpoint
            return when.model_copy(update={"check": checkpoints[named], "checkpoint": ""}) if named else when

        if not any(when.checkpoint for _, when in _moments(self)):
            return self
        until = self.until and stated(self.until)
        undo = self.undo and self.undo.model_copy(update={"when": stated(self.undo.when)})
        return self.model_copy(update={"when": stated(self.when), "until": until, "undo": undo})


def event_problems(events: Sequence[Event], steps: int, checkpoints: Collection[str] = ()) -> Iterator[Problem]:
    """Yield everything wrong with the events of a task that allows so many actions and has these checkpoints."""
    first: dict[str, int] = {}
    for place, event in enumerate(events):
        at = ("events", place)
        if first.setdefault(event.name, place) != place:
            yield Problem((*at, "name"), f"there are two events called {event.name!r}; give one another name")
        yield from _call_problems(event, at)
        yield from _when_problems(event, at, first.keys() | {each.name for each in events})
        yield from _checkpoint_problems(event, at, checkpoints)
    by_name = {event.name: event for event in events}
    if cycle := _cycle(by_name):
        said = " after ".join(repr(name) for name in cycle)
        yield Problem(
            ("events", first[cycle[0]], "when", "after"), f"none of these can happen: {said}; break the circle"
        )
        return
    for name, event in by_name.items():
        for where, why in _never(event, by_name, steps):
            yield Problem(("events", first[name], *where), f"the event {name!r} can never happen: {why}")


def _call_problems(event: Event, at: DataPath) -> Iterator[Problem]:
    """Yield what is wrong with its steps and checks."""
    steps = {("do",): event.do, ("undo", "do"): event.undo.do if event.undo else ()}
    for where, calls in steps.items():
        yield from call_problems(calls, (*at, *where), "setup")
        for place, call in enumerate(calls):
            if call.kind == "setup" and call.name in names_of("setup") and tool(call).before_use:
                said = f"the setup step {call.name!r} prepares a computer that nobody uses yet; take it in 'setup'"
                yield Problem((*at, *where, place), f"{said}, or another step here")
    for where, when in _moments(event):
        if when.check is not None:
            yield from call_problems(when.check, (*at, *where, "check"), "check")


def _checkpoint_problems(event: Event, at: DataPath, checkpoints: Collection[str]) -> Iterator[Problem]:
    """Yield the moments that wait for a checkpoint which is not there, or for two things at once."""
    for where, when in _moments(event):
        place = (*at, *where, "checkpoint")
        if when.checkpoint and when.checkpoint not in checkpoints:
            error = UnknownName("checkpoint", when.checkpoint, checkpoints)
            yield Problem(place, f"{error.message}; {error.remedy}")
        if when.checkpoint and when.check is not None:
            yield Problem(place, "a moment waits for a 'check' or for a 'checkpoint'; leave one out")


def _moments(event: Event) -> Iterator[tuple[tuple[str, ...], When]]:
    yield ("when",), event.when
    if event.until is not None:
        yield ("until",), event.until
    if event.undo is not None:
        yield ("undo", "when"), event.undo.when


def _when_problems(event: Event, at: DataPath, names: Collection[str]) -> Iterator[Problem]:
    """Yield the moments that say nothing, or name events that are not there."""
    for where, when in _moments(event):
        for place, name in enumerate(when.after):
            if name not in names:
                error = UnknownName("event", name, names)
                yield Problem((*at, *where, "after", place), f"{error.message}; {error.remedy}")
        counted = when.seconds if where == ("undo", "when") else 0
        if not when.waits and not when.after and not when.actions and not counted:
            said = "seconds alone say no moment" if when.seconds else "nothing says when"
            yield Problem((*at, *where), f"{said}; give a 'check', 'after' an event, or a number of 'actions'")
    moment = event.when
    if event.times > 1 and not moment.waits and not moment.actions and not moment.seconds:
        yield Problem((*at, "times"), "it would happen every time at once; say how many 'actions' lie between")


def _cycle(events: dict[str, Event]) -> list[str]:
    """Return the names of events that wait for each other in a circle, the first again at the end."""
    done: set[str] = set()
    for start in events:
        way: list[str] = []
        stack = [(start, iter(events[start].when.after))] if start not in done else []
        while stack:
            name, left = stack[-1]
            if name not in way:
                way.append(name)
            following = next(left, None)
            if following is None:
                done.add(name)
                stack.pop()
                way.pop()
            elif following in way:
                return [*way[way.index(following) :], following]
            elif following in events and following not in done:
                stack.append((following, iter(events[following].when.after)))
    return []


def _before(event: Event, events: dict[str, Event]) -> set[str]:
    """Return the names of all events that must have happened before one does."""
    found: set[str] = set()
    waiting = list(event.when.after)
    while waiting:
        name = waiting.pop()
        if name not in found and name in events:
            found.add(name)
            waiting += events[name].when.after
    return found


def _earliest(event: Event, events: dict[str, Event]) -> int:
    """Return after how many actions it can happen at the earliest."""
    known: dict[str, int] = {}
    for name in sorted(_before(event, events), key=lambda name: len(_before(events[name], events))):
        when = events[name].when
        known[name] = when.actions + max((known[first] for first in when.after if first in known), default=0)
    return event.when.actions + max((known[first] for first in event.when.after if first in known), default=0)


def _never(event: Event, events: dict[str, Event], steps: int) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield why an event cannot happen, and where that is said."""
    when, until = event.when, event.until
    if (earliest := _earliest(event, events)) >= steps:
        yield ("when",), f"it comes after {earliest} actions, and the task ends after {steps}; raise limits.steps"
    if (
        until is None
        or not set(until.after) <= _before(event, events)
        or (until.check, until.checkpoint) not in ((None, ""), (when.check, when.checkpoint))
    ):
        return
    # By then all that ends it has come true, and it has so many actions or seconds left.
    if until.actions <= when.actions and until.seconds <= when.seconds:
        yield ("until",), "it is over before it may come; let 'until' come later than 'when'"
