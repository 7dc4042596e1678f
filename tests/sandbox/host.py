"""What sandboxes leave on the host; and harnesses in processes of their own, so that they can be ended in any way."""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from proctor.computers import userns
from proctor.computers.images import folders, rootfs
from proctor.computers.sandbox_machine import limits

SOURCES = Path(__file__).parents[2] / "src"
PATIENCE_SEC = 30.0
"""How long anything is waited for; only a broken test takes as long."""

PREAMBLE = """
import faulthandler, json, os, select, signal, sys, threading
from proctor import open_computer

faulthandler.dump_traceback_later(20)
# Shells have what they run in the background ignore Ctrl-C, and so what it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)

def ready(computer, **more):
    machine = computer.desktop.machine
    facts = {"supervisor": machine.supervisor_pid, "groups": computer.desktop.groups.folders, **more}
    print(json.dumps(facts), flush=True)
    # Python takes note of a signal that comes just before it blocks only afterwards, so it must not block for long.
    while not select.select([sys.stdin], [], [], 0.1)[0]:
        pass
"""


# -- what there is on the host ----------------------------------------------------------------------------------------


def parents() -> dict[int, int]:
    """Return the parent of every process."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            found[int(path.parent.name)] = int(path.read_text().rpartition(") ")[2].split()[1])
    return found


def descendants(pid: int) -> list[int]:
    """Return the processes below one, parents before their children."""
    parent_of = parents()
    found = [pid]
    for known in found:  # grows meanwhile
        found += [child for child, parent in parent_of.items() if parent == known]
    return found[1:]


def first_process(supervisor: int) -> int:
    """Return a sandbox's process 1 as the host numbers it: the one below its supervisor that is number 1 inside."""
    for pid in descendants(supervisor):
        numbers = Path(f"/proc/{pid}/status").read_text().partition("NSpid:")[2].partition("\n")[0].split()
        if len(numbers) > 1 and numbers[-1] == "1":
            return pid
    raise AssertionError(f"process {supervisor} supervises no sandbox")


def namespace_of(pid: int) -> str:
    """Return the process namespace of a process; empty where that is not ours to know."""
    with contextlib.suppress(OSError):
        return str(Path(f"/proc/{pid}/ns/pid").readlink())
    return ""


def supervisors_of(pid: int) -> list[int]:
    """Return the processes that supervise the sandboxes of a harness, and each sandbox's process 1 (it is a fork)."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            arguments = path.read_text(errors="replace").split("\0")
            if str(pid) in arguments and any(word.endswith("/supervisor.py") for word in arguments):
                found.append(int(path.parent.name))
    return found


def members(namespace: str) -> list[int]:
    """Return the processes in a process namespace."""
    pids = [int(path.name) for path in Path("/proc").glob("[0-9]*")]
    return [pid for pid in pids if namespace and namespace_of(pid) == namespace]


def groups_of(pid: int) -> list[str]:
    """Return the control groups that a harness has made."""
    made = f"{limits.PREFIX}{pid}-"
    return [f"{folder}/{name}" for folder, names, _ in os.walk(limits.ROOT) for name in names if name.startswith(made)]


def scratch_of(pid: int) -> list[Path]:
    """Return the layers on disk that a harness has made."""
    return list((folders.data_folder() / "scratch").glob(f"*-{pid}-*"))


def mounts() -> list[str]:
    """Return what is mounted here."""
    return Path("/proc/self/mountinfo").read_text().splitlines()


@dataclass(frozen=True)
class Footprint:
    """What this process holds, for a comparison before and after."""

    descriptors: Counter[str]
    threads: int
    children: list[int]
    groups: list[str]
    scratch: list[Path]
    mounts: list[str] = field(repr=False)


def footprint() -> Footprint:
    """Return what this process holds now."""
    descriptors: Counter[str] = Counter()
    for link in list(Path("/proc/self/fd").iterdir()):
        with contextlib.suppress(FileNotFoundError):  # the one that listed them
            descriptors[re.sub(r"\d+", "N", str(link.readlink()))] += 1
    return Footprint(
        descriptors=descriptors,
        threads=threading.active_count(),
        children=descendants(os.getpid()),
        groups=groups_of(os.getpid()),
        scratch=scratch_of(os.getpid()),
        mounts=mounts(),
    )


# -- waiting ----------------------------------------------------------------------------------------------------------


class Watched:
    """Processes to wait for, whoever their parent is by then."""

    def __init__(self, pids: list[int]) -> None:
        self._ends: dict[int, int] = {}
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                self._ends[os.pidfd_open(pid)] = pid

    def __enter__(self) -> Watched:
        return self

    def __exit__(self, *_: object) -> None:
        for end in self._ends:
            os.close(end)

    def wait(self, timeout_sec: float = PATIENCE_SEC) -> list[int]:
        """Wait until all have ended; return those that have not."""
        deadline = time.monotonic() + timeout_sec
        poll = select.poll()
        for end in self._ends:
            poll.register(end, select.POLLIN)
        while self._ends and (ready := poll.poll(max(deadline - time.monotonic(), 0) * 1000)):
            for end, _ in ready:
                poll.unregister(end)
                os.close(end)
                del self._ends[end]
        return list(self._ends.values())


class Background(threading.Thread):
    """A call in a thread of its own; `outcome` is what it returned or raised."""

    def __init__(self, work: Callable[[], object]) -> None:
        super().__init__()
        self._work = work
        self.outcome: object = None
        self.start()

    def run(self) -> None:
        """Make the call."""
        try:
            self.outcome = self._work()
        except BaseException as error:
            self.outcome = error

    def wait(self, timeout_sec: float) -> object:
        """Return the outcome; a call that goes on for longer is a failure."""
        self.join(timeout_sec)
        assert not self.is_alive()
        return self.outcome


def timed(work: Callable[[], object]) -> float:
    """Return how long a call took."""
    began = time.monotonic()
    work()
    return time.monotonic() - began


# -- harnesses --------------------------------------------------------------------------------------------------------


class Harness:
    """A few lines of Python in a process of their own, with a temporary folder of its own."""

    def __init__(self, code: str, folder: Path, *, wrapper: tuple[str, ...] = (), env: dict[str, str] | None = None):
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        self.mounts = mounts()
        path = os.pathsep.join(filter(None, [str(SOURCES), os.environ.get("PYTHONPATH")]))
        environment = {**os.environ, "PYTHONPATH": path, "TMPDIR": str(self.temporary), **(env or {})}
        self.process = subprocess.Popen(
            [*wrapper, sys.executable, "-c", PREAMBLE + code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            # As a shell at a terminal would: a process group of its own.
            start_new_session=True,
        )

    def __enter__(self) -> Harness:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def facts(self) -> dict[str, Any]:
        """Return what it printed about its sandbox, which is up then."""
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line, self.process.communicate()[1]
        facts: dict[str, Any] = json.loads(line)
        return facts

    def go_on(self) -> tuple[int, str]:
        """Let it run to its end; return its exit status and what it complained about."""
        _, complaints = self.process.communicate("\n", timeout=PATIENCE_SEC)
        return self.process.returncode, complaints

    def signal(self, number: signal.Signals, *, group: bool = False) -> int:
        """Send a signal and return the exit status."""
        (os.killpg if group else os.kill)(self.process.pid, number)
        try:
            return self.process.wait(PATIENCE_SEC)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError(f"the harness hangs: {self.process.communicate()[1]}") from None

    def leftovers(self) -> dict[str, Any]:
        """Return what it left on the host beside processes; empty values are dropped."""
        pid = self.process.pid
        left = {
            "groups": groups_of(pid),
            "scratch": scratch_of(pid),
            "mounts": sorted(set(mounts()) - set(self.mounts)),
            "temporary": sorted(self.temporary.iterdir()),
        }
        return {name: found for name, found in left.items() if found}


# -- images -----------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def image_copy(name: str = "starter") -> Iterator[Path]:
    """Lend a data folder that holds a copy of an image, made of hard links: files may be removed, not written to."""
    # Beside the real one, since links do not reach across filesystems.
    data = folders.data_folder() / f"test-{os.getpid()}-{threading.get_ident()}"
    target = data / "images" / name
    target.mkdir(parents=True)
    source = folders.images_folder() / name
    try:
        userns.run(["cp", "-al", str(source / "rootfs"), str(target / "rootfs")]).check_returncode()
        for file in ("image.json", "in-use.lock"):
            shutil.copy(source / file, target / file)
        yield data
    finally:
        rootfs.delete(target)
        shutil.rmtree(data)


@contextlib.contextmanager
def without(data: Path, path: str, *, name: str = "starter") -> Iterator[None]:
    """Take a file or folder out of the copy of an image, for a while."""
    inside = data / "images" / name / "rootfs" / path
    away = inside.with_name(f"{inside.name}.away")
    userns.run(["mv", str(inside), str(away)]).check_returncode()
    try:
        yield
    finally:
        userns.run(["mv", str(away), str(inside)]).check_returncode()
