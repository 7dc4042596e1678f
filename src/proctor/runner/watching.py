"""While an episode goes on: its screen for those who watch, and its video."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from proctor.computers.computer import Computer
from proctor.runner.veto import at_the_terminal

LIVE = "live.json"


@contextmanager
def shown(computer: Computer, folder: Path, *, video: bool = False) -> Iterator[str]:
    """Let viewers watch the screen at the address it yields, and record it where asked, if the computer can do that.

    The socket lies in a folder of its own that only this user may enter: paths of sockets are short by law of the
    kernel, those of runs need not be.
    """
    if "viewer" not in computer.capabilities:
        yield ""
        return
    with ExitStack() as stack:
        if video:
            recorder = computer.record(folder / "video.mp4")
            stack.callback(recorder.stop)
        place = stack.enter_context(tempfile.TemporaryDirectory(prefix="proctor-live-"))
        watch = computer.watch(path=Path(place) / "rfb")
        stack.callback(watch.close)
        live = folder / LIVE
        live.write_text(json.dumps({"rfb": str(watch.address), "pid": os.getpid()}), encoding="utf-8")
        stack.callback(live.unlink, missing_ok=True)
        yield str(watch.address)


def prompt_with(address: str) -> Callable[[str], str]:
    """Return what asks the person at the terminal, and says first where the desktop is."""

    def prompt(text: str) -> str:
        where = f"Open the desktop:  vncviewer {address}\n\n" if address else ""
        return at_the_terminal(f"{where}{text}")

    return prompt
