"""Root filesystems on disk: looked at and deleted with the rights of whoever owns the files inside."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proctor.computers import userns
from proctor.errors import ImageError

_PROBE = Path(__file__).with_name("probe.py")
_DISARM = Path(__file__).with_name("disarm.py")
_PATIENCE_SEC = 300.0


@dataclass(frozen=True, order=True, slots=True)
class Package:
    """One installed package."""

    name: str
    version: str
    architecture: str


@dataclass(frozen=True, order=True, slots=True)
class FileMark:
    """One small file that the image's digest covers."""

    path: str
    mode: str
    sha256: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Contents:
    """What a root filesystem holds, as far as records need it."""

    packages: tuple[Package, ...]
    files: tuple[FileMark, ...]
    disk_bytes: int
    entries: int


def expected_owner() -> int:
    """Return the host id that root inside an image has for this caller."""
    return 0 if userns.is_root() else userns.id_mapping().first_uid


def inspect(rootfs: Path, paths: Iterable[str]) -> Contents:
    """Return what a root filesystem holds, with hashes of given files; ImageError for no such."""
    done = userns.run(
        [sys.executable, "-I", "-S", str(_PROBE), str(rootfs)],
        input=json.dumps(sorted(paths)).encode(),
        timeout_sec=_PATIENCE_SEC,
    )
    if done.returncode != 0:
        last = (done.stderr.decode(errors="replace").strip().splitlines() or ["no message"])[-1]
        raise ImageError(f"{rootfs} is not a usable root filesystem: {last}", remedy="build or import the image again")
    found: dict[str, Any] = json.loads(done.stdout)
    if found["devices"]:
        raise ImageError(
            f"{rootfs} contains device nodes: {', '.join(found['devices'])}",
            remedy="images must not have any; build the image again, or import it from a source you trust",
        )
    return Contents(
        packages=tuple(Package(*item) for item in found["packages"]),
        files=tuple(FileMark(*item) for item in found["files"]),
        disk_bytes=found["disk_bytes"],
        entries=found["entries"],
    )


def disarm(rootfs: Path) -> None:
    """Take from a root filesystem of somebody else's what could act on this host; see `disarm.py`."""
    done = userns.run([sys.executable, "-I", "-S", str(_DISARM), str(rootfs)], timeout_sec=_PATIENCE_SEC)
    if done.returncode != 0:
        last = (done.stderr.decode(errors="replace").strip().splitlines() or ["no message"])[-1]
        raise ImageError(
            f"{rootfs} is not a usable root filesystem: {last}", remedy="export and import the image again"
        )


def delete(folder: Path) -> None:
    """Delete a folder with whatever subordinate ids own below it; one that is absent has no effect."""
    if not folder.exists():
        return
    done = userns.run(["rm", "-rf", "--one-file-system", "--", str(folder)])
    if done.returncode != 0:
        raise ImageError(
            f"cannot delete {folder}: {done.stderr.decode(errors='replace').strip()[:500]}",
            remedy=f"as an administrator: rm -rf {folder}",
        )
