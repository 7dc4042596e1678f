"""What is measured from outside while an attack goes on: memory, processes, the host's settings, the record."""

from __future__ import annotations

import base64
import contextlib
import gzip
import os
import threading
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")
EVERY_SEC = 0.05
MUCH_KERNEL_BYTES = 500 << 20
SETTINGS = (
    "kernel/core_pattern", "kernel/modprobe", "kernel/hostname", "kernel/domainname", "kernel/panic_on_oops",
    "kernel/sysrq", "kernel/randomize_va_space", "kernel/yama/ptrace_scope", "kernel/pid_max", "kernel/threads-max",
    "vm/overcommit_memory", "vm/panic_on_oom", "vm/drop_caches", "fs/suid_dumpable", "fs/protected_symlinks",
    "fs/file-max", "fs/inotify/max_user_instances", "net/core/bpf_jit_enable", "user/max_user_namespaces",
)  # fmt: skip


def available_mb() -> float:
    """Return how much memory this machine could still give."""
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) / 1024
    raise AssertionError("/proc/meminfo tells no MemAvailable")


# -- a group for the harness and all that it starts -------------------------------------------------------------------


class Group:
    """A control group of our own around a harness: it counts exactly, and keeps the machine from harm."""

    def __init__(self, name: str, most_mb: int) -> None:
        self.two = (CGROUPS / "cgroup.controllers").exists()
        self.folder = CGROUPS / name if self.two else CGROUPS / "memory" / name
        self.folder.mkdir()
        limit = "memory.max" if self.two else "memory.limit_in_bytes"
        (self.folder / limit).write_text(str(most_mb << 20))

    def join(self) -> None:
        """Put this process in; meant for a child that is about to become something else."""
        (self.folder / "cgroup.procs").write_text("0")

    def used_mb(self) -> float:
        """Return what is used and cannot be had back by writing it out: programs, files in memory, the kernel."""
        stat = dict(line.split() for line in (self.folder / "memory.stat").read_text().splitlines())
        if self.two:
            names = ("anon", "shmem", "kernel")
            used = sum(int(stat.get(name, 0)) for name in names)
            return (used - int(stat.get("slab_reclaimable", 0))) / (1 << 20)
        kernel = self._kernel_bytes()
        if kernel > MUCH_KERNEL_BYTES:
            # Names of files and the like are counted here too, though the kernel gives them up when it is asked.
            (self.folder / "memory.force_empty").write_text("0")
            kernel = self._kernel_bytes()
        return (int(stat["total_rss"]) + int(stat.get("total_shmem", 0)) + kernel) / (1 << 20)

    def _kernel_bytes(self) -> int:
        return int((self.folder / "memory.kmem.usage_in_bytes").read_text())

    def processes(self) -> list[int]:
        """Return who is in the group or below it."""
        found: list[int] = []
        for folder, _, _ in os.walk(self.folder):  # groups below come and go meanwhile
            with contextlib.suppress(OSError):
                found += map(int, Path(folder, "cgroup.procs").read_text().split())
        return found

    def below(self) -> list[str]:
        """Return the groups that were made below."""
        return [path.name for path in self.folder.iterdir() if path.is_dir()]

    def close(self) -> None:
        """End whatever is still there and remove the group."""
        deadline = time.monotonic() + 10
        while self.folder.exists() and time.monotonic() < deadline:
            for pid in self.processes():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, 9)
            for folder, _, _ in os.walk(self.folder, topdown=False):
                with contextlib.suppress(OSError):
                    Path(folder).rmdir()
            threading.Event().wait(0.05)


@dataclass(frozen=True)
class Sample:
    """What was used at one moment."""

    at: float
    lost_mb: float
    """Memory of the host that went to the harness and its sandboxes together."""
    harness_mb: float
    """Memory of the harness alone: the processes that are not inside."""


class Sampler(threading.Thread):
    """Looks at memory again and again until it is stopped."""

    def __init__(self, group: Group | None) -> None:
        super().__init__(daemon=True)
        self.group = group
        self.began_mb = available_mb()
        self.samples: list[Sample] = []
        self.failed: Exception | None = None
        self._over = threading.Event()

    def __enter__(self) -> Sampler:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self.join()
        assert self.failed is None, f"memory was not watched to the end: {self.failed!r}"

    def between(self, begin: float, end: float) -> Sample:
        """Return the highest figures of a span of time."""
        inside = [sample for sample in self.samples if begin - 1 <= sample.at <= end + 1]
        lost = max((sample.lost_mb for sample in inside), default=0.0)
        return Sample(begin, lost, max((sample.harness_mb for sample in inside), default=0.0))

    def run(self) -> None:
        """Look."""
        try:
            self._look()
        except Exception as error:
            self.failed = error

    def _look(self) -> None:
        ours = namespace(os.getpid())
        while not self._over.wait(EVERY_SEC):
            if self.group is None:
                self.samples.append(Sample(time.time(), self.began_mb - available_mb(), 0.0))
                continue
            outside = [pid for pid in self.group.processes() if namespace(pid) == ours]
            self.samples.append(Sample(time.time(), self.group.used_mb(), sum(map(own_mb, outside))))


def namespace(pid: int) -> str:
    """Return the process namespace of a process; empty when it has gone."""
    with contextlib.suppress(OSError):
        return str(Path(f"/proc/{pid}/ns/pid").readlink())
    return ""


def own_mb(pid: int) -> float:
    """Return the memory of a process that is not shared with files."""
    with contextlib.suppress(OSError, ValueError):
        _, resident, shared, *_ = Path(f"/proc/{pid}/statm").read_text().split()
        return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
    return 0.0


# -- what an attack must not change -----------------------------------------------------------------------------------


def host_state() -> dict[str, object]:
    """Return what of the host no attack may change."""
    state: dict[str, object] = {}
    for name in SETTINGS:
        path = Path("/proc/sys") / name
        with contextlib.suppress(OSError):
            state[name] = path.read_text()
    state["shared memory segments"] = [
        line.split()[1] for line in Path("/proc/sysvipc/shm").read_text().splitlines()[1:]
    ]
    state["mounts"] = sorted(line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines())
    state["hostname"] = os.uname().nodename
    return state


def differences(before: dict[str, object], after: dict[str, object]) -> list[str]:
    """Return what of the host differs."""
    return [name for name in before if before[name] != after.get(name)]


# -- what a record must not hold --------------------------------------------------------------------------------------


def forms(secret: str) -> set[bytes]:
    """Return the forms in which a secret may lie in a file."""
    plain = secret.encode()
    return {plain, plain.hex().encode(), plain[::-1], secret.encode("utf-16-le"), *_base64(plain)}


def _base64(plain: bytes) -> Iterator[bytes]:
    # Depending on where it begins, three different texts stand for the same bytes; their edges depend on the others.
    for shift in range(3):
        yield base64.b64encode(b"\0" * shift + plain)[4 if shift else 0 : -4]


def leaks(folder: Path, secret: str) -> list[str]:
    """Return the files below a folder that hold a secret, as it is, encoded or compressed."""
    wanted = forms(secret)
    return [
        str(path.relative_to(folder))
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink() and any(_holds(data, wanted) for data in _readings(path))
    ]


def _holds(data: bytes, wanted: set[bytes]) -> bool:
    return any(form in data for form in wanted)


def _readings(path: Path) -> Iterator[bytes]:
    data = path.read_bytes()
    yield str(path).encode()
    yield data
    if data[:2] == b"\x1f\x8b":
        with contextlib.suppress(OSError, EOFError, zlib.error):
            yield gzip.decompress(data)
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        yield from _texts_of_png(data)


def _texts_of_png(data: bytes) -> Iterator[bytes]:
    place = 8
    while place + 8 <= len(data):
        length = int.from_bytes(data[place : place + 4], "big")
        if data[place + 4 : place + 8] in (b"zTXt", b"iTXt"):
            body = data[place + 8 : place + 8 + length]
            with contextlib.suppress(zlib.error):
                yield zlib.decompress(body.partition(b"\0")[2][1:])
        place += 12 + length
