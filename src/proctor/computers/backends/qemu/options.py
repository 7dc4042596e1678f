"""Check the options of a virtual machine before anything is started, and turn them into what it is made from."""

from __future__ import annotations

import platform
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from proctor.computers.backends.qemu.host import Accel, Processor
from proctor.computers.channels.guest_agent.commands import check_user
from proctor.computers.channels.rfb.options import GuestOptions, check_typing
from proctor.computers.images import vm
from proctor.computers.images.image import Image
from proctor.computers.options import ClipOptions
from proctor.errors import SpecError

Format = Literal["auto", "qcow2", "raw", "vmdk", "vdi", "vhdx", "vpc"]
Firmware = Literal["bios", "uefi"]
Bus = Literal["virtio", "sata", "scsi", "nvme"]
Reach = Literal["off", "loopback", "open"]
SIZES = (320, 4096)
MEMORY_MB = (16, 1 << 20)
CPUS = (1, 255)


@dataclass(frozen=True, kw_only=True)
class QemuSpec(GuestOptions):
    """What a virtual machine is made from."""

    disk: str = ""
    """Its disk image; it is never written to."""
    format: Format = "auto"
    """The image's format; `auto` detects it. Give it explicitly if you do not trust the image's author."""
    bus: Bus = "virtio"
    """How the disk is attached; guests without virtio drivers need `sata`."""
    kernel: str = ""
    """A Linux kernel to start without a boot loader, with `initrd` and the arguments in `append`."""
    initrd: str = ""
    """The initial RAM disk for the kernel."""
    append: str = ""
    """The kernel's command line."""
    firmware: Firmware = "bios"
    """`uefi` if the disk was made for it (packages `ovmf`, `qemu-efi-aarch64`); its variables are not kept."""
    memory_mb: int = 2048
    """Memory of the machine."""
    cpus: int = 2
    """Processors of the machine."""
    size: tuple[int, int] = (1280, 800)
    """The screen offered to the guest, which may choose another."""
    accel: Accel = "auto"
    """`kvm`, `tcg` (emulation), or `auto`: KVM where it works."""
    arch: Processor = "auto"
    """The guest's processor architecture; `auto` for this machine's. Any other is always emulated."""
    agent: bool = False
    """Whether QEMU's guest agent runs in the guest, which provides commands and files."""
    user: str = ""
    """The user who runs commands and owns files, with `agent`; root by default."""
    tree: bool = False
    """With `agent`: whether elements are read from the AT-SPI bus of the user's desktop; the guest needs Python."""
    osworld: bool = False
    """Whether it is one of OSWorld's guests, whose server provides commands, files and the tree."""
    network: Reach = "off"
    """`open`: everything that this machine can reach, its own loopback included."""
    clock: str = ""
    """The time at the start (ISO 8601), in UTC unless it names a zone; it stops while the machine is paused."""
    boot_sec: float = 300.0
    """How long to wait for the guest's agent or server to answer, in seconds."""

    @property
    def started_at(self) -> str:
        """The time on the clock at the start, as QEMU is told; empty for now."""
        if not self.clock:
            return ""
        moment = _moment(self.clock)
        return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S")


@dataclass(frozen=True, kw_only=True)
class QemuOptions(QemuSpec, ClipOptions):
    """Options of a virtual machine."""

    image: str = ""
    """A recipe built by `proctor images build NAME --vm`, instead of disk, kernel, agent and the related options."""
    screen: Literal["qemu", "server"] = "qemu"
    """Where screenshots come from: `qemu`, or OSWorld's `server`."""

    @property
    def made(self) -> QemuSpec:
        """What the machine is made from, of all this."""
        return QemuSpec(**{field.name: getattr(self, field.name) for field in fields(QemuSpec)})


def check(made: QemuSpec) -> QemuSpec:
    """Return it with whole paths; raises SpecError naming the option that is wrong."""
    check_typing(made.typing_ms)
    check_user(made.user)
    _whole("memory_mb", made.memory_mb, MEMORY_MB)
    _whole("cpus", made.cpus, CPUS)
    _sides(made.size)
    if isinstance(made.boot_sec, bool) or not isinstance(made.boot_sec, int | float) or not 0 < made.boot_sec <= 7200:
        raise SpecError(f"option boot_sec={made.boot_sec!r} is not a valid time", remedy="give seconds up to 7200")
    if made.clock:
        _moment(made.clock)
    paths: dict[str, Any] = {name: _file(name, getattr(made, name)) for name in ("disk", "kernel", "initrd")}
    _go_together(made)
    return replace(made, **paths, size=(made.size[0], made.size[1]))


def from_image(given: QemuSpec, image: Image) -> QemuSpec:
    """Return a machine that starts from one that was built; raises SpecError for what it says itself."""
    for name in ("disk", "kernel", "initrd", "append", "user", "osworld"):
        if getattr(given, name):
            raise SpecError(f"options image and {name} both say what is started", remedy="give one of them")
    if given.firmware != "bios" or given.guest != "linux" or given.arch not in ("auto", platform.machine()):
        raise SpecError(
            "a built machine starts its own Linux, for this kind of processor",
            remedy="leave firmware, guest and arch out",
        )
    files = {"disk": vm.DISK, "kernel": vm.KERNEL, "initrd": vm.INITRD}
    paths: dict[str, Any] = {name: str(image.path / file) for name, file in files.items()}
    return replace(given, **paths, format="qcow2", append=vm.words(), agent=True, user=vm.USER, tree=True)


def _go_together(made: QemuSpec) -> None:
    if not made.disk and not made.kernel:
        raise SpecError(
            "a virtual machine needs something to boot",
            remedy="give image=NAME, disk=FILE, or kernel= and initrd=",
        )
    for name in ("initrd", "append"):
        if getattr(made, name) and not made.kernel:
            raise SpecError(f"option {name} goes with a kernel", remedy=f"give kernel= too, or leave {name} out")
    if "\n" in made.append or "\0" in made.append:
        raise SpecError("option append is not one line", remedy="write it in one")
    if made.guest == "windows" and (made.agent or made.osworld):
        name = "agent" if made.agent else "osworld"
        raise SpecError(f"{name}=on needs a plain shell, which Windows does not have", remedy=f"leave {name} out")
    if made.tree and not made.agent:
        raise SpecError("option tree goes with agent=on", remedy="give agent=on too, or leave tree out")
    if made.user and not made.agent:
        raise SpecError("option user goes with agent=on", remedy="give agent=on too, or leave user out")


def _whole(name: str, value: Any, bounds: tuple[int, int]) -> None:
    if type(value) is not int or not bounds[0] <= value <= bounds[1]:
        raise SpecError(
            f"option {name}={value!r} is not possible", remedy=f"give a whole number from {bounds[0]} to {bounds[1]}"
        )


def _sides(size: Any) -> None:
    least, most = SIZES
    good = isinstance(size, tuple | list) and len(size) == 2
    if not good or not all(type(side) is int and least <= side <= most for side in size):
        raise SpecError(f"option size={size!r} is not a screen", remedy=f"give (width, height), each {least} to {most}")


def _file(name: str, path: str) -> str:
    if not path:
        return ""
    if not isinstance(path, str | Path) or "\0" in str(path):
        raise SpecError(f"option {name}={path!r} is not a path", remedy="give the path of a file")
    found = Path(path).expanduser().absolute()
    if not (found.is_file() or found.is_block_device()):
        raise SpecError(f"{name}={path} is not a file", remedy="name one that exists")
    try:
        with found.open("rb"):
            return str(found)
    except OSError as error:
        raise SpecError(f"{name}={path} cannot be read: {error.strerror}", remedy="make it readable") from error


def _moment(clock: str) -> datetime:
    try:
        moment = datetime.fromisoformat(clock)
    except (TypeError, ValueError) as error:
        raise SpecError(f"option clock={clock!r} is not a time", remedy="write it as 2026-03-02T09:00:00") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
