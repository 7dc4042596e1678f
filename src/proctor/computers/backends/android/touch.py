"""Fingers on an Android device: whole gestures, each sent as one command, because single events come too slowly."""

from __future__ import annotations

from dataclasses import dataclass, field

from proctor.computers.backends.android.device import AndroidDevice
from proctor.computers.backends.android.fingers import two_fingers
from proctor.computers.parts.clock import Clock
from proctor.errors import AgentError, ComputerError

TAP_SEC = 0.2
"""A finger that is lifted sooner, where it was put down, has tapped."""
BETWEEN_TAPS_SEC = 0.1
TOUCH_SLOP = 2
"""Pixels by which a point may lie beside a straight line and still be on it."""
LEAST_MS, MOST_MS = 50, 30_000

Point = tuple[int, int]


@dataclass
class Gesture:
    """What one finger has done since it was put down, with the seconds that had passed."""

    path: list[tuple[float, Point]]

    @property
    def seconds(self) -> float:
        """How long it has lasted."""
        return self.path[-1][0]

    def stops(self) -> list[tuple[float, Point]]:
        """Return where it began, turned and ended."""
        kept = [self.path[0]]
        for here, later in zip(self.path[1:], self.path[2:], strict=False):
            if not _between(kept[-1][1], here[1], later[1]):
                kept.append(here)
        return [*kept, self.path[-1]] if len(self.path) > 1 else kept


@dataclass
class AndroidHand:
    """What the fingers are doing, before it is sent. While one is down, time belongs to the gesture."""

    down: dict[int, Gesture] = field(default_factory=dict)
    lifted: dict[int, Gesture] = field(default_factory=dict)
    now: float = 0.0
    taps: int = 1
    """How many taps belong to the action that is being carried out."""
    waiting: list[Point] = field(default_factory=list)
    """Taps that were made and wait for the others."""

    def expect(self, taps: int) -> None:
        """Hear how many taps the next action has."""
        self.taps = taps
        self.waiting.clear()
        self.down.clear()
        self.lifted.clear()


class GestureClock:
    """While a finger is down, or taps follow one another, time passes on the device and not here."""

    def __init__(self, clock: Clock, hand: AndroidHand) -> None:
        self._clock, self._hand = clock, hand

    def now(self) -> float:
        return self._clock.now()

    def pass_time(self, seconds: float) -> None:
        """Let time go by: in the gesture that is being made, or for everybody."""
        if self._hand.down:
            self._hand.now += seconds
        elif not self._hand.waiting:
            self._clock.pass_time(seconds)


class AndroidTouch:
    """Puts gestures together from events, and sends each with `input` when its last finger is lifted."""

    def __init__(self, device: AndroidDevice, hand: AndroidHand) -> None:
        self._device, self._hand = device, hand

    def down(self, finger: int, x: int, y: int) -> None:
        self._device.need_started()
        if not self._hand.down:
            self._hand.now = 0.0
        self._hand.down[finger] = Gesture([(self._hand.now, (x, y))])

    def move(self, finger: int, x: int, y: int) -> None:
        if finger in self._hand.down:
            self._hand.down[finger].path.append((self._hand.now, (x, y)))

    def up(self, finger: int) -> None:
        """Lift a finger, and send the gesture when it was the last."""
        gesture = self._hand.down.pop(finger, None)
        if gesture is None:
            return
        if self._hand.now > gesture.seconds:
            gesture.path.append((self._hand.now, gesture.path[-1][1]))
        self._hand.lifted[finger] = gesture
        if self._hand.down:
            return
        lifted, self._hand.lifted = self._hand.lifted, {}
        self._send([lifted[number] for number in sorted(lifted)])

    def _send(self, gestures: list[Gesture]) -> None:
        if len(gestures) > 1:
            two_fingers(self._device, [gesture.path for gesture in gestures])
            return
        stops = gestures[0].stops()
        (_, start), (seconds, end) = stops[0], stops[-1]
        if len({point for _, point in stops}) == 1 and seconds < TAP_SEC:
            self._tap(start)
        elif len(stops) <= 2:
            self._input(f"swipe {start[0]} {start[1]} {end[0]} {end[1]} {_ms(seconds)}", seconds)
        else:
            self._bent(stops)

    def _tap(self, place: Point) -> None:
        hand = self._hand
        hand.waiting.append(place)
        if len(hand.waiting) < hand.taps:
            return
        taps, hand.waiting = hand.waiting, []
        hand.taps = 1
        # Started side by side, a moment apart: how long `input` takes to start is more than what divides two taps.
        lines = [f"input tap {x} {y} &" for x, y in taps[:-1]]
        last = f"input tap {taps[-1][0]} {taps[-1][1]}"
        self._run(f" sleep {BETWEEN_TAPS_SEC:g}; ".join([*lines, last]) + ("; wait" if lines else ""))

    def _bent(self, stops: list[tuple[float, Point]]) -> None:
        """Follow a path that turns: every stop is an event of its own."""
        lines, before = [], 0.0
        for number, (at, (x, y)) in enumerate(stops):
            if at > before:
                lines.append(f"sleep {at - before:.3f}")
            lines.append(f"input motionevent {'MOVE' if number else 'DOWN'} {x} {y}")
            before = at
        _, (x, y) = stops[-1]
        self._run("; ".join([*lines, f"input motionevent UP {x} {y}"]), stops[-1][0])

    def _input(self, words: str, seconds: float = 0.0) -> None:
        self._run(f"input touchscreen {words}", seconds)

    def _run(self, command: str, seconds: float = 0.0) -> None:
        check_input(self._device, command, timeout_sec=self._device.adb.timeout_sec + 2 * seconds)


def check_input(device: AndroidDevice, command: str, *, timeout_sec: float | None = None) -> None:
    """Run `input`; what it says is a complaint, and which one decides whose fault it is."""
    said = " ".join(device.ask(command, timeout_sec=timeout_sec).split())[:300]
    if not said:
        return
    if "Unknown command" in said or "Usage:" in said:
        word = next((word for word in ("motionevent", "keycombination") if word in command), "input")
        raise AgentError(
            f"Android {device.release} on this device has no `input {word}`",
            remedy="swipe in a straight line" if word == "motionevent" else "press one key at a time",
        )
    if "SecurityException" in said or "INJECT_EVENTS" in said:
        raise ComputerError(
            f"the device does not allow input through adb: {said}",
            remedy='switch on "USB debugging (Security settings)" in its developer options',
        )
    raise ComputerError(f"the device did not accept the input: {said}")


def _ms(seconds: float) -> int:
    return min(max(round(seconds * 1000), LEAST_MS), MOST_MS)


def _between(before: Point, point: Point, after: Point) -> bool:
    (x0, y0), (x, y), (x1, y1) = before, point, after
    across = (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)
    along = (x - x0) * (x1 - x) + (y - y0) * (y1 - y)
    length = max(abs(x1 - x0), abs(y1 - y0), 1)
    return abs(across) <= TOUCH_SLOP * length and along >= 0
