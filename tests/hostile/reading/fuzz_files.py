"""Damages files of every kind, has them looked at and judged: `python -m tests.hostile.reading.fuzz_files 10000`."""

from __future__ import annotations

import json
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import click

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.computer import CommandResult, FileInfo
from proctor.suites import load_suite
from proctor.tasks.call import Call, walk
from proctor.tasks.examine import examine, looker
from proctor.tasks.findings import Fault
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import READER
from proctor.vocabulary.desktop.probes.state import SCHEMAS
from tests.hostile.reading.mutate import damaged
from tests.hostile.reading.seeds import SCHEMA_FILE, Seed, seeds

CHECKS_EACH = 6
"""How many checks of our tasks look at what came of one file."""
BESIDES = {"a.pdf": b"%PDF-1.7", "a.kdbx": b"safe"}
"""Files that must be there for a command to be run on them."""


class Printing(FakeComputer):
    """A computer on which every command prints the same."""

    printed = b""

    def run(self, argv: Sequence[str], **options: Any) -> CommandResult:
        # What is drawn comes from the computer's own programs; there is nothing to be drawn here.
        said = b"" if "pdftoppm" in argv[-1] else self.printed
        return CommandResult(code=0, stdout=said.decode(errors="replace"), stderr="")

    def read_file(self, path: str, *, most: int | None = None, follow: bool = True) -> bytes:
        return SCHEMA_FILE if path == SCHEMAS else super().read_file(path, most=most, follow=follow)

    def file_info(self, path: str) -> FileInfo:
        link = FileInfo(path="link", kind="link", size=1, mode=0o777, modified=0.0)
        return link if path == "link" else super().file_info(path)


@dataclass
class Outcome:
    """What became of the files."""

    values: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    checks: int = 0
    failures: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    peak: int = 0
    """Bytes that the harness and the reader had together, above what they had before."""


def fuzz(numbers: Iterable[int], watch: bool = False) -> Outcome:
    """Damage, look and judge once for each number; the same number does the same."""
    outcome = Outcome()
    with Printing() as computer, _watched(outcome if watch else None):
        for path, data in BESIDES.items():
            computer.write_file(path, data)
        sound = {seed.probe.name: looked_at(computer, seed, seed.data) for seed in seeds()}
        for number in numbers:
            chance = random.Random(number)
            seed = seeds()[number % len(seeds())]
            data = damaged(seed.data, chance)
            started = time.monotonic()
            try:
                seen = looked_at(computer, seed, data)
                outcome.seconds.append(time.monotonic() - started)
                json.dumps(seen, allow_nan=False, ensure_ascii=False).encode()
                (outcome.faults if Fault.from_json(seen) else outcome.values)[seed.kind] += 1
                for check in judged(seed.probe.name, chance):
                    outcome.checks += 1
                    examine(check, lambda call, seen=seen, seed=seed: _evidence(call, seed, seen, sound))
            except Exception as error:
                outcome.failures.append(f"{number} ({seed.kind}): {type(error).__name__}: {str(error)[:300]}")
    return outcome


def looked_at(computer: Printing, seed: Seed, data: bytes) -> Any:
    """Return what the probe of a seed says of a file with this content."""
    evidence: dict[str, Any] = {}
    if seed.path:
        computer.write_file(seed.path, data)
    computer.printed = data
    try:
        looker(ProbeContext(computer), evidence)(seed.probe)
    finally:
        if seed.path:
            computer.remove_file(seed.path)
    return evidence[seed.probe.key]


def _evidence(call: Call, seed: Seed, seen: Any, sound: dict[str, Any]) -> Any:
    name = call.name.removesuffix("_before")
    held = seen if name == seed.probe.name else sound.get(name, Fault("absent", f"nothing is known of {name}"))
    return Fault.from_json(held) or held


def judged(probe: str, chance: random.Random) -> Iterator[Call]:
    """Yield some of the checks of our tasks that ask a probe."""
    known = _checks().get(probe, [])
    yield from known if len(known) <= CHECKS_EACH else chance.sample(known, CHECKS_EACH)


@cache
def _checks() -> dict[str, list[Call]]:
    found: dict[str, dict[str, Call]] = {}
    for suite in ("core", "pool"):
        for task in load_suite(suite).tasks():
            for _, check in walk(task.check, ()):
                probes = [each.name for _, each in walk(dict(check.arguments), ()) if each.kind == "probe"]
                inner = any(each.kind == "check" for _, each in walk(dict(check.arguments), ()))
                for probe in () if check.kind != "check" or inner else probes:
                    found.setdefault(probe, {})[check.key] = check
    return {probe: list(checks.values()) for probe, checks in found.items()}


@contextmanager
def _watched(outcome: Outcome | None) -> Iterator[None]:
    """Look all the while how much memory there is in use."""
    ended = threading.Event()
    idle = _memory()

    def look() -> None:
        while outcome is not None and not ended.wait(0.002):
            outcome.peak = max(outcome.peak, _memory() - idle)

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


def _memory() -> int:
    return sum(_resident(pid) for pid in ("self", *_reader_and_children()))


def _reader_and_children() -> list[str]:
    pid = READER.pid
    if pid is None:
        return []
    try:
        return [str(pid), *Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return [str(pid)]


def _resident(pid: str) -> int:
    """Return the memory that is a process's own; what it shares with the one it was forked from is counted there."""
    try:
        _, resident, shared, *_ = Path(f"/proc/{pid}/statm").read_text().split()
    except (OSError, ValueError):
        return 0
    return (int(resident) - int(shared)) * 4096


def main(count: int) -> int:
    """Fuzz this many files and say what came of it."""
    outcome = fuzz(range(count), watch=True)
    for seed in seeds():
        click.echo(f"{seed.kind:22} {outcome.values[seed.kind]:5} values {outcome.faults[seed.kind]:5} faults")
    slowest = sorted(outcome.seconds)
    click.echo(
        f"{count} files, {outcome.values.total()} values, {outcome.faults.total()} faults, {outcome.checks} checks"
    )
    click.echo(f"a look: median {slowest[len(slowest) // 2] * 1000:.0f} ms, longest {slowest[-1]:.1f} s")
    click.echo(f"memory of harness and reader: at most {outcome.peak >> 20} MiB more than before")
    click.echo(f"{len(outcome.failures)} failures")
    for failure in outcome.failures[:50]:
        click.echo(f"  {failure}")
    return 1 if outcome.failures else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
