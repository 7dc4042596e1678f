"""The command that starts a QEMU: the same devices each time, so that a kept memory fits."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from proctor.computers.backends.qemu.host import Arch, firmware
from proctor.computers.backends.qemu.options import Bus, QemuSpec
from proctor.computers.channels.osworld.server import PORT

AGENT_PORT = "org.qemu.guest_agent.0"
"""What the agent in a guest looks for."""
LINE_PORTS = tuple(f"org.proctor.line.{number}" for number in range(4))
"""What a relay in a guest opens: two buses are spoken with at a time, and applications that have one of their own."""
CONSOLE_BYTES = 1 << 16
"""How much of what a guest says on its serial line is kept."""
SANDBOX = "on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny"
"""QEMU itself may start nothing and become nobody, should a guest take it over."""

_DISKS: dict[Bus, tuple[str, ...]] = {
    "virtio": ("virtio-blk-pci,id=disk,drive=disk0,bootindex=1",),
    "sata": ("ich9-ahci,id=sata", "ide-hd,id=disk,bus=sata.0,drive=disk0,bootindex=1"),
    "scsi": ("virtio-scsi-pci,id=scsi", "scsi-hd,id=disk,bus=scsi.0,drive=disk0,bootindex=1"),
    "nvme": ("nvme,id=disk,serial=proctor,drive=disk0,bootindex=1",),
}


@dataclass(frozen=True, kw_only=True)
class Wiring:
    """Where the lines of one QEMU end."""

    rfb: str
    """Name of its Unix socket, in the folder it is started in."""
    qmp: int
    """Descriptor of the monitor's other end."""
    agent: int | None = None
    """Descriptor of the other end of the guest agent's line."""
    lines: Sequence[str] = ()
    """Names of the Unix sockets of LINE_PORTS, in the folder it is started in."""
    disk: str = ""
    """The layer that is written to."""
    incoming: bool = False
    """Whether it waits for a kept memory."""


def command(made: QemuSpec, kind: Arch, program: str, accel: Literal["kvm", "tcg"], wiring: Wiring) -> list[str]:
    """Return the words of the command; raises HostError where firmware is not installed."""
    return [
        program,
        *_behaviour(),
        *_machine(made, kind, accel),
        *(["-incoming", "defer"] if wiring.incoming else []),
        *firmware(kind, uefi=made.firmware == "uefi", kernel=bool(made.kernel)),
        *_boot(made),
        *_display_words(made, kind, wiring.rfb),
        *_monitor(wiring.qmp),
        *_disk(made, wiring.disk),
        *(_agent(wiring.agent) if wiring.agent is not None else []),
        *_lines(wiring.lines),
        *_network(made),
    ]


def _behaviour() -> list[str]:
    # A guest that switches itself off is kept, paused, so that it can be told from one that crashed.
    return ["-name", "proctor", "-nodefaults", "-no-user-config", "-no-shutdown", "-sandbox", SANDBOX]


def _machine(made: QemuSpec, kind: Arch, accel: Literal["kvm", "tcg"]) -> list[str]:
    base = f"base={made.started_at or 'utc'}"
    return [
        "-machine", kind.machine,
        "-accel", accel,
        "-cpu", "host" if accel == "kvm" else kind.emulated,
        "-m", str(made.memory_mb),
        "-smp", str(made.cpus),
        # The clock stands still with the machine: a restored one goes on at the very instant.
        "-rtc", f"{base},clock=vm",
    ]  # fmt: skip


def _boot(made: QemuSpec) -> list[str]:
    words = ["-kernel", made.kernel] if made.kernel else []
    words += ["-initrd", made.initrd] if made.initrd else []
    return words + (["-append", made.append] if made.append else [])


def _display_words(made: QemuSpec, kind: Arch, rfb: str) -> list[str]:
    width, height = made.size
    screen, *others = kind.devices
    devices = [f"{screen},xres={width},yres={height}", "qemu-xhci", "usb-tablet", *others]
    return ["-display", "none", "-vnc", f"unix:{rfb}", *_devices(devices)]


def _monitor(qmp: int) -> list[str]:
    return [
        "-chardev", f"socket,id=qmp,fd={qmp}",
        "-mon", "chardev=qmp,mode=control",
        "-chardev", f"ringbuf,id=console,size={CONSOLE_BYTES}",
        "-serial", "chardev:console",
    ]  # fmt: skip


def _disk(made: QemuSpec, disk: str) -> list[str]:
    if not disk:
        return []
    file = {"driver": "file", "filename": disk}
    node = {"driver": "qcow2", "node-name": "disk0", "discard": "unmap", "file": file}
    return ["-blockdev", json.dumps(node), *_devices(_DISKS[made.bus])]


def _agent(descriptor: int) -> list[str]:
    chardev = ["-chardev", f"socket,id=agent,fd={descriptor}"]
    return chardev + _devices(["virtio-serial-pci", f"virtserialport,chardev=agent,name={AGENT_PORT}"])


def _lines(names: Sequence[str]) -> list[str]:
    words = []
    for number, (port, name) in enumerate(zip(LINE_PORTS, names, strict=False)):
        words += ["-chardev", f"socket,id=line{number},path={name},server=on,wait=off"]
        words += _devices([f"virtserialport,chardev=line{number},name={port}"])
    return words


def _network(made: QemuSpec) -> list[str]:
    if not made.osworld and made.network != "open":
        return []
    reach = "" if made.network == "open" else ",restrict=on"
    # Any free port of loopback; which one it became is asked afterwards.
    forward = f",hostfwd=tcp:127.0.0.1:0-:{PORT}" if made.osworld else ""
    return ["-netdev", f"user,id=net{reach}{forward}", *_devices(["virtio-net-pci,netdev=net,romfile="])]


def _devices(names: Sequence[str]) -> list[str]:
    return [word for name in names for word in ("-device", name)]
