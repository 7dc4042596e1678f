"""Virtual machines for tests: an empty disk and QEMU's own firmware, which shows itself and takes keys by itself."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from PIL import Image

from proctor.computers.backends.qemu.computer import QemuComputer
from proctor.computers.backends.qemu.machine import QemuMachine

TEXT_SCREEN = (720, 400)
"""What firmware shows its words on."""


def blank_disk(folder: Path) -> Path:
    """Return a disk with nothing on it."""
    path = folder / "blank.qcow2"
    subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", str(path), "16M"], check=True)
    return path


def described(disk: Path, **options: Any) -> QemuComputer:
    """Return a small machine that is not started; an emulated PC, so that it is the same everywhere."""
    small = {"memory_mb": 32, "cpus": 1, "accel": "tcg", "arch": "x86_64"}
    return QemuComputer(**{"disk": str(disk), **small, **options})


def words_shown(computer: QemuComputer) -> Image.Image:
    """Return the screen once the firmware has found nothing to start, without its caret."""

    def still(_: QemuComputer) -> Image.Image | None:
        first = shown(computer)
        # Two lines at least: what it is called, and that nothing can be started.
        lit = first.getbbox()
        return first if computer.size == TEXT_SCREEN and lit and lit[3] > 60 and computer.settle() else None

    computer.wait_for(still, what="the firmware's words", timeout_sec=60)
    return shown(computer)


def shown(computer: QemuComputer) -> Image.Image:
    """Return the upper part of the screen, where nothing blinks."""
    return computer.screenshot(cursor=False).crop((0, 0, 720, 100)).convert("L")


def machine_of(computer: QemuComputer) -> QemuMachine:
    """Return the QEMU behind a computer."""
    assert computer._machine
    return computer._machine
