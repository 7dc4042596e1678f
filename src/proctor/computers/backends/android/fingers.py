"""Two fingers at once: `input` has only one, so these go as events to the touch screen, where that is allowed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from proctor.computers.backends.android.device import AndroidDevice
from proctor.errors import AgentError

SYN, KEY, ABS = 0, 1, 3
SLOT, MT_X, MT_Y, TRACKING_ID, PRESSURE, BTN_TOUCH = 0x2F, 0x35, 0x36, 0x39, 0x3A, 0x14A
NOBODY = 0xFFFFFFFF
MOST_STEPS = 12
"""Points of a gesture that are sent: each takes several commands."""

Path = Sequence[tuple[float, tuple[int, int]]]


@dataclass(frozen=True)
class Panel:
    """A touch screen, as the kernel of the device describes it."""

    path: str
    right: int
    bottom: int
    """The largest numbers for a place, in the device's own upright position."""
    pressure: bool

    def place(self, point: tuple[int, int], size: tuple[int, int], rotation: int) -> tuple[int, int]:
        """Return where a pixel of the picture lies on the panel, which does not turn with the picture."""
        width, height = max(size[0] - 1, 1), max(size[1] - 1, 1)
        across, down = point[0] / width, point[1] / height
        across, down = ((across, down), (1 - down, across), (1 - across, 1 - down), (down, 1 - across))[rotation]
        return round(across * self.right), round(down * self.bottom)


def find_panel(listed: str) -> Panel | None:
    """Return the first touch screen that `getevent -p` lists."""
    for device in re.split(r"(?m)^add device \d+: ", listed)[1:]:
        path = device.split("\n", 1)[0].strip()
        limits = {int(code, 16): int(most) for code, most in _AXES.findall(device)}
        if re.fullmatch(r"/dev/input/event\d+", path) and {SLOT, MT_X, MT_Y} <= limits.keys():
            return Panel(path, limits[MT_X], limits[MT_Y], PRESSURE in limits)
    return None


_AXES = re.compile(r"\b(00[0-9a-f]{2})\s*:\s*value -?\d+, min -?\d+, max (\d{1,9})")


def two_fingers(device: AndroidDevice, paths: Sequence[Path]) -> None:
    """Move several fingers at once; raises AgentError where the device allows one only."""
    panel = find_panel(device.ask("getevent -p"))
    if panel is None:
        raise AgentError(
            "this device takes only one finger through adb: its touch screen cannot be reached",
            remedy="use gestures of one finger: a double tap often makes things larger",
        )
    size, rotation = _size(device), device.rotation()
    lines = [
        f"sendevent {panel.path} {kind} {code} {value}" for kind, code, value in _events(panel, paths, size, rotation)
    ]
    said = " ".join(device.ask("; ".join(lines)).split())[:200]
    if said:
        raise AgentError(f"this device takes only one finger through adb: {said}", remedy="use gestures of one finger")


def _size(device: AndroidDevice) -> tuple[int, int]:
    found = re.findall(r"(?:Physical|Override) size: (\d{1,5})x(\d{1,5})", device.ask("wm size"))
    if not found:
        raise AgentError("the device does not say its size", remedy="use gestures of one finger")
    width, height = (int(side) for side in found[-1])
    return (height, width) if device.rotation() % 2 else (width, height)


def _events(
    panel: Panel, paths: Sequence[Path], size: tuple[int, int], rotation: int
) -> Iterator[tuple[int, int, int]]:
    longest = max(len(path) for path in paths)
    steps = range(0, longest, max(-(-longest // MOST_STEPS), 1))
    shown = [*steps, longest - 1] if steps[-1] != longest - 1 else [*steps]
    for step in shown:
        for finger, path in enumerate(paths):
            x, y = panel.place(path[min(step, len(path) - 1)][1], size, rotation)
            yield ABS, SLOT, finger
            if step == 0:
                yield ABS, TRACKING_ID, 100 + finger
                if panel.pressure:
                    yield ABS, PRESSURE, 50
            yield ABS, MT_X, x
            yield ABS, MT_Y, y
        if step == 0:
            yield KEY, BTN_TOUCH, 1
        yield SYN, 0, 0
    for finger in range(len(paths)):
        yield ABS, SLOT, finger
        yield ABS, TRACKING_ID, NOBODY
    yield KEY, BTN_TOUCH, 0
    yield SYN, 0, 0
