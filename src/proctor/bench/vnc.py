"""The figures of the VNC computer: a whole picture of a local Xvnc, and what one step changes."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from proctor.actions.action import Press
from proctor.bench.measure import Figure, Laps, median_ms
from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.computers.backends.vnc.computer import VncComputer

SIZE = (1920, 1080)
Encoding = Literal["raw", "tight", "zrle"]
ENCODINGS: tuple[Encoding, ...] = ("raw", "tight", "zrle")


def measure(*, image: str, repeats: int, say: Callable[[str], None]) -> list[Figure]:
    """Measure against the Xvnc of a sandbox with an editor on its screen, through a Unix socket."""
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory(prefix="pb-") as folder, SandboxComputer(image=image, size=SIZE) as desktop:
        desktop.launch(["mousepad"])
        watch = desktop.watch(path=Path(folder) / "rfb")
        try:
            for encoding in ENCODINGS:
                say(f"pictures in {encoding}")
                figures += _pictures(str(Path(folder) / "rfb"), encoding, max(repeats, 1) * 4)
        finally:
            watch.close()
    return figures


def _pictures(address: str, encoding: Encoding, repeats: int) -> list[Figure]:
    """Return the time of a whole picture, and of what a pressed key changes, as Pillow images."""
    local = encoding == "raw"  # what a server on the same machine is asked for
    with VncComputer(address=address, encoding=encoding, pace="realtime") as computer:
        whole = median_ms(computer.grab_anew, repeats)
        watch = Laps()
        for _ in range(repeats):
            computer.perform(Press(keys="Right"))
            computer.wait_activity(0.2)
            with watch.lap():
                computer.screenshot()
    what = f"{SIZE[0]}x{SIZE[1]} over VNC, {encoding}"
    note = f"median of {repeats}"
    return [
        Figure(
            key=f"vnc_full_{encoding}_ms", what=f"full grab, {what}", value=whole, goal=60 if local else None, note=note
        ),
        Figure(
            key=f"vnc_step_{encoding}_ms",
            what=f"changed part of a step, {what}",
            value=watch.median,
            goal=10 if local else None,
            note=f"{note}, with the picture it makes",
        ),
    ]
