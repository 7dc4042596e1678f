"""Attacks as a user would meet them: agents of `proctor run`, watched from outside, judged by their records."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from proctor.attacks.attack import Attack, read
from proctor.store.verify import verify
from tests.hostile import measure
from tests.hostile.computers import MEMORY_MB
from tests.hostile.shelf import find
from tests.ordinary import PROJECT, OrdinaryUser

INJECTED = "<img src=x onerror=proctor()>"
"""What an attack writes everywhere; in a page it must stand as text."""
BACKEND = "tests.hostile.computers:Small"
AGENT = "tests.hostile.agents:Attacker,attack="
MOST_MB = 6000
"""What harness and sandbox may take together before the kernel ends something: the machine must not come to harm."""
SPARE_MB = 200
WATCHED_SPARE_MB = 600
"""For an ordinary user, who has no control groups: what can be taken between two looks comes on top."""
HARNESS_MB = 500
LOOK_SEC = 30.0
JUDGE_SEC = 60.0
PATIENCE_SEC = 240.0


@dataclass
class Outcome:
    """What came of an attack."""

    attack: str
    kind: str
    tries: str
    rootless: bool
    failures: list[str] = field(default_factory=list)
    """What must not be; empty when everything held."""
    told: str = ""
    """What the attack itself told."""
    stops: list[str] = field(default_factory=list)
    modes: list[str] = field(default_factory=list)
    lost_mb: float = 0.0
    harness_mb: float = 0.0
    look_sec: float = 0.0
    seconds: float = 0.0

    @property
    def held(self) -> bool:
        """Whether everything held."""
        return not self.failures

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {**asdict(self), "held": self.held}


@dataclass(frozen=True)
class Idle:
    """What a harness and a sandbox take when nothing is attacked."""

    lost_mb: float
    harness_mb: float
    spare_mb: int = SPARE_MB


def run(
    attacks: Sequence[Attack], *, user: OrdinaryUser | None = None, samples: int = 1, idle: Idle | None = None
) -> list[Outcome]:
    """Let attackers be examined one after the other in one run, and return what came of each.

    What is left behind or changed on the host cannot be put down to one of several: then each is tried by itself.
    """
    outcomes, shared = _together(attacks, user, samples, idle)
    if shared and len(attacks) > 1:
        return [outcome for attack in attacks for outcome in run([attack], user=user, samples=samples, idle=idle)]
    for outcome in outcomes:
        outcome.failures += shared
    return outcomes


def measure_idle(user: OrdinaryUser | None = None) -> Idle:
    """Measure an agent that attacks nothing."""
    (quiet,) = run([find("nothing")], user=user)
    assert quiet.held, quiet.failures
    return Idle(quiet.lost_mb, quiet.harness_mb, SPARE_MB if user is None else WATCHED_SPARE_MB)


def _together(
    attacks: Sequence[Attack], user: OrdinaryUser | None, samples: int, idle: Idle | None
) -> tuple[list[Outcome], list[str]]:
    """Return what came of each, and what is wrong without being put down to one of them."""
    canary = f"canary-{secrets.token_hex(12)}"
    folder = Path(tempfile.mkdtemp(prefix="hostile-", dir="/var/tmp"))
    (folder / "tmp").mkdir()
    if user is not None:
        for path in (folder, folder / "tmp"):
            os.chown(path, user.entry.pw_uid, user.entry.pw_gid)
    group = measure.Group(f"hostile-{os.getpid()}", MOST_MB) if os.geteuid() == 0 else None
    before, shared_memory = measure.host_state(), _shared_memory()
    try:
        with measure.Sampler(group) as sampler:
            done = _examine(attacks, folder, canary, samples, user, group)
        wrong = _left_behind(group, folder, shared_memory)
        wrong += [f"the host's {name} changed" for name in measure.differences(before, measure.host_state())]
        outcomes, unrecorded = _read_record(attacks, folder / "run", done, sampler, idle)
        wrong += unrecorded
        wrong += [f"secret in {file}" for file in measure.leaks(folder, canary)]
        wrong += [
            f"markup of the agent in {page.name}" for page in folder.rglob("*.html") if INJECTED in page.read_text()
        ]
        told = {"output": done.stdout, "complaints": done.stderr}
        wrong += [f"secret in the {name}" for name, text in told.items() if canary in text]
        for outcome in outcomes:
            outcome.rootless = user is not None
        return outcomes, wrong
    finally:
        if group is not None:
            group.close()
        shutil.rmtree(folder, ignore_errors=True)


def _examine(
    attacks: Sequence[Attack],
    folder: Path,
    canary: str,
    samples: int,
    user: OrdinaryUser | None,
    group: measure.Group | None,
) -> subprocess.CompletedProcess[str]:
    arguments = [
        "-m", "proctor", "run", "sign-the-letter",
        *(word for attack in attacks for word in ("--agent", AGENT + attack.name)),
        "--loose-limits",
        *(word for kind in ("run_code", "press", "click", "done") for word in ("--action", kind)),
        "-k", str(samples), "-n", "1", "--retries", "0", "--computer", BACKEND, "--json", "--out", str(folder / "run"),
    ]  # fmt: skip
    secret = {
        "OPENAI_API_KEY": f"sk-{canary}",
        "PROCTOR_CANARY": canary,
        "AWS_SECRET_ACCESS_KEY": canary,
        "TMPDIR": str(folder / "tmp"),
    }
    join = group.join if group is not None else None
    patience = PATIENCE_SEC * samples * len(attacks)
    try:
        if user is not None:
            return user.python(*arguments, env=secret, before=join, timeout_sec=patience)
        path = os.pathsep.join([str(PROJECT / "src"), str(PROJECT)])
        return subprocess.run(
            [sys.executable, *arguments],
            env={**os.environ, **secret, "PYTHONPATH": path},
            cwd="/",
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            preexec_fn=join,
            timeout=patience,
        )
    except subprocess.TimeoutExpired as error:
        words = (error.stderr or b"")[-500:]
        return subprocess.CompletedProcess(arguments, -9, "", f"no end within {error.timeout:g} s: {words!r}")


def _left_behind(group: measure.Group | None, folder: Path, shared: set[str]) -> list[str]:
    if group is None:
        return []
    deadline = time.monotonic() + 5
    while group.processes() and time.monotonic() < deadline:
        threading.Event().wait(0.05)  # what was killed takes a moment to go
    left = [f"process {_command(pid)} left behind" for pid in group.processes()]
    left += [f"control group {name} left behind" for name in group.below()]
    left += [f"{path.name} left in the temporary folder" for path in (folder / "tmp").iterdir()]
    for name in _shared_memory() - shared:
        # Others on this machine use the folder too; what somebody has open is not left behind.
        if "proctor" in name and not _open_somewhere(f"/dev/shm/{name}"):
            left.append(f"/dev/shm/{name} left behind")
    return left


def _shared_memory() -> set[str]:
    return {path.name for path in Path("/dev/shm").iterdir()}


def _open_somewhere(path: str) -> bool:
    for link in Path("/proc").glob("[0-9]*/fd/*"):
        with contextlib.suppress(OSError):
            if str(link.readlink()) == path:
                return True
    return not Path(path).exists()


def _command(pid: int) -> str:
    with contextlib.suppress(OSError):
        return f"{pid} ({Path(f'/proc/{pid}/cmdline').read_bytes()[:80]!r})"
    return str(pid)


def _read_record(
    attacks: Iterable[Attack],
    run: Path,
    done: subprocess.CompletedProcess[str],
    sampler: measure.Sampler,
    idle: Idle | None,
) -> tuple[list[Outcome], list[str]]:
    index = run / "index.jsonl"
    results = [json.loads(line) for line in index.read_text().split("\n") if line] if index.exists() else []
    outcomes, wrong = [], []
    for attack in attacks:
        outcome = Outcome(attack.name, attack.kind, attack.tries, False)
        own = [result for result in results if result["agent"] == AGENT + attack.name]
        if not own:
            wrong.append(f"no result; the run ended with {done.returncode}: {done.stderr[-600:].strip()}")
        for result in own:
            _read_result(outcome, attack, run / result["folder"], result)
            began = result["started"]
            peaks = sampler.between(began, began + result.get("seconds", 0.0))
            outcome.lost_mb = max(outcome.lost_mb, round(peaks.lost_mb))
            outcome.harness_mb = max(outcome.harness_mb, round(peaks.harness_mb))
        outcome.failures += _memory(outcome, idle)
        outcomes.append(outcome)
    if results:
        wrong += [f"the record is incomplete: {problem}" for problem in verify(run)]
    return outcomes, wrong


def _read_result(outcome: Outcome, attack: Attack, folder: Path, result: dict[str, Any]) -> None:
    stop = result.get("stop", "done")
    outcome.stops.append(stop)
    outcome.modes += [mode for mode in result.get("modes", ()) if mode not in outcome.modes]
    outcome.seconds = max(outcome.seconds, round(result.get("seconds", 0.0), 1))
    if stop == "void":
        words = " ".join(str(result.get("error")).split())[-300:]
        outcome.failures.append(f"void ({result.get('cause')}): {words}")
    steps = [json.loads(line) for line in (folder / "steps.jsonl").read_text().split("\n") if line]
    acted = 0.0
    for step in steps:
        seconds = step.get("seconds", {})
        acted += seconds.get("act", 0.0) + seconds.get("see", 0.0)
        outcome.look_sec = max(outcome.look_sec, seconds.get("see", 0.0))
        allowed = (attack.timeout_sec + 5 if step.get("action", {}).get("type") == "run_code" else 0) + LOOK_SEC
        if seconds.get("act", 0.0) > allowed:
            outcome.failures.append(f"an action took {seconds['act']:.0f} s")
        told = read(step.get("output", {}).get("text", ""))
        if told is not None:
            outcome.told = told.got or told.refused
            outcome.failures += [f"let through: {told.got}"] if told.got else []
            outcome.failures += [f"the attack is broken: {told.broken}"] if told.broken else []
    if outcome.look_sec > LOOK_SEC:
        outcome.failures.append(f"a look took {outcome.look_sec:.0f} s")
    rest = result.get("seconds", 0.0) - acted
    if rest > JUDGE_SEC:
        outcome.failures.append(f"setting up and judging took {rest:.0f} s")


def _memory(outcome: Outcome, idle: Idle | None) -> list[str]:
    if idle is None:
        return []
    failures = []
    most = MEMORY_MB + idle.spare_mb + idle.harness_mb
    if outcome.lost_mb > most:
        failures.append(f"the host lost {outcome.lost_mb:.0f} MB, and {most:.0f} MB is the most it may")
    if outcome.harness_mb > idle.harness_mb + HARNESS_MB:
        failures.append(f"the harness took {outcome.harness_mb:.0f} MB, idle it takes {idle.harness_mb:.0f} MB")
    return failures
