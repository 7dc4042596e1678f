"""Events: what happens while the agent is at work is brought about when its moment comes."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial

from proctor.actions.action import Action
from proctor.errors import EventFailed
from proctor.exam.disturbances.recovery import MESSAGES_APP, InUse, RecoveryWatch, find_in_use
from proctor.exam.disturbances.wish import DisturbanceWish, PlannedEvent
from proctor.exam.recorder import Recorder
from proctor.exam.rules import Rules
from proctor.exam.stage import Stage
from proctor.exam.state import ExamState
from proctor.exam.task_clock import TaskClock
from proctor.exam.watcher import Reply, Watcher
from proctor.records import Happening, Step
from proctor.tasks.agenda import Acted, Agenda
from proctor.tasks.condition import conditions_on
from proctor.tasks.events import Event
from proctor.tasks.task import Task

SHARE = 0.025
"""How much of an episode may go into looking between steps."""
OFTEN_SEC, RARELY_SEC = 0.2, 0.5
"""How often it is looked between steps at most and at least: on a busy machine a look takes long because it waits, and
an event should come within a second all the same."""
MOST_KEPT = 500
"""Happenings that a record holds."""
APART, FURTHER_AFTER = 2, 3
"""Actions that lie between two disturbances, and after how many disturbances it is one more: what takes five actions in
a row, such as a list that closes when something comes, can be done in the end."""
TOO_EARLY = "the episode ended before its moment came"
TOO_LATE = "its time was over before its moment came"


class EventWatcher(Watcher):
    """Looks after every step and now and then in between, and brings about what is due.

    What it does is recorded, and is nobody's side effect. A step that fails makes the exam void where the verdict
    depends on the event; otherwise it is noted.
    """

    by = "event"
    looks = True

    def __init__(
        self,
        events: Sequence[Event],
        stage: Stage,
        recorder: Recorder,
        clock: TaskClock,
        kinds: Mapping[str, str] | None = None,
    ) -> None:
        """Say what may happen.

        Args:
            events: What, and when.
            stage: Brings it about.
            recorder: Where it is noted.
            clock: Counts their seconds.
            kinds: The kinds of those that are disturbances, by their names.
        """
        self._events, self._agenda = tuple(events), Agenda(events)
        self._stage, self._recorder, self._clock, self._kinds = stage, recorder, clock, kinds or {}
        self._happenings: list[Happening] = []
        self._turn = self._first = -1
        """The turn under way, and the number of its first step."""
        self._recovery = RecoveryWatch()
        self._disturbed, self._next_at = 0, 0
        """How many disturbances came, and after how many actions the next one may."""
        self._looked = 0.0
        """Seconds in which it was looked, without what was then brought about."""
        self._look_at = 0.0, 0.0
        """When it is worth looking again between steps, by the computer's clock and by ours."""

    def begin(self, exam: ExamState) -> None:
        """Bring about what is due from the beginning."""
        self._recorder.note(events=tuple(self._plan_of(self._events)))
        self._look(exam, exam.number)
        self._note_first_sight(exam, exam.number)
        self._note_recoveries(exam)

    def before(self, exam: ExamState, action: Action) -> Reply:
        """Note the first action after an event; what was due while the agent thought comes first."""
        if exam.turns != self._turn:
            self._turn, self._first = exam.turns, exam.number
            self.meanwhile(exam)
        for place, each in enumerate(self._happenings):
            if not exam.by and each.answered is None and each.seen is not None and each.seen <= self._first:
                self._happenings[place] = replace(each, answered=exam.number)
        self._clock.begin(action)
        return None

    def after(self, exam: ExamState, step: Step) -> Step:
        """Bring about what is due after a step, which the agent then sees at once."""
        self._clock.end(performed=exam.result is not None)
        self._look(exam, exam.number + 1)
        self._note_first_sight(exam, exam.number + 1)
        self._note_recoveries(exam)
        return step

    def meanwhile(self, exam: ExamState) -> None:
        """Bring about what is due while the agent thinks or waits."""
        # A computer in memory has a time of its own, which stands while an agent thinks.
        clocks = exam.computer.clock(), time.monotonic()
        if any(now >= due for now, due in zip(clocks, self._look_at, strict=True)):
            looked = self._looked
            self._look(exam, exam.number, show=False)
            # What was brought about is no part of what looking costs.
            pause = min(max(OFTEN_SEC, (self._looked - looked) / SHARE), RARELY_SEC)
            self._look_at = exam.computer.clock() + pause, time.monotonic() + pause

    def end(self, exam: ExamState) -> None:
        """Note what has not happened."""
        happened = {each.name for each in self._happenings}
        left = [event for event in self._events if event.name not in happened]
        missed = (
            replace(each, missed=TOO_LATE if self._agenda.is_over(event) else TOO_EARLY)
            for event, each in zip(left, self._plan_of(left), strict=True)
        )
        exam.happenings = (*self._happenings, *missed)
        exam.figures["event_look_seconds"] = round(self._looked, 3)
        self._recorder.note(events=exam.happenings)

    def _plan_of(self, events: Sequence[Event]) -> list[Happening]:
        """Return events as a record names them that have not happened."""
        kinds = self._kinds
        return [
            Happening(name=event.name, disturbance=kinds.get(event.name, ""), needed=event.needed) for event in events
        ]

    def _look(self, exam: ExamState, step: int, *, show: bool = True) -> None:
        """Bring about what is due, and have the agent shown what became of it."""
        if exam.stop is not None or not self._agenda.waits:
            return
        acted = Acted(exam.steps, self._clock.now())
        holds = conditions_on(exam.computer, exam.ending, self._stage.troubles if exam.acted else None)
        happened, began, busy = False, time.monotonic(), 0.0
        if show and any(event.needed for event in self._events):
            with self._hear(exam):
                self._stage.inventory.look()
        for event, back in self._agenda.due(acted, holds, partial(self._may_come, exam)):
            happened, due = True, time.monotonic()
            if back:
                self._take_back(exam, event, step)
            else:
                self._bring_about(exam, event, step, acted)
            exam.happenings = tuple(self._happenings)
            self._recorder.note(events=exam.happenings)
            busy += time.monotonic() - due
        self._looked += time.monotonic() - began - busy
        exam.put_off(busy)
        if happened and show:
            self._stage.show(exam)

    def _may_come(self, exam: ExamState, event: Event) -> bool:
        """Tell whether an event may come now: disturbances come one by one, while the agent is at work."""
        if not self._kinds.get(event.name) or exam.steps == 0:
            return True
        if exam.steps < self._next_at:
            return False
        return self._find_in_use(exam).app not in ("", MESSAGES_APP)

    def _find_in_use(self, exam: ExamState) -> InUse:
        """Return the window in use, or none where the agent left a computer that cannot tell."""
        found = InUse()
        with self._hear(exam):
            found = find_in_use(exam.computer)
        return found  # noqa: RET504 - it stays empty where that failed

    def _hear(self, exam: ExamState) -> AbstractContextManager[None, bool | None]:
        """Take what fails at a computer on which the agent has acted for what it left."""
        return self._stage.troubles.hear() if exam.acted else nullcontext()

    def _bring_about(self, exam: ExamState, event: Event, step: int, acted: Acted) -> None:
        due, kind = time.time(), self._kinds.get(event.name, "")
        used = self._find_in_use(exam) if kind else InUse()
        error = self._stage.bring_about(exam, event.do)
        failed, doing = "" if error is None else str(error), ""
        if error is not None and (doing := self._stage.see_agents_doing(exam, event.do, error)):
            failed = f"by what the agent did ({doing}): {failed}"
        (planned,) = self._plan_of([event])
        at = None if failed else time.time()
        made = replace(planned, window=used.title, due=round(due, 3), at=at, step=step, failed=failed)
        if kind:
            self._next_at = exam.steps + APART + self._disturbed // FURTHER_AFTER
            self._disturbed += 1
        if len(self._happenings) < MOST_KEPT:
            if kind and not failed:
                self._recovery.begin(len(self._happenings), used.app)
            self._happenings.append(made)
        if not failed:
            self._agenda.note(event, acted)
        elif event.needed and not doing:
            # Where the agent took away what it acts on, that is judged: void would be a way out.
            raise EventFailed(f"the event {event.name!r} could not be brought about: {failed}")

    def _take_back(self, exam: ExamState, event: Event, step: int) -> None:
        assert event.undo is not None
        error = self._stage.bring_about(exam, event.undo.do)
        failed = "" if error is None else str(error)
        undone = None if failed else time.time()
        for place, each in enumerate(self._happenings):
            if each.name == event.name and each.happened and each.undone is None:
                self._happenings[place] = replace(each, undone=undone, undone_step=step, failed=failed)

    def _note_first_sight(self, exam: ExamState, number: int) -> None:
        """Note which picture is the first that could show what has happened."""
        unseen = [
            place
            for place, each in enumerate(self._happenings)
            if each.seen is None and each.at is not None and exam.observation.at >= each.at
        ]
        for place in unseen:
            self._happenings[place] = replace(self._happenings[place], seen=number)
            self._recovery.note_sight(place, exam.steps)
        if unseen:
            self._recorder.note(events=tuple(self._happenings))

    def _note_recoveries(self, exam: ExamState) -> None:
        """Note after which disturbances the agent is back where it was."""
        if exam.stop is not None:
            return
        with self._hear(exam):
            for place, actions in self._recovery.find_ended(exam.computer, exam.steps):
                self._happenings[place] = replace(self._happenings[place], recovery=actions)


def events_of(task: Task, rules: Rules, stage: Stage, recorder: Recorder) -> EventWatcher | None:
    """Return who brings about what a task and the rules of a run let happen; None where nothing does."""
    added: dict[str, PlannedEvent] = {}
    if rules.disturb:
        wish = DisturbanceWish.parse(rules.disturb)
        wish.refuse_without(stage.computer.capabilities, stage.computer.backend)
        added = wish.events(task)
    events = [*task.every_event, *(planned.event for planned in added.values())]
    kinds = {name: planned.kind for name, planned in added.items()}
    return EventWatcher(events, stage, recorder, TaskClock(rules.time, stage.computer), kinds) if events else None
