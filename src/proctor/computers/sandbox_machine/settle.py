"""Readiness: when has a desktop finished reacting? Drawing, windows and the work of programs tell, not time."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field

from proctor.actions.action import Action, Click, Move
from proctor.computers.channels.x11.client import X11
from proctor.computers.channels.x11.events import Damaged, WindowsChanged
from proctor.computers.channels.x11.windows import active_window
from proctor.computers.parts.clock import Clock, PatientClock
from proctor.computers.sandbox_machine.alarms import Alarm, Alarms
from proctor.computers.sandbox_machine.machine import SandboxMachine
from proctor.computers.sandbox_machine.pulse import PulseReader, feel
from proctor.computers.settle import Pause, Settling
from proctor.observations.box import Box

SLICE_SEC = 0.01
"""How long events are gathered before programs are looked at."""
WORK_SHARE = 0.1
"""Programs that together use more than this of one processor are at work; timers that tick use less."""
CALM_SEC = 1.0
"""How long a screen counts as resting where nothing was done from outside."""
BUSY_SEC = 3.0
"""Seconds of processor time, of all programs together, that they may use without anything to see: a mail program that
loads a message keeps two processors busy for a second. A busy loop must not hold up every step."""
SLOWEST = 3
"""How many times as long anything may take: a host with too much to do gives programs a part of its time."""
START_SEC = 8.0
"""The same for programs that were started since the action: a large one loads for seconds before its first window."""
DRAW_SEC = 5.0
"""How long drawing is waited for when no window comes or goes meanwhile."""
ANSWER_SEC = 3.0
"""How long the active window may take to read its input."""
MOST_VAIN_WAITS = 4
"""From the second in a row on, each wait in vain halves the patience with the next, up to this one."""
ALARM_MS = 550
"""Alarms of programs that are nearer are waited for: GTK closes dialogs 250 ms after Enter, Thunderbird takes 500."""
HOVER_MS = 700
"""The same where the pointer has come to rest: tooltips and submenus take half a second."""
ALARM_GRACE_SEC = 0.04
"""How long after its time an alarm may have its effect."""
LATEST_SEC = 0.9
"""Alarms are followed for so long without anything to see: LibreOffice sets a third one 600 ms after a key."""
FEW = 2
"""Alarms of a program that only ticks that are waited for in one step."""
LOOP_SEC = 1.2
"""Drawing in one place for so long, and nothing else, is an animation that may never end."""
LOOP_FRAMES = 8
"""Drawings in each half of that time."""
LONGEST_FRAME_SEC = 0.12
"""An animation that draws nothing for longer has ended."""
ANIMATED_SEC = 1.0
"""How long programs that work beside an animation are waited for: it is work itself."""
PAUSED_SEC = 0.1
"""How long a screen is waited for after a pause that was asked for."""


@dataclass(frozen=True)
class Quiet:
    """How long nothing may happen before a desktop counts as settled, by what has happened since the action."""

    drawn_sec: float
    """Toolkits draw within one or two frames of 16 ms."""
    stirred_sec: float
    """A window came or went, or a program did: focus, title bars, panels and the next window follow."""
    crowded_sec: float
    """A program of many threads reacted: one decodes a picture or asks a server while all others sleep."""


QUIETS = {"quick": Quiet(0.03, 0.12, 0.25), "careful": Quiet(0.25, 0.6, 0.8), "drawn": Quiet(0.03, 0.03, 0.03)}


@dataclass
class _Look:
    """What was noticed in one slice of time."""

    at: float
    drawn: list[Box]
    windows: bool
    pulse: PulseReader
    seconds: float

    @property
    def working(self) -> bool:
        return bool(self.pulse.waiting) or self.pulse.work_us > WORK_SHARE * self.seconds * 1e6

    @property
    def loading(self) -> bool:
        return bool(self.pulse.young_waiting) or self.pulse.young_us > WORK_SHARE * self.seconds * 1e6

    @property
    def stirred(self) -> bool:
        return self.windows or bool(self.pulse.started or self.pulse.ended)


@dataclass
class _Watch:
    """One wait, from the action to the quiet after it."""

    quiet: Quiet
    needed: float
    """How long the silence must last, by what has happened so far."""
    began: float
    """When it began, or the last window came or went."""
    changed: float
    """When something was last to be seen."""
    active: float
    """When something last happened at all."""
    worked_us: int = 0
    """How long programs have worked since something was last to be seen."""
    drawings: list[tuple[float, Box]] = field(default_factory=list)
    moved: float = 0.0
    """When something was last drawn where it is known to move by itself."""
    still: int = 0
    """Looks since then."""
    alarm: Alarm | None = None
    """What is waited for now, and when it is overdue."""
    overdue: float = 0.0
    followed: list[tuple[float, Alarm]] = field(default_factory=list)
    """Alarms that were waited for, and when each was noticed."""
    again: bool = False
    """Whether the screen had come to rest before this wait."""

    @property
    def undisturbed(self) -> bool:
        """Whether it rests as it did before."""
        return self.again and self.active == self.began

    def note(self, look: _Look, fresh: list[Box]) -> None:
        """Take in what one slice of time brought."""
        self.drawings += [(look.at, box) for box in fresh]
        if look.stirred:
            self.needed = self.quiet.stirred_sec
        if look.windows:
            self.drawings.clear()
            self.began = look.at
        self.worked_us += look.pulse.work_us
        self.still += 1
        if fresh or look.windows:
            self.changed = self.active = look.at
            self.worked_us = self.still = 0
        elif look.working or look.pulse.started:
            self.active = look.at
            self.still = 0

    def quiet_by(self, now: float) -> bool:
        """Tell whether the silence has lasted as long as it must."""
        return self.quiet_for(self.needed, now)

    def quiet_for(self, seconds: float, now: float) -> bool:
        """Tell whether the silence has lasted so long.

        Also counted in looks, which are longer on a busy host.
        """
        return now - self.active >= seconds and self.still * SLICE_SEC >= seconds


@dataclass
class Settler:
    """Waits for one desktop, and remembers what moves on it by itself."""

    x: X11
    machine: SandboxMachine
    moving: list[Box] = field(default_factory=list)
    """Places where something is drawn again and again, whatever is done."""
    _hovering: bool = False
    _clicked: bool = False
    _alarms: Alarms = field(default_factory=Alarms)
    _vain: int = 0
    """How many waits in a row were in vain."""
    _rested: tuple[Settling, int] | None = None
    """The policy by which all was quiet at the end of the last wait, and what had been done from outside till then;
    None once an action has begun."""
    _rested_at: float = 0.0
    _clock: Clock = field(default_factory=lambda: PatientClock(most_taken=1 - 1 / SLOWEST))
    """Programs that the machine's host lets wait are waited for; for `SLOWEST` times as long, and no longer."""

    def mark(self, action: Action) -> None:
        """Say that an action begins: what programs do from here on is taken for its consequence."""
        self._hovering, self._clicked = isinstance(action, Move), isinstance(action, Click)
        self._rested = None
        feel(self.machine, mark=True)

    def settle(self, settling: Settling, *, timeout_sec: float, alarms: bool = True) -> bool:
        """Wait until the active application has read its input, drawing has stopped and no program is at work.

        The seconds that a policy may name have gone by already; what is waited for then is as with `quick`. Alarms are
        worth waiting for where programs may have set them because of an action. A screen that has come to rest before
        is only looked at again: it is known what programs still intend.
        """
        if isinstance(settling, Pause):
            return self._glance(min(timeout_sec, PAUSED_SEC))
        deadline = self._clock.now() + timeout_sec * self._patience
        quiet = QUIETS[settling] if isinstance(settling, str) else QUIETS["quick"]
        self.x.nudge()
        self.x.sync()
        answered = self._await_answer(deadline)
        first = feel(self.machine)
        now = self._clock.now()
        needed = quiet.stirred_sec if first.started or first.ended else quiet.drawn_sec
        watch = _Watch(quiet, needed, began=now, changed=now, active=now)
        calm = self._rested == (settling, self.machine.deeds) and now - self._rested_at < CALM_SEC
        watch.again = calm and not (first.started or first.ended)
        furthest_ms = HOVER_MS if self._hovering else ALARM_MS
        still = self._wait(watch, deadline, furthest_ms if alarms and settling != "drawn" else 0)
        self._alarms.followed(watch.followed, watch.changed)
        self._vain = 0 if still and answered else min(self._vain + 1, MOST_VAIN_WAITS)
        self._rested = (settling, self.machine.deeds) if still and answered else None
        self._rested_at = self._clock.now()
        if self._clock.now() - watch.moved > LONGEST_FRAME_SEC:
            self.moving.clear()
        return still and answered

    def _glance(self, seconds: float) -> bool:
        """Wait until what programs have read is drawn, for a moment at most; nothing is learned from it."""
        self._rested = None
        now = self._clock.now()
        deadline = now + seconds
        self.x.nudge()
        self.x.sync()
        active = active_window(self.x)
        answered = not active or self.x.ping(active, timeout_sec=seconds) is not False
        feel(self.machine)
        watch = _Watch(QUIETS["drawn"], QUIETS["drawn"].drawn_sec, began=now, changed=now, active=self._clock.now())
        while self._clock.now() < deadline:
            look = self._look()
            watch.note(look, look.drawn)
            if watch.quiet_by(look.at):
                return answered
        return False

    def _wait(self, watch: _Watch, deadline: float, furthest_ms: int) -> bool:
        """Return True when all is quiet, and False when that was waited for in vain."""
        while self._clock.now() < deadline:
            look = self._look()
            fresh = [box for box in look.drawn if not any(_inside(box, known) for known in self.moving)]
            if len(fresh) < len(look.drawn):
                watch.moved = look.at
            watch.note(look, fresh)
            if watch.quiet_by(look.at) and (watch.undisturbed or not self._is_expecting(watch, look.at, furthest_ms)):
                return True
            if self._enough(watch, look):
                return False
            if loop := _loop(watch.drawings, look.at):
                self.moving.append(loop)
                watch.drawings.clear()
                watch.moved = look.at
        return False

    def _enough(self, watch: _Watch, look: _Look) -> bool:
        """Tell whether what goes on has been waited for long enough; less each time that it was in vain."""
        if look.at - watch.moved <= LONGEST_FRAME_SEC and look.at - watch.changed >= ANIMATED_SEC:
            return True
        if look.loading and not self._vain:
            return look.at - watch.began >= START_SEC
        busy = BUSY_SEC * self._patience
        worked = watch.worked_us >= busy * 1e6 or look.at - watch.changed >= busy * SLOWEST
        return worked or look.at - watch.began >= DRAW_SEC * self._patience

    @property
    def _patience(self) -> float:
        return float(0.5 ** max(self._vain - 1, 0))

    def _is_expecting(self, watch: _Watch, now: float, furthest_ms: int) -> bool:
        """Tell whether a program that reacted to the action has set itself an alarm that is to be waited for."""
        if watch.alarm and now < watch.overdue:
            return True
        if watch.alarm:
            watch.alarm = None
        pulse = feel(self.machine, alarms=True)
        if pulse.waiting:
            watch.active, watch.still = now, 0
            return True
        if pulse.crowded and not watch.quiet_for(watch.quiet.crowded_sec, now):
            watch.needed = max(watch.needed, watch.quiet.crowded_sec)
            return True
        before = Counter(alarm.program for _, alarm in watch.followed)
        due = [
            alarm
            for alarm in self._alarms.worth(pulse.alarms, furthest_ms, clicked=self._clicked)
            if now + alarm.left_ms / 1000 <= watch.changed + LATEST_SEC
            and (self._alarms.patient(alarm.program) or before[alarm.program] < FEW)
        ]
        if not due:
            return False
        watch.alarm = due[0]
        watch.followed.append((now, due[0]))
        watch.overdue = now + due[0].left_ms / 1000 + ALARM_GRACE_SEC
        return True

    def _look(self) -> _Look:
        began = time.monotonic()
        end = began + SLICE_SEC
        drawn: list[Box] = []
        windows = False
        while True:
            for event in self.x.wait(max(end - time.monotonic(), 0.0)):
                if isinstance(event, Damaged):
                    drawn.append(event.box)
                windows = windows or isinstance(event, WindowsChanged)
            if time.monotonic() >= end:
                break
        pulse = feel(self.machine)
        return _Look(self._clock.now(), drawn, windows, pulse, time.monotonic() - began)

    def _await_answer(self, deadline: float) -> bool:
        """Let the active window answer a ping: it does so after all the input before it."""
        end = min(deadline, self._clock.now() + ANSWER_SEC * self._patience)
        while active := active_window(self.x):
            left = max(end - self._clock.now(), 0.01)
            if self.x.ping(active, timeout_sec=left) is not False:
                return True
            if self._clock.now() >= end:
                return False
        return True


def _inside(box: Box, known: Box) -> bool:
    return box.intersect(known) == box


def _loop(drawings: list[tuple[float, Box]], now: float) -> Box | None:
    """Return where something has been drawn in one place for long enough to be an animation without an end."""
    early = [box for at, box in drawings if now - LOOP_SEC <= at < now - LOOP_SEC / 2]
    late = [box for at, box in drawings if at >= now - LOOP_SEC / 2]
    if min(len(early), len(late)) < LOOP_FRAMES or now - drawings[0][0] < LOOP_SEC:
        return None
    whole = _union(early)
    return whole if all(_inside(box, whole) for box in late) else None


def _union(boxes: list[Box]) -> Box:
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.x + box.width for box in boxes), max(box.y + box.height for box in boxes)
    return Box(left, top, right - left, bottom - top)
