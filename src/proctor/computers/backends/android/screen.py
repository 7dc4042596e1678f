"""The screen of an Android device."""

from __future__ import annotations

import hashlib
import io
import time
import warnings
from collections.abc import Callable

import numpy as np
from PIL import Image

from proctor.actions.action import Action, Tap
from proctor.computers.backends.android.device import AndroidDevice
from proctor.computers.moving_places import RESTLESS_AFTER, Counts, no_counts, restless_places
from proctor.computers.parts.clock import Clock
from proctor.computers.settle import Settling
from proctor.errors import ComputerError
from proctor.observations.box import Box

PNG = b"\x89PNG\r\n\x1a\n"
MOST_PIXELS = 33_000_000
PAUSE_SEC = 0.1
CAREFUL_SEC = 0.6
TILE = 32
CARET = (14, 200)
"""Widest and tallest change that is taken for a blinking caret, on a dense screen."""

Pixels = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]


class AndroidScreen:
    """Pictures by `screencap`, whose size is the last one's: a device may be turned at any time."""

    def __init__(self, device: AndroidDevice) -> None:
        self._device = device
        self._size = (0, 0)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height as last seen; nothing before the start."""
        return self._size

    def screenshot(self, *, cursor: bool) -> Image.Image:
        """Return what the device shows; a finger leaves no pointer behind."""
        done = self._device.do("screencap -p")
        # Devices with several displays put a warning before the picture.
        start = done.stdout.find(PNG)
        if start < 0:
            why = f": {done.said}" if done.said else f" (status {done.code})"
            raise ComputerError(f"the device gave no picture of its screen{why}", remedy="unlock it and try again")
        picture = decode(done.stdout[start:])
        self._size = picture.size
        return picture


def decode(data: bytes) -> Image.Image:
    """Return a PNG as RGB; ComputerError for one that is broken or larger than any screen."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            picture = Image.open(io.BytesIO(data), formats=("PNG",))
            if picture.width * picture.height > MOST_PIXELS:
                raise ComputerError(
                    f"a screen of {picture.width}x{picture.height} pixels is larger than any device has"
                )
            return picture.convert("RGB")
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise ComputerError(f"the picture of the screen cannot be read: {error}", remedy="try again") from error


def digest(picture: Image.Image) -> bytes:
    """Return what tells two pictures apart."""
    return hashlib.blake2b(picture.tobytes(), digest_size=16).digest() + repr(picture.size).encode()


class AndroidRest:
    """Looks at the screen until two pictures are the same, carets and places that always move aside."""

    def __init__(self, screen: AndroidScreen, clock: Clock, about_to: Callable[[int], None]) -> None:
        self._screen = screen
        self._clock = clock
        self._about_to = about_to
        self._restless: list[Box] = []

    def about_to(self, action: Action) -> None:
        """Hear how many taps belong together: they have to reach the device as one."""
        self._about_to(action.count if isinstance(action, Tap) else 1)

    def settle(self, policy: Settling, *, timeout_sec: float) -> bool:
        """Wait until nothing new moves; return False when it still does at the end of the patience."""
        if not isinstance(policy, str):
            self._clock.pass_time(policy)
        pause = CAREFUL_SEC if policy == "careful" else PAUSE_SEC
        ends = time.monotonic() + timeout_sec
        before = self._look()
        counts: Counts = np.zeros((0, 0), np.int32)
        while True:
            self._clock.pass_time(pause)
            now = self._look()
            moving, counts = moves(before, now, counts)
            if not moving or time.monotonic() >= ends:
                self._restless = restless_places(counts, TILE)
                return not moving
            before = now

    def _look(self) -> Pixels:
        return np.asarray(self._screen.screenshot(cursor=False), dtype=np.uint8)

    def wait_activity(self, timeout_sec: float) -> None:
        """Wait the whole time, because nothing announces itself."""
        self._clock.pass_time(timeout_sec)

    def drawings(self) -> object:
        """Return nothing: only pictures tell."""

    def restless(self) -> list[Box]:
        """Return the places that kept moving when the rest was last waited for."""
        return self._restless


def moves(before: Pixels, now: Pixels, counts: Counts) -> tuple[bool, Counts]:
    """Tell whether something moved from one picture to the next that does not always do so, and count what did."""
    none = no_counts((now.shape[1], now.shape[0]), TILE)
    if counts.shape != none.shape:
        counts = none
    if before.shape != now.shape:
        return True, counts
    rows, columns = np.nonzero((before != now).any(axis=2))
    if not len(rows):
        return False, counts
    touched = np.zeros(counts.shape, bool)
    touched[rows // TILE, columns // TILE] = True
    counts = counts + touched
    caret = np.ptp(columns) < CARET[0] and np.ptp(rows) < CARET[1]
    return not caret and bool((counts[touched] < RESTLESS_AFTER).any()), counts
