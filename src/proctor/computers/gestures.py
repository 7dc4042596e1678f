"""Fingers on a touch screen: each gesture as plain events, with every finger lifted whatever happens."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from proctor.actions import action as act
from proctor.computers.parts.touch import Touch
from proctor.computers.performer import Performer
from proctor.computers.places import pixel, place_words, points_between
from proctor.errors import AgentError

BETWEEN_TAPS_SEC = 0.1
DOUBLE_TAP_SEC = 0.5
"""Taps closer together than this count as one gesture."""
PINCH_REACH = 200
"""How far from the middle the fingers are at most, in pixels."""
PINCH_ROOM = 20
"""How far they must be able to go."""
PINCH_STEPS = 20
PINCH_SEC = 0.4


def touch(computer: Performer, action: act.InputAction, place: tuple[int, int]) -> None:
    """Carry out a touch action that begins at a pixel."""
    screen = computer.parts.touch
    assert screen, "the needs were looked at first"
    match action:
        case act.Tap(count=count):
            _tap(computer, screen, place, count)
        case act.LongPress(seconds=seconds):
            with _finger(screen, 0, place):
                computer.pass_time(seconds)
        case act.Swipe(path=path, seconds=seconds):
            _swipe(computer, screen, [pixel(computer, x, y, action.given) for x, y in path], seconds)
        case act.Pinch():
            _pinch(computer, screen, place, action)


def _tap(computer: Performer, screen: Touch, place: tuple[int, int], count: int) -> None:
    _stand_apart(computer)
    for number in range(count):
        if number:
            computer.pass_time(BETWEEN_TAPS_SEC)
        with _finger(screen, 0, place):
            pass


def _stand_apart(computer: Performer) -> None:
    """Keep two taps from becoming one double tap."""
    if computer.pace == "realtime" or not computer.history:
        return
    last = computer.history[-1]
    left = DOUBLE_TAP_SEC - (time.time() - last.ended)
    if isinstance(last.action, act.Tap) and 0 < left <= DOUBLE_TAP_SEC:
        computer.pass_time(left)


def _swipe(computer: Performer, screen: Touch, stops: list[tuple[int, int]], seconds: float) -> None:
    points = [point for here, there in zip(stops, stops[1:], strict=False) for point in points_between(here, there)]
    with _finger(screen, 0, stops[0]):
        for point in points:
            computer.pass_time(seconds / len(points))
            screen.move(0, *point)


def _pinch(computer: Performer, screen: Touch, middle: tuple[int, int], action: act.Pinch) -> None:
    """Move two fingers along the line through the middle, level or upright, that has more room."""
    (x, y), scale = middle, action.scale
    width, height = computer.size
    rooms = {(1, 0): min(x, width - 1 - x), (0, 1): min(y, height - 1 - y)}
    across, down = max(rooms, key=lambda line: rooms[line])
    wide = min(rooms[across, down], PINCH_REACH)
    if wide < PINCH_ROOM:
        raise AgentError(
            f"there is no room for two fingers around {place_words(computer, action.x, action.y, action.given)}",
            remedy="pinch further away from the corner",
        )
    narrow = max(round(wide / max(scale, 1 / scale)), 1)
    begin, end = (narrow, wide) if scale > 1 else (wide, narrow)

    def at(side: int, step: int) -> tuple[int, int]:
        reach = side * round(begin + (end - begin) * step / PINCH_STEPS)
        return x + across * reach, y + down * reach

    with _finger(screen, 0, at(-1, 0)), _finger(screen, 1, at(1, 0)):
        for step in range(1, PINCH_STEPS + 1):
            computer.pass_time(PINCH_SEC / PINCH_STEPS)
            screen.move(0, *at(-1, step))
            screen.move(1, *at(1, step))


@contextmanager
def _finger(screen: Touch, finger: int, place: tuple[int, int]) -> Iterator[None]:
    # Lifted even when putting it down failed half-way: a finger left on the screen would spoil every later action.
    try:
        screen.down(finger, *place)
        yield
    finally:
        screen.up(finger)
