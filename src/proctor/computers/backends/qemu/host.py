"""What this machine has to run virtual machines with."""

from __future__ import annotations

import fcntl
import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from proctor.computers.backends.qemu import kvm_trial
from proctor.computers.fit import Lack
from proctor.computers.host_checks import HostFinding, judge
from proctor.errors import HostError

Accel = Literal["auto", "kvm", "tcg"]
"""`kvm`: the processor runs the guest; `tcg`: QEMU emulates it, some ten times slower."""
Processor = Literal["auto", "x86_64", "aarch64"]
"""The guest's kind of processor; `auto` for this machine's."""
KVM = Path("/dev/kvm")
_GET_API_VERSION, _CREATE_VM = 0xAE00, 0xAE01
_API_VERSION = 12
TRIAL_SEC = 2.0


@dataclass(frozen=True, kw_only=True)
class Arch:
    """One kind of processor, as QEMU has it."""

    program: str
    package: str
    """Debian's package that brings the program."""
    machine: str
    devices: tuple[str, ...]
    """Screen and keyboard; the first is the screen, to which its size is added."""
    uefi: tuple[str, ...]
    """Where the firmware for UEFI lies, the first that is there."""
    uefi_package: str
    emulated: str
    """The processor that is emulated."""
    only_uefi: bool = False
    """Whether there is no other firmware."""


ARCHES: dict[str, Arch] = {
    "x86_64": Arch(
        program="qemu-system-x86_64",
        package="qemu-system-x86",
        machine="q35",
        devices=("VGA,vgamem_mb=32",),
        uefi=("/usr/share/OVMF/OVMF_CODE.fd", "/usr/share/OVMF/OVMF_CODE_4M.fd"),
        uefi_package="ovmf",
        emulated="max",
    ),
    "aarch64": Arch(
        program="qemu-system-aarch64",
        package="qemu-system-arm",
        machine="virt",
        devices=("virtio-gpu-pci", "usb-kbd"),
        uefi=("/usr/share/AAVMF/AAVMF_CODE.fd",),
        uefi_package="qemu-efi-aarch64",
        # Signed pointers as the manual has them cost more than everything else that is emulated.
        emulated="max,pauth-impdef=on",
        only_uefi=True,
    ),
}


def arch(wanted: Processor = "auto") -> Arch:
    """Return what guests of a kind of processor, or this machine's, need; HostError for others."""
    name = platform.machine() if wanted == "auto" else wanted
    found = ARCHES.get(name)
    if found is None:
        raise HostError(f"virtual machines of {name} are not supported", remedy="give arch=x86_64 or arch=aarch64")
    return found


def foreign(wanted: Processor) -> bool:
    """Tell whether guests are of another kind of processor than this machine's."""
    return wanted not in ("auto", platform.machine())


def program(name: str, package: str) -> str:
    """Return where a program of QEMU is; raises HostError with the command that installs it."""
    path = shutil.which(name)
    if path is None:
        raise HostError(
            f"{name} is not installed",
            remedy=f"as an administrator: apt-get install --no-install-recommends {package} qemu-utils",
        )
    return path


def lacks(wanted: Processor = "auto") -> list[Lack]:
    """Return what this machine lacks to run virtual machines of a kind of processor."""
    found = []
    try:
        kind = arch(wanted)
        for name, package in ((kind.program, kind.package), ("qemu-img", "qemu-utils")):
            try:
                program(name, package)
            except HostError as error:
                found.append(Lack(what=error.message, remedy=error.remedy))
    except HostError as error:
        found.append(Lack(what=error.message, remedy=error.remedy))
    return found


@lru_cache(maxsize=1)
def kvm_fails() -> str:
    """Return why the processor cannot run guests, found out by running one; empty where it can."""
    try:
        device = os.open(KVM, os.O_RDWR | os.O_CLOEXEC)
    except OSError as error:
        return f"{KVM}: {error.strerror}"
    try:
        if fcntl.ioctl(device, _GET_API_VERSION, 0) != _API_VERSION:
            return f"{KVM} speaks another version"
        os.close(fcntl.ioctl(device, _CREATE_VM, 0))
    except OSError as error:
        return f"{KVM} makes no virtual machine: {error.strerror}"
    finally:
        os.close(device)
    return _trial_fails() if platform.machine() == "x86_64" else ""


def _trial_fails() -> str:
    """Return why a small guest, which takes a hundredth of its time, does not run fast."""
    argv = [sys.executable, "-I", "-S", kvm_trial.__file__]
    try:
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=TRIAL_SEC, check=False)
    except subprocess.TimeoutExpired:
        return f"{KVM} is there, but slower than emulation"
    return f"{KVM} runs no guest (status {done.returncode})" if done.returncode else ""


def choose(wanted: Accel, processor: Processor = "auto") -> tuple[Literal["kvm", "tcg"], str]:
    """Return how guests are run, and why; HostError where what was wanted is not possible."""
    fails = ""
    if wanted != "tcg":
        fails = f"the guest is {processor}, this machine is not" if foreign(processor) else kvm_fails()
    if wanted == "kvm" and fails:
        raise HostError(
            f"KVM does not work here: {fails}",
            remedy="use accel=tcg, or a host whose processor supports virtualization",
        )
    if wanted == "tcg" or fails:
        return "tcg", fails or "it was asked for"
    return "kvm", f"{KVM} works"


def firmware(kind: Arch, *, uefi: bool, kernel: bool = False) -> list[str]:
    """Return the options for the firmware, unless a kernel needs none; HostError where missing."""
    if not uefi and (kernel or not kind.only_uefi):
        return []
    found = next((path for path in kind.uefi if Path(path).is_file()), None)
    if found is None:
        raise HostError(
            "firmware for UEFI is not installed", remedy=f"as an administrator: apt-get install {kind.uefi_package}"
        )
    return ["-drive", f"if=pflash,format=raw,unit=0,readonly=on,file={found}"]


def check(name: str) -> HostFinding:
    """Tell whether the processor runs virtual machines here, or QEMU emulates one."""
    if absent := lacks():
        return judge(name, True, f"{absent[0].what}, which only the computer 'qemu' needs")
    accel, why = choose("auto")
    return judge(name, True, f"run by the processor (KVM): {why}" if accel == "kvm" else f"emulated (TCG): {why}")
