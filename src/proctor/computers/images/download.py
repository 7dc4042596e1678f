"""First half of a build: every package a recipe needs is downloaded into the cache, resuming what is there."""

from __future__ import annotations

import fcntl
import hashlib
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from proctor.computers.images import folders, without
from proctor.computers.images.apt import Apt, Archive
from proctor.computers.images.progress import BuildStep, Progress
from proctor.computers.images.recipe import Recipe
from proctor.computers.images.sources import PackageSource
from proctor.errors import HostError

_LANES = 6
"""Connections at once; apt alone uses one per server and waits out its latency for every package."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Downloaded:
    """What the second half of a build finds in the cache."""

    archives: Path
    lists: Path
    packages: tuple[str, ...]
    """The `name=version` of all that the image is made of."""


def fetch(
    recipe: Recipe, sources: Sequence[PackageSource], *, log: Path, timeout_sec: float, progress: Progress
) -> Downloaded:
    """Download what the image is made of; what the cache holds already is not downloaded again."""
    _need_apt()
    cache = folders.make(folders.cache_folder())
    key = hashlib.sha256("\n".join([recipe.suite, *(item.line() for item in sources)]).encode()).hexdigest()[:16]
    apt = Apt(state=cache / "apt" / key, archives=cache / "archives", log=log, sources=sources)
    with _alone(cache / ".lock", progress):
        apt.configure(timeout_sec=timeout_sec)
        progress(BuildStep("updating"))
        apt.run(["update"], phase="updating", progress=progress)
        # In two steps, as the image is installed later: apt's choice between alternatives depends on what is there.
        names = apt.would_install("dist-upgrade")
        missing = apt.missing("dist-upgrade")
        _pretend_installed(apt, recipe, names)
        if recipe.packages:
            names += apt.would_install("install", *recipe.packages)
            missing += apt.missing("install", *recipe.packages)
        _download(apt, missing, progress)
    return Downloaded(archives=apt.archives, lists=apt.state / "lists", packages=tuple(names))


def _download(apt: Apt, missing: Sequence[Archive], progress: Progress) -> None:
    """Download in several lanes; a file joins the finished ones when its lane has checked it."""
    if not missing:
        return
    lanes: list[list[Archive]] = [[] for _ in range(min(_LANES, len(missing)))]
    for archive in sorted(missing, key=lambda item: item.size, reverse=True):
        min(lanes, key=lambda lane: sum(item.size for item in lane)).append(archive)
    partial = apt.archives / "partial"
    progress(BuildStep("downloading", 0.0))
    apt.run_all(
        [(["download", *(item.package for item in lane)], float(sum(item.size for item in lane))) for lane in lanes],
        phase="downloading",
        progress=progress,
        cwd=partial,
    )
    for archive in missing:
        (partial / archive.file).rename(apt.archives / archive.file)


def _pretend_installed(apt: Apt, recipe: Recipe, names: Sequence[str]) -> None:
    """Let apt believe that the packages are installed."""
    shown = apt.ask("apt-cache", "show", "--no-all-versions", *names) if names else ""
    stanzas = [stanza for stanza in shown.strip().split("\n\n") if stanza]
    if recipe.left_out:
        stanzas.append(without.control(recipe.left_out).strip())
    (apt.state / "status").write_text("".join(f"{stanza}\nStatus: install ok installed\n\n" for stanza in stanzas))


@contextmanager
def _alone(path: Path, progress: Progress) -> Iterator[None]:
    """Hold the cache: apt refuses to share its folders."""
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress(BuildStep("waiting", detail="another build is downloading"))
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _need_apt() -> None:
    for tool in ("apt-get", "dpkg", "setpriv"):
        if shutil.which(tool) is None:
            raise HostError(
                f"{tool} is not installed; images are built on Debian, Ubuntu and similar systems",
                remedy="build the image on such a host, then `proctor images export` there and "
                "`proctor images import` here",
            )
