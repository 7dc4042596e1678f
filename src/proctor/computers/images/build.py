"""Builds images and disks: download, assemble, describe, publish; nothing half-made is usable."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from proctor.computers.images import assemble, download, folders, locks, recipe, rootfs, sources, store, vm
from proctor.computers.images.image import Image, covered_files, digest_of
from proctor.computers.images.progress import BuildStep, Progress, silent
from proctor.computers.images.recipe import Recipe
from proctor.errors import ImageError
from proctor.version import VERSION

TIMEOUT_SEC = 30.0
"""How long a package source may stay silent."""


def build(
    name_or_path: str | Path,
    *,
    machine: bool = False,
    source: Sequence[str] = (),
    force: bool = False,
    timeout_sec: float = TIMEOUT_SEC,
    progress: Progress = silent,
) -> Image:
    """Build an image from a recipe, by name or path of its `.toml`, unless it is there already.

    What is downloaded stays in the cache, so a build that was interrupted resumes; two builders of one image wait for
    each other. `machine` makes a disk for a virtual machine, in a place of its own; `source` gives package sources
    (addresses or `deb ...` lines) instead of the host's; `force` replaces such an image at the end, in one step.

    Raises SpecError with every fault of recipe and sources, ImageError for a silent source, an unknown package, a full
    disk or an image in use, and HostError, with a remedy for an administrator, for what the host lacks.
    """
    wanted = recipe.load(name_or_path)
    target = vm.folder_of(wanted.name) if machine else store.folder_of(wanted.name)
    if machine:
        vm.check_tools()
        wanted = vm.complete(wanted)
        folders.make(target.parent)
    chosen = sources.choose(wanted.suite, source)
    with store.lock_image(wanted.name, progress):
        if target.exists():
            if not force:
                return _existing_image(wanted, machine)
            with locks.exclusive(target):  # whoever uses it keeps it
                pass
        work = store.folder_of(wanted.name).with_name(f".building-{wanted.name}-{os.getpid()}")
        work.mkdir()
        try:
            return _build(wanted, chosen, work, target, timeout_sec, progress)
        except OSError as error:
            raise _disk_trouble(wanted, error) from error
        finally:
            rootfs.delete(work)


def _build(
    wanted: Recipe,
    chosen: tuple[sources.PackageSource, ...],
    work: Path,
    target: Path,
    timeout_sec: float,
    progress: Progress,
) -> Image:
    log = folders.make(folders.cache_folder() / "log") / f"{wanted.name}.log"
    log.write_text("")
    downloaded = download.fetch(wanted, chosen, log=log, timeout_sec=timeout_sec, progress=progress)
    tree = assemble.assemble(wanted, chosen, downloaded, work, log=log, progress=progress)
    progress(BuildStep("finishing", None, "listing what was installed"))
    contents = rootfs.inspect(tree, covered_files(wanted))
    size = contents.disk_bytes
    if target.parent != folders.images_folder():
        size = vm.pack(tree, work, files_bytes=size, progress=progress)
    image = Image(
        name=wanted.name,
        path=target,
        digest=digest_of(wanted, contents.packages, contents.files),
        recipe=wanted,
        packages=contents.packages,
        files=contents.files,
        disk_bytes=size,
        entries=contents.entries,
        sources=tuple(f"{item.public_uri()} {item.suite}" for item in chosen),
        built_at=datetime.now(UTC).isoformat(timespec="seconds"),
        proctor_version=VERSION,
    )
    return store.publish(work, image)


def _existing_image(wanted: Recipe, machine: bool) -> Image:
    image, flag = (vm.find(wanted.name), " --vm") if machine else (store.find(wanted.name), "")
    if image.recipe.hash != wanted.hash:
        raise ImageError(
            f"image {wanted.name!r} was built from another version of its recipe",
            remedy=f"proctor images build {wanted.name}{flag} --force, or give the recipe another name",
        )
    return image


def _disk_trouble(wanted: Recipe, error: OSError) -> ImageError:
    what = "the disk is full" if error.errno == errno.ENOSPC else str(error)
    return ImageError(
        f"image {wanted.name!r} could not be built: {what}",
        remedy=f"free some space, or set PROCTOR_DATA (now {folders.data_folder()})",
    )
