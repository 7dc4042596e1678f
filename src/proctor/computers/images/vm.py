"""Machines from the same recipes."""

from __future__ import annotations

import platform
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from proctor.computers import userns
from proctor.computers.images import folders, locks, recipe, rootfs
from proctor.computers.images.image import Image, read
from proctor.computers.images.progress import BuildStep, Progress
from proctor.computers.images.recipe import Recipe
from proctor.errors import HostError, ImageError

DISK, KERNEL, INITRD = "disk.qcow2", "vmlinuz", "initrd.img"
LABEL = "proctor"
"""Of the file system, by which the kernel finds it whatever the disk hangs on."""
USER = "user"
"""Whose desktop it is."""
ROOM_BYTES = 8 << 30
"""Free space on the disk; what is not used takes none on the host."""
SHARE = 1.2
"""How much larger than its files a file system must be for what it keeps beside them."""
WRITE_SEC = 1800.0
LOOK_SEC = 0.5
"""How often it is looked how much was written."""

_ADDED = Path(__file__).with_name("vm.toml")
_KERNELS = {"x86_64": "linux-image-amd64", "aarch64": "linux-image-arm64"}
_SERIAL = {"x86_64": "ttyS0", "aarch64": "ttyAMA0"}
_TOOLS = (("mkfs.ext4", "e2fsprogs"), ("qemu-img", "qemu-utils"))


def folder_of(name: str) -> Path:
    """Return the folder that the machine of a recipe has or would have."""
    return folders.machines_folder() / recipe.check_name(name)


def find(name: str) -> Image:
    """Return a machine by name; ImageError says whether it is missing or damaged."""
    path, command = folder_of(name), f"proctor images build {name} --vm"
    if not (path / "image.json").exists():
        raise ImageError(f"there is no virtual machine {name!r} in {path.parent}", remedy=command)
    image = read(path, remedy=f"{command} --force")
    for file in (DISK, KERNEL, INITRD):
        if not (path / file).is_file():
            raise ImageError(f"virtual machine {name!r} is damaged: {file} is missing", remedy=f"{command} --force")
    return image


def remove(name: str) -> None:
    """Delete a machine, damaged ones too; refuses while it is in use."""
    path = folder_of(name)
    if not path.is_dir():
        raise ImageError(f"there is no virtual machine {name!r} in {path.parent}", remedy="see `proctor images list`")
    with locks.lock_image(name), locks.exclusive(path):
        shutil.rmtree(path)


def words() -> str:
    """Return the command line of its kernel."""
    serial = _SERIAL.get(platform.machine(), "ttyS0")
    return f"root=LABEL={LABEL} rootfstype=ext4 rw quiet console=tty0 console={serial} fsck.mode=skip audit=0"


def complete(own: Recipe) -> Recipe:
    """Return a recipe with what it lacks to start by itself; files of its own are kept."""
    kernel = _KERNELS.get(platform.machine())
    if kernel is None:
        raise HostError(
            f"virtual machines of {platform.machine()} are not known", remedy="use a machine with x86_64 or aarch64"
        )
    added = recipe.load(_ADDED)
    kept = {item.path for item in own.files}
    return replace(
        own,
        packages=tuple(dict.fromkeys((*own.packages, kernel, *added.packages))),
        exclude=tuple(dict.fromkeys((*own.exclude, *added.exclude))),
        files=(*own.files, *(item for item in added.files if item.path not in kept)),
        commands=(*own.commands, *added.commands),
    )


def check_tools() -> None:
    """Raise HostError where the host lacks what makes disks."""
    for tool, package in _TOOLS:
        if shutil.which(tool, path=userns.environment()["PATH"]) is None:
            raise HostError(f"{tool} is not installed", remedy=f"as an administrator: apt-get install {package}")


def pack(tree: Path, folder: Path, *, files_bytes: int, progress: Progress) -> int:
    """Make disk, kernel and initrd of a root filesystem, which is deleted; return their size."""
    progress(BuildStep("packing", None, "kernel"))
    _take(tree, "boot/vmlinuz-*", folder / KERNEL)
    _take(tree, "boot/initrd.img-*", folder / INITRD)
    raw = folder / "disk.raw"
    with raw.open("wb") as file:
        file.truncate((int(files_bytes * SHARE) + ROOM_BYTES) >> 20 << 20)
    # Inside the caller's ids, so that each file has the owner that it has in the image.
    command = ["mkfs.ext4", "-q", "-F", "-L", LABEL, "-d", str(tree), str(raw)]
    shown = _show_share("file system", progress)
    _run(command, inside=True, written=raw, whole=files_bytes, tell=shown)
    rootfs.delete(tree)
    disk = folder / DISK
    command = ["qemu-img", "convert", "-f", "raw", "-O", "qcow2", str(raw), str(disk)]
    _run(command, written=disk, whole=_size_on_disk(raw), tell=_show_share("disk", progress))
    raw.unlink()
    return sum((folder / name).stat().st_size for name in (DISK, KERNEL, INITRD))


def _show_share(what: str, progress: Progress) -> Callable[[float], None]:
    return lambda share: progress(BuildStep("packing", share, what))


def _take(tree: Path, pattern: str, target: Path) -> None:
    """Copy the one file of a pattern out of a root filesystem."""
    script = 'set -- "$1"/$2; [ $# = 1 ] && [ -f "$1" ] && [ ! -L "$1" ] && exec cat -- "$1"'
    with target.open("wb") as copy:
        process = userns.popen(["sh", "-c", script, "sh", str(tree), pattern], stdout=copy, stdin=subprocess.DEVNULL)
        if process.wait(WRITE_SEC) != 0:
            raise ImageError(f"the image has not just one {pattern}", remedy="leave the kernel to --vm")


def _run(
    argv: Sequence[str], *, inside: bool = False, written: Path, whole: int, tell: Callable[[float], None]
) -> None:
    """Run a program that writes a file, and tell how much of the whole is there."""
    start = userns.popen if inside else subprocess.Popen
    ends = time.monotonic() + WRITE_SEC
    with tempfile.TemporaryFile() as heard:
        process = start(
            list(argv), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=heard, env=userns.environment()
        )
        try:
            while not _has_ended(process):
                tell(min(_size_on_disk(written) / max(whole, 1), 1.0))
                if time.monotonic() > ends:
                    raise ImageError(
                        f"{argv[0]} took longer than {WRITE_SEC:g} s", remedy="see what else the host does"
                    )
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        heard.seek(0)
        said = " ".join(heard.read().decode(errors="replace").split())[-500:]
    if process.returncode:
        raise ImageError(f"{argv[0]} could not make the disk: {said}", remedy="check that there is room on the host")


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Wait a little for the end of a program, and tell whether it has come."""
    try:
        process.wait(LOOK_SEC)
    except subprocess.TimeoutExpired:
        return False
    return True


def _size_on_disk(file: Path) -> int:
    """Return the bytes of a file that take room; what was not written yet takes none."""
    return file.stat().st_blocks * 512 if file.exists() else 0
