"""The file state of a sandbox: what differs from the image, what changed since a moment, and packing it away."""

from __future__ import annotations

import contextlib
import json
import os
import stat
import tarfile
import tempfile
import weakref
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from proctor.computers.computer import Change, Snapshot
from proctor.computers.sandbox_machine import clock
from proctor.computers.sandbox_machine.machine import AGENT_UID, SandboxMachine
from proctor.errors import ComputerError

FileKind = Literal["file", "folder", "link", "other"]


class ScanBounds(NamedTuple):
    """How long a look at all files may take; one that took longer is told as incomplete."""

    seconds: float
    work_seconds: float


SCAN = ScanBounds(5.0, 2.5)
SHORT_SCAN = ScanBounds(2.0, 1.0)
"""Once there was more than could be looked at."""
STAMP = ScanBounds(2.0, 1.0)
"""Where only their stamps are looked at."""
PACK_SEC = 300.0
MOST_LATER = 32 * 2**20
"""The largest file whose content is kept after the task has begun."""
WRITTEN_SEC = 3.0
"""How long programs may take to write down what they keep."""
# Set up again at each start, so neither state nor change.
SKIPPED = (
    "/dev",
    "/proc",
    "/run",
    "/sys",
    "/tmp/.X11-unix",
    "/tmp/.X1-lock",
    "/tmp/.ICE-unix",
    "/etc/hosts",
    clock.PRELOAD,
)


@dataclass(frozen=True, slots=True)
class LayerEntry:
    """One path of the layer above the image."""

    path: str
    kind: str
    """`file`, `folder`, `link`, `other` or `deleted`."""
    size: int
    mode: int
    changed_ns: int
    """Time of the last change of content or properties; programs cannot set it."""
    inode: int
    digest: str
    """SHA-256 of a file, target of a link."""
    lower: str
    """Kind of the image's own entry at this path; empty when it has none."""
    same: bool
    """Whether it equals the image's entry."""

    @property
    def exists(self) -> bool:
        """Whether there is something at this path."""
        return self.kind != "deleted"


ROOT = "/"
"""Stands in a list of what differs when there is more than was looked at; the root itself never differs."""

Manifest = dict[str, LayerEntry]
Told = dict[str, Any]
"""What process 1 tells of one program."""


def scan(machine: SandboxMachine, bounds: ScanBounds = SCAN) -> Manifest:
    """List every path that differs from the image.

    With too many for that, an entry of the root says so.
    """
    fd = os.memfd_create("scan")
    with os.fdopen(fd, encoding="utf-8", errors="surrogateescape") as lines:
        with machine.job("scan", fd, timeout_sec=2 * bounds.seconds, skip=list(SKIPPED), **bounds._asdict()):
            pass
        os.lseek(fd, 0, os.SEEK_SET)
        return {entry.path: entry for entry in (LayerEntry(*json.loads(line)) for line in lines)}


def compare(before: Manifest, now: Manifest) -> list[Change]:
    """Tell what was created, changed or deleted between two scans, sorted by path.

    A change of the root itself stands for all that was too much to look at.
    """
    changes = []
    whole = all(ROOT not in manifest for manifest in (before, now))
    for path in sorted(before.keys() | now.keys() if whole else now.keys() - {ROOT}):
        old, new = before.get(path), now.get(path)
        if change := _difference(path, old, new):
            changes.append(change)
    if not whole:
        changes.append(Change(path=ROOT, kind="changed", file="folder", size=0))
    return changes


def _difference(path: str, old: LayerEntry | None, new: LayerEntry | None) -> Change | None:
    was, now = _kind_of(old, new), _kind_of(new, old)
    if not was and not now:
        return None
    size = new.size if new else 0
    mode, old_mode = _rights(new), _rights(old)
    if not was:
        return Change(path=path, kind="created", file=cast(FileKind, now), size=size, mode=mode)
    if not now:
        return Change(path=path, kind="deleted", file=cast(FileKind, was), size=0)
    if was == now and not _differs(old, new):
        return None
    return Change(path=path, kind="changed", file=cast(FileKind, now), size=size, mode=mode, old_mode=old_mode)


def _rights(entry: LayerEntry | None) -> int | None:
    return stat.S_IMODE(entry.mode) if entry is not None and entry.exists else None


def _kind_of(entry: LayerEntry | None, other: LayerEntry | None) -> str:
    """Return what stands at a path by one scan.

    Where it has no entry, the image's own, which the other scan knows.
    """
    if entry is not None:
        return entry.kind if entry.exists else ""
    return other.lower if other else ""


def _differs(old: LayerEntry | None, new: LayerEntry | None) -> bool:
    """Tell whether two things of the same kind differ; the one without an entry is the image's."""
    if old is None or new is None:
        entry = old or new
        return entry is not None and not entry.same
    if (old.changed_ns, old.inode, old.size) == (new.changed_ns, new.inode, new.size):
        return False
    if new.kind == "folder":
        return old.mode != new.mode
    return (old.digest, old.mode, old.size) != (new.digest, new.mode, new.size) or not new.digest


class PackedLayer:
    """A packed layer in a file without a name.

    It takes disk, not memory, and goes with its last user.
    """

    def __init__(self) -> None:
        with tempfile.TemporaryFile(prefix="proctor-") as file:
            self.fd = os.dup(file.fileno())
        self._ending = weakref.finalize(self, os.close, self.fd)

    @property
    def path(self) -> Path:
        """A path that opens the file again, at its beginning."""
        return Path(f"/proc/{os.getpid()}/fd/{self.fd}")

    def content(self, path: str) -> bytes | None:
        """Return one file's content; None when the layer does not have it."""
        with self.path.open("rb") as copy, tarfile.open(fileobj=copy, mode="r:") as tar:
            try:
                member = tar.extractfile(path.lstrip("/"))
            except KeyError:
                return None
            except (tarfile.TarError, OSError) as error:
                raise ComputerError(f"the state kept of {path} cannot be read: {error}") from error
            return member.read() if member else None


@dataclass(frozen=True, kw_only=True, slots=True)
class Baseline:
    """The moment a task began: what differed from the image then, and the content of it."""

    manifest: Manifest
    layer: PackedLayer
    later: Mapping[str, bytes | None] = field(default_factory=dict)
    """Files that were changed since by what happened by itself, with what it left in them."""

    @classmethod
    def take(cls, machine: SandboxMachine) -> Baseline:
        """Remember a machine as it is now."""
        with frozen(machine):
            return cls(manifest=scan(machine), layer=pack(machine))

    def changes(self, machine: SandboxMachine, bounds: ScanBounds = SCAN) -> list[Change]:
        """Tell what was created, changed or deleted since."""
        return compare(self.manifest, scan(machine, bounds))

    def move_on(self, machine: SandboxMachine, earlier: Manifest) -> Baseline:
        """Return the same moment with what has changed since an earlier scan as it is now."""
        with frozen(machine):
            now = scan(machine)
            paths = [change.path for change in compare(earlier, now)]
            files = [path for path in paths if path in now and now[path].kind == "file"]
            later = {path: _content(machine, path) for path in files}
        kept = {path: entry for path, entry in self.manifest.items() if path not in paths}
        manifest = kept | {path: now[path] for path in paths if path in now}
        left = {path: content for path, content in self.later.items() if path not in paths}
        return replace(self, manifest=manifest, later=left | later)

    def content(self, machine: SandboxMachine, path: str) -> bytes | None:
        """Return a file's content as it was; None when there was no such file."""
        if path in self.later:
            return self.later[path]
        then = self.manifest.get(path)
        if then is not None:
            return self.layer.content(path) if then.kind == "file" else None
        try:
            with machine.open(path, os.O_RDONLY, uid=0, image=True) as file:
                return file.read()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None


def _content(machine: SandboxMachine, path: str) -> bytes | None:
    """Return what is in a file now; None for one that is too large to be kept."""
    with machine.open(path, os.O_RDONLY, uid=0) as file:
        content = file.read(MOST_LATER + 1)
    return content if len(content) <= MOST_LATER else None


@dataclass(frozen=True, kw_only=True)
class SandboxSnapshot(Snapshot):
    """The packed layer of a sandbox; it goes with this process."""

    layer: PackedLayer
    image_digest: str


@contextlib.contextmanager
def frozen(machine: SandboxMachine) -> Iterator[None]:
    """Hold the agent's processes still, so that files do not change while they are read."""
    already = freeze(machine)[0]
    try:
        yield
    finally:
        if not already:
            machine.request("thaw")


def freeze(machine: SandboxMachine, keepers: Sequence[str] = ()) -> tuple[bool, list[Told]]:
    """Hold the agent's processes still; tell whether they were already, and which were ended.

    Programs of the image that are named as keepers are asked to end before, so that they write down what they keep.
    """
    reply, _ = machine.request("freeze", keepers=list(keepers), patience=WRITTEN_SEC)
    return bool(reply["before"]), list(reply["ended"])


def stamp(machine: SandboxMachine) -> str:
    """Return a digest that is another one whenever a file of the agent's user has changed.

    Empty where there are too many files to look at.
    """
    fd = os.memfd_create("stamp")
    with os.fdopen(fd, "rb") as told:
        bounds = {**STAMP._asdict(), "uid": AGENT_UID, "skip": list(SKIPPED)}
        with machine.job("stamp", fd, timeout_sec=2 * STAMP.seconds, **bounds):
            pass
        told.seek(0)
        return told.read().decode()


def pack(machine: SandboxMachine) -> PackedLayer:
    """Pack the layer above the image."""
    layer = PackedLayer()
    with frozen(machine), machine.job("pack", layer.fd, timeout_sec=PACK_SEC, skip=list(SKIPPED)):
        return layer


def unpack(machine: SandboxMachine, layer: PackedLayer) -> None:
    """Apply a packed layer to a machine that has nothing running yet."""
    # Opened again: one snapshot may be restored many times, even at once.
    with layer.path.open("rb") as copy, machine.job("unpack", copy.fileno(), timeout_sec=PACK_SEC):
        return
