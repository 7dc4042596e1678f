"""A person's hand on a desktop, watched while it works and told to the episode as turns.

What the person does has reached the computer before it is heard of here. So for each thing they do there must be a
picture from before: the screen is watched all along, and the last picture at hand is taken when something begins.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from proctor.actions.action import Action, Move, SignalAction, Wait
from proctor.agents.agent import Turn, Vetoed
from proctor.computers.computer import Computer, Performed
from proctor.exam.state import ExamState
from proctor.exam.watcher import AlreadyPerformed, Reply, Watcher
from proctor.observations.observation import Observation
from proctor.records import Told
from proctor.studio.record.at_hand import AtHand, ScreenPicture
from proctor.studio.record.events import Event, KeyMoved, PointerAt
from proctor.studio.record.focus import FocusAtHand, may_refocus
from proctor.studio.record.gestures import LONGEST_WAIT, Gestures, MadeAction
from proctor.studio.record.glance import Glanced, LiveQuestion, glance
from proctor.studio.record.paths import Place
from proctor.studio.record.targets import Aim, AimFinder
from proctor.studio.record.trees import TreeAtHand

LOOP_SEC = 0.05
"""How often the screen is looked at while nothing comes in."""
REST_SEC = 0.6
"""After an action the screen has this long to come to rest, unless the next one begins."""
HOVER_SEC = 0.25
"""A pointer that rests so long may have brought something up."""
WAIT_SEC = 2.0
CHANGED = 0.002
"""The share of the screen that must change by itself for a pause to be a wait, or a resting pointer to be a move."""


@dataclass(frozen=True, slots=True)
class FinalWord:
    """A word of the person to the examiner."""

    action: SignalAction


@dataclass(frozen=True, slots=True)
class Left:
    """Nobody goes on; the episode ends without a verdict of the person's own."""

    why: str


@dataclass(frozen=True, slots=True)
class HandedBack:
    """The person is done for now, and the agent goes on."""


Heard = Event | FinalWord | Left | HandedBack | LiveQuestion[Any]


@dataclass(frozen=True, slots=True)
class HandStart:
    """What was there when something began."""

    picture: ScreenPicture
    seen: Observation
    """The picture, and the tree where that is known."""
    target: Aim = Aim()
    thought: str = ""


@dataclass(frozen=True, slots=True)
class Doing:
    """Something the person did, ready to be told."""

    made: MadeAction
    begun: HandStart


class WatchedHand(Watcher):
    """Hears what a person does, from the server's threads, and tells it in the thread of the episode."""

    def __init__(
        self,
        ready: Callable[[tuple[int, int]], None],
        told: Callable[[Sequence[Told]], None],
        keep: Callable[[int, Sequence[MadeAction]], None],
    ) -> None:
        """Begin to listen.

        `ready` hears the size of the desktop when the person can begin, `told` what the person is told, and `keep` how
        many actions were told and what is under way after them.
        """
        self._ready, self._told, self._keep = ready, told, keep
        self._count = 0
        self._heard: queue.SimpleQueue[Heard] = queue.SimpleQueue()
        self._gestures = Gestures()
        self._begun: dict[float, HandStart] = {}
        self._done: list[Doing] = []
        self._now: tuple[Performed, Observation, Observation] | None = None
        """The action that is being told, with what was seen before it and after."""
        self.instruction = ""
        """What the person is asked, once the computer is prepared: some tasks know their words only then."""
        self._leaving = ""
        self._thought = ""
        self._pointer: PointerAt | None = None
        self._touched = self._touched_before = 0.0
        """When a key or a button last went down or up, and when the one before it did."""
        self._refocused = 0.0
        """When something was last done that may give the focus to another: anything but a letter that is typed."""
        self._mask = 0
        self._arrived: ScreenPicture | None = None
        """The screen as it was when the pointer came to where it is."""
        self._last: tuple[float, ScreenPicture] | None = None
        """When the last action that was told ended, and what was there after it."""

    # -- what the server's threads say --------------------------------------------------------------------------------

    def hear(self, heard: Heard) -> None:
        """Take what the person does or says, or a question to the computer; from any thread."""
        self._heard.put(heard)

    def glance(self) -> Glanced:
        """Return the screen as it is now, asked in turn with what the person does; from any other thread."""
        question = LiveQuestion(glance)
        self.hear(question)
        return question.answer()

    def think(self, thought: str) -> None:
        """Keep a thought for whatever the person does next; from any thread."""
        self._thought = thought

    @property
    def nameless_keys(self) -> list[int]:
        """Keysyms that no action names; they reached the computer and are not in the record otherwise."""
        return list(self._gestures.nameless_keys)

    # -- as a watcher of the exam ------------------------------------------------------------------------------

    def begin(self, exam: ExamState) -> None:
        """Look at the computer for the first time."""
        self._computer: Computer = exam.computer
        self.instruction = exam.brief.instruction
        self._screen = AtHand(self._computer)
        self._trees = TreeAtHand(self._computer, self._screen)
        self._targets = AimFinder(self._computer, self._screen, self._trees)
        self._focus = FocusAtHand(self._targets.of_keys)

    def before(self, exam: ExamState, action: Action) -> Reply:
        """Show what was there before the action, and say how the hand has carried it out."""
        if self._leaving:
            raise Vetoed(self._leaving)
        if self._now is None:
            self._count += 1  # a last word, or what is repeated of a recording
            return None
        told, steps = exam.observation.told, exam.observation.steps
        exam.observation = replace(self._now[1], told=told, steps=steps)
        return AlreadyPerformed(self._now[0], self._now[2])

    # -- as the hand of the agent `human` -----------------------------------------------------------------------------

    def turns(self) -> Iterator[Turn]:
        """Yield what the person does and says, until they say how it ended."""
        self._touched = self._refocused = time.monotonic()  # whoever was here before may have done anything
        # Asked before the person may press the first key.
        self._focus.look(0.0)
        self._ready(self._computer.size)
        while True:
            for heard in self._arrivals():
                if isinstance(heard, PointerAt | KeyMoved):
                    self._feed(heard)
                    continue
                if not isinstance(heard, FinalWord | Left | HandedBack):
                    heard.put_to(self._computer)
                    continue
                self._take(self._gestures.end(time.monotonic()))
                yield from self._finish_turns(everything=True)
                if isinstance(heard, HandedBack):
                    return
                yield self._last_word(heard)
            self._take(self._gestures.tick(time.monotonic()))
            if not self._gestures.busy:
                # A pointer that rests is about to click; that comes sooner than a key.
                self._targets.look_up(self._pointer)
                self._focus.look(max(self._touched, self._screen.look().at))
                self._trees.look(self._touched)
            yield from self._finish_turns()
            under_way = self._gestures.pending
            self._keep(self._count, [each.made for each in self._done] + ([under_way] if under_way else []))

    def show(self, observation: Observation) -> None:
        """Hand on what the person is told."""
        if observation.told:
            self._told(observation.told)

    def _last_word(self, heard: FinalWord | Left) -> Turn:
        self._now = None
        thought, self._thought = self._thought, ""
        if isinstance(heard, FinalWord):
            return Turn(actions=(heard.action,), thought=thought)
        self._leaving = heard.why
        return Turn(actions=(Wait(seconds=0.0),), thought=thought)

    def _arrivals(self) -> list[Heard]:
        """Return what came in, in its order; wait a moment where nothing did."""
        found: list[Heard] = []
        try:
            found.append(self._heard.get(timeout=LOOP_SEC))
            while True:
                found.append(self._heard.get_nowait())
        except queue.Empty:
            return found

    # -- what was done ------------------------------------------------------------------------------------------------

    def _feed(self, event: Event) -> None:
        if isinstance(event, PointerAt):
            self._move_pointer(event)
            touched, self._mask = event.mask != self._mask, event.mask
        else:
            touched = True
        if touched:
            self._touched_before, self._touched = self._touched, event.at
        before, made = self._gestures.began, self._gestures.feed(event)
        self._take(made)
        began = self._gestures.began
        if began is not None and began != before and began not in self._begun:
            place = (event.x, event.y) if isinstance(event, PointerAt) else None
            self._begun[began] = self._start(began, place)
        if may_refocus(event, acted=bool(made), typing=self._gestures.typing) and touched:
            self._refocused = event.at

    def _start(self, began: float, place: Place | None) -> HandStart:
        """Keep what is there when something begins; a pause in which the screen changed was a wait."""
        picture = self._screen.before(began)
        if self._last is not None and not self._done:
            ended, after = self._last
            if began - ended >= WAIT_SEC and self._screen.share_changed(after, picture) >= CHANGED:
                wait = Wait(seconds=round(min(began - ended, LONGEST_WAIT), 1))
                self._done.append(
                    Doing(MadeAction(wait, ended, began), HandStart(after, self._trees.observe(after, ended)))
                )
        thought, self._thought = self._thought, ""
        # First: soon something else may be there.
        if place is None:
            target = self._focus.before(began, self._refocused, kept=self._gestures.typing)
        else:
            target = self._targets.of_pointer(place, picture, self._touched_before, began)
        return HandStart(picture, self._trees.observe(picture, self._touched_before), target, thought)

    def _take(self, made: Sequence[MadeAction]) -> None:
        for each in made:
            begun = self._begun.get(each.began) or self._start(each.began, each.place)
            self._done.append(Doing(each, begun))
        if made:
            under_way = self._gestures.began
            self._begun = {began: begun for began, begun in self._begun.items() if began == under_way}

    def _finish_turns(self, *, everything: bool = False) -> Iterator[Turn]:
        """Yield what is over: once the next thing has begun, or the screen had time to come to rest."""
        while self._done:
            doing = self._done[0]
            following = self._done[1].begun if len(self._done) > 1 else self._begun.get(self._gestures.began or -1.0)
            rested = time.monotonic() - doing.made.ended >= REST_SEC
            if following is None and not rested and not everything:
                return
            after = following.picture if following is not None else self._screen.look(anew=everything)
            del self._done[0]
            yield self._turn(doing, after, settled=rested)

    def _turn(self, doing: Doing, after: ScreenPicture, *, settled: bool) -> Turn:
        made, begun = doing.made, doing.begun
        offset = time.time() - time.monotonic()
        performed = Performed(
            action=made.action,
            element=begun.target.element,
            program=begun.target.program,
            started=made.began + offset,
            ended=made.ended + offset,
            settled=settled,
        )
        self._now = (performed, begun.seen, self._trees.observe(after, made.ended))
        self._count += 1
        self._last = (made.ended, after)
        return Turn(actions=(made.action,), thought=begun.thought)

    # -- where the pointer rests --------------------------------------------------------------------------------------

    def _move_pointer(self, event: PointerAt) -> None:
        last = self._pointer
        if last is not None and (last.x, last.y) == (event.x, event.y):
            return
        if last is not None and event.at - last.at >= HOVER_SEC and not event.mask and self._gestures.began is None:
            self._leave_place(last, event.at)
        self._pointer = event
        self._arrived = self._screen.last

    def _leave_place(self, last: PointerAt, left: float) -> None:
        """Leave a place where the pointer rested: if something came up, going there was an action."""
        told = self._last[0] if self._last else 0.0
        if self._arrived is None or self._done or last.at < told:
            return
        now = self._screen.before(left)
        if self._screen.share_changed(self._arrived, now) >= CHANGED:
            made = MadeAction(Move(x=last.x, y=last.y), last.at, left, (last.x, last.y))
            seen = self._trees.observe(self._arrived, self._touched)
            target = self._targets.of_pointer((last.x, last.y), self._arrived, self._touched_before, left)
            begun = HandStart(self._arrived, seen, target)
            self._done.append(Doing(made, begun))
