"""The scenes of the settling battery: applications as they are opened, and the lines of what is done in them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.settle_files import files, open_mail
from benchmarks.settle_steps import action_of
from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.computers.computer import Computer
from proctor.computers.drift import differences
from proctor.computers.settle import Settling
from proctor.pause import pause
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import make
from proctor.tasks.shelves import run as set_up

PORT = 8000
OPEN_SEC = 90.0
GLANCE_SEC = 1.0
ENOUGH_GLANCES, MOST_GLANCES = 4, 30
"""Looks at an application that was started, without a change and in all, before anything is done in it."""


@dataclass(frozen=True, kw_only=True)
class Scene:
    """One application, and what is done in it."""

    app: str
    image: str
    steps: tuple[str, ...]
    run: tuple[str, ...] = ()
    """How it is started; empty where the steps begin at the desktop."""
    window: str | None = None
    """What the title of its window says when it is open."""
    prepare: tuple[str, ...] = ()
    """What is done first and not measured."""
    mail: bool = False


def scenes() -> tuple[Scene, ...]:
    """Return the whole battery."""
    text = Path(__file__).with_name("settling.toml").read_text(encoding="utf-8")
    found = []
    for entry in tomllib.loads(text)["scene"]:
        steps = tuple(line for line in entry.pop("steps").splitlines() if line)
        run, prepare = (tuple(entry.pop(name, ())) for name in ("run", "prepare"))
        found.append(Scene(steps=steps, run=run, prepare=prepare, **entry))
    return tuple(found)


@contextmanager
def opened(scene: Scene, settling: Settling) -> Iterator[SandboxComputer]:
    """Open a scene's application on a desktop of its own."""
    with SandboxComputer(image=scene.image, network="loopback") as computer:
        computer.settling = settling
        for name, text in files().items():
            computer.write_file(name, text.encode())
        context = SetupContext(computer)
        if scene.mail:
            open_mail(context)
        if scene.run and scene.run[0] in ("chromium", "firefox-esr"):
            set_up(make.browser_profile("firefox" if scene.run[0] == "firefox-esr" else "chromium"), context)
            server = ["python3", "-m", "http.server", str(PORT), "--bind", "127.0.0.1", "--directory", "site"]
            computer.launch(server, wait=False)
            computer.wait_for(_served, what="the web server")
        if scene.run:
            computer.launch(scene.run, window=scene.window, timeout_sec=OPEN_SEC)
        for line in scene.prepare:
            computer.perform(action_of(line, computer))
        _rest(computer)
        yield computer


def _rest(computer: Computer) -> None:
    """Let an application come to rest after its start: some close by themselves what they said first."""
    before, still = computer.screenshot(cursor=False), 0
    for _ in range(MOST_GLANCES):
        pause(GLANCE_SEC)
        now = computer.screenshot(cursor=False)
        still = still + 1 if not differences(before, now, ignore=computer.parts.rest.restless()) else 0
        if still == ENOUGH_GLANCES:
            return
        before = now


def _served(computer: Computer) -> bool:
    ask = f"import socket; socket.create_connection(('localhost', {PORT})).close()"
    return computer.run(["python3", "-c", ask]).code == 0
