"""What OpenEnv's websocket adds to a step, and whether many sessions at once all get their answers."""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from proctor.actions.action import from_json
from proctor.bench.measure import Figure
from proctor.errors import HostError
from proctor.exam.rules import Rules
from proctor.interop.sessions import Sessions
from proctor.interop.venue import Venue
from proctor.pause import pause
from proctor.suites import load_suite

GOAL_MS = 30.0
SUITE = Path(__file__).parents[1] / "examples" / "tasks"
SIZE = (1920, 1080)
WARMING = 3

Say = Callable[[dict[str, Any]], dict[str, Any]]


def openenv_python() -> str | None:
    """Return a Python that has OpenEnv: this one, the one of PROCTOR_OPENENV_PYTHON, or that of `.venv-openenv`."""
    if importlib.util.find_spec("openenv"):
        return sys.executable
    named = os.environ.get("PROCTOR_OPENENV_PYTHON") or str(Path(__file__).parents[1] / ".venv-openenv/bin/python")
    return named if Path(named).exists() else None


def measure_openenv(
    *, steps: int = 50, sessions: int = 16, minutes: float = 0.0, pause_sec: float = 60.0, computer: str = "fake"
) -> list[Figure]:
    """Measure over OpenEnv; nothing is measured where it is not installed, and the figures say so.

    Args:
        steps: How many are timed, alone.
        sessions: How many clients are connected at once.
        minutes: How long they go on, with pauses; 0 for one round of ten steps.
        pause_sec: Between the steps of a client.
        computer: What they have; steps are timed on the fake one.
    """
    python = openenv_python()
    if python is None or not SUITE.is_dir() or not importlib.util.find_spec("websockets"):
        why = "left out: needs OpenEnv in an environment of its own (make venv-openenv), and the sources of Proctor"
        return [Figure(key="openenv_step_added_ms", what="an OpenEnv step", value=None, goal=GOAL_MS, note=why)]
    fake = f"fake,size={'x'.join(map(str, SIZE))}"
    with _server(python, 1, fake) as address:
        added = _added(address, steps)
    with _server(python, sessions, fake if computer == "fake" else computer) as address:
        return [added, *_together(address, sessions, minutes, pause_sec, computer)]


def _added(address: str, steps: int) -> Figure:
    """Time steps over the websocket and without it, by turns."""
    suite = load_suite(SUITE)
    bare = Sessions(
        Venue(computer="fake", options={"size": SIZE}, rules=Rules(steps=1000, repetition=1000), assets=suite.assets)
    )
    session = bare.open()
    session.reset(next(suite.tasks()))
    over: list[float] = []
    alone: list[float] = []
    with _client(address) as say:
        say({"type": "reset", "data": {"index": 0}})
        for step in range(WARMING + steps):
            action = {"type": "move", "x": 10 + step % 500, "y": 10}
            began = time.perf_counter()
            say({"type": "step", "data": action})
            middle = time.perf_counter()
            session.step(from_json(action))
            ended = time.perf_counter()
            if step >= WARMING:
                over.append(middle - began)
                alone.append(ended - middle)
    bare.close()
    return Figure(
        key="openenv_step_added_ms",
        what="an OpenEnv step with a 1920x1080 picture, beside the step itself",
        value=1000 * (median(over) - median(alone)),
        goal=GOAL_MS,
        note=f"over the websocket, PNG and base64 included; medians of {steps} by turns, fake computer",
    )


def _together(address: str, sessions: int, minutes: float, pause_sec: float, computer: str) -> list[Figure]:
    """Have many clients step at once, and count those that lost their session."""
    until = time.monotonic() + 60 * minutes
    with ThreadPoolExecutor(sessions) as clients:
        ends = list(clients.map(partial(_one, address, until, pause_sec if minutes else 0.0), range(sessions)))
    spent = sorted(each for times, _ in ends for each in times)
    lost = [why for _, why in ends if why]
    how = f"for {minutes:g} min with pauses of {pause_sec:g} s" if minutes else "ten steps each, without pauses"
    note = f"{sessions} at once, {len(spent)} steps, {how}, computer {computer}"
    slow = 1000 * spent[int(len(spent) * 0.99)] if spent else None
    said = f"; {lost[0][:100]}" if lost else ""
    return [
        Figure(key="openenv_sessions_lost", what="OpenEnv sessions lost", value=len(lost), unit="", goal=0,
               note=note + said),
        Figure(key="openenv_step_p99_ms", what="the slowest hundredth of their steps", value=slow, note=note),
    ]  # fmt: skip


def _one(address: str, until: float, pause_sec: float, number: int) -> tuple[list[float], str]:
    """Step as one client; returns how long each took, and what ended the session before its time."""
    spent: list[float] = []
    try:
        with _client(address) as say:
            say({"type": "reset", "data": {"index": 0}})
            while time.monotonic() < until or len(spent) < 10:
                began = time.perf_counter()
                say({"type": "step", "data": {"type": "move", "x": 10 + number, "y": 10 + len(spent) % 300}})
                spent.append(time.perf_counter() - began)
                if pause_sec:
                    pause(min(pause_sec, max(until - time.monotonic(), 0.0)))
    except Exception as error:  # whatever it is, it is what the figure counts
        return spent, f"{type(error).__name__}: {error}"
    return spent, ""


@contextmanager
def _client(address: str) -> Iterator[Say]:
    connect = importlib.import_module("websockets.sync.client").connect
    with ExitStack() as stack:
        # As OpenEnv's own client: pings each 20 s, messages without bound.
        socket = stack.enter_context(connect(address.replace("http", "ws") + "/ws", max_size=None, open_timeout=60))

        def say(message: dict[str, Any]) -> dict[str, Any]:
            socket.send(json.dumps(message))
            answer: dict[str, Any] = json.loads(socket.recv(timeout=60))
            if answer["type"] == "error":
                raise HostError(f"the server said: {answer['data']}"[:500])
            return answer

        yield say


@contextmanager
def _server(python: str, sessions: int, computer: str) -> Iterator[str]:
    command = [python, "-m", "proctor", "serve", "openenv", "--suite", str(SUITE), "--port", "0"]
    command += ["--computer", computer, "--sessions", str(sessions), "--steps", "1000"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            if "http://" not in line:
                raise HostError("the OpenEnv server did not start", remedy=f"try: {' '.join(command)}")
            yield line.rpartition(" ")[2].strip()
        finally:
            process.terminate()
