"""A small real Linux with QEMU's real guest agent: commands, files and users, before and after going back in time.

The guest is made of what a Debian system has in /boot, /lib/modules, /bin and /usr/sbin (packages busybox-static,
linux-image-cloud-amd64, qemu-guest-agent), or of the same folders in the folder that PROCTOR_TEST_GUEST names.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from proctor.computers.backends.qemu.computer import QemuComputer
from proctor.errors import ComputerError
from tests.qemu import initramfs
from tests.qemu.machines import blank_disk, described

pytestmark = [pytest.mark.qemu, pytest.mark.slow]
ROOT = Path(os.environ.get("PROCTOR_TEST_GUEST", "/"))
MODULES = (
    "virtio", "virtio_ring", "virtio_pci_legacy_dev", "virtio_pci_modern_dev", "virtio_pci", "virtio_blk",
    "virtio_console",
)  # fmt: skip
INIT = f"""#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin:/usr/sbin
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
for name in {" ".join(MODULES)}; do [ ! -e /mods/$name.ko ] || insmod /mods/$name.ko; done
chown 1000:1000 /home/user; chmod 1777 /tmp
until port=$(ls /dev/vport* 2>/dev/null); do sleep 0.1; done
exec qemu-ga -m virtio-serial -p $port -t /run -f /run/pid
"""
PASSWD = b"root:x:0:0::/root:/bin/sh\nuser:x:1000:1000::/home/user:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n"
FOLDERS = ("proc", "sys", "dev", "tmp", "run", "root", "home/user")


def found(pattern: str) -> Path:
    """Return a file of the guest's parts; the newest kernel where there are several."""
    matches = sorted(ROOT.glob(pattern))
    if not matches:
        pytest.skip(f"a guest needs {ROOT / pattern}: apt-get install linux-image-cloud-amd64 busybox-static "
                    "qemu-guest-agent")  # fmt: skip
    return matches[-1]


@pytest.fixture(scope="module")
def computer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[QemuComputer]:
    folder = tmp_path_factory.mktemp("guest")
    kernel, agent = found("boot/vmlinuz-*"), found("usr/sbin/qemu-ga")
    version = kernel.name.removeprefix("vmlinuz-")
    files = {
        "init": INIT.encode(), "etc/passwd": PASSWD, "etc/group": b"root:x:0:\nuser:x:1000:\nnogroup:x:65534:\n",
        "bin/busybox": found("bin/busybox").read_bytes(), "usr/sbin/qemu-ga": agent.read_bytes(),
    }  # fmt: skip
    for name in MODULES:
        for path in ROOT.glob(f"lib/modules/{version}/kernel/**/{name}.ko"):
            files[f"mods/{name}.ko"] = path.read_bytes()
    libraries = subprocess.run(["ldd", str(agent)], capture_output=True, text=True, check=True).stdout
    for path in re.findall(r"(/\S+) \(0x", libraries):
        files[path.lstrip("/")] = Path(path).read_bytes()
    runnable = frozenset(path for path in files if not path.startswith(("etc/", "mods/")))
    initramfs.write(folder / "initrd", FOLDERS, files, runnable)
    disk = blank_disk(folder)
    with described(
        disk, kernel=str(kernel), initrd=str(folder / "initrd"), append="quiet console=ttyS0", memory_mb=192,
        agent=True, user="user", arch="auto",
    ) as computer:  # fmt: skip
        yield computer


def test_commands_run_as_who_they_should(computer: QemuComputer) -> None:
    assert computer.run(["id", "-un"]).stdout == "user\n"
    assert computer.run(["id", "-un"], root=True).stdout == "root\n"
    assert computer.run(["id", "-un"], reader=True).stdout == "nobody\n"
    assert computer.run(["pwd"]).stdout == "/home/user\n"
    with pytest.raises(ComputerError, match=r"0\.5 s"):
        computer.run(["sleep", "1000"], timeout_sec=0.5)
    assert "sleep 1000" not in computer.run(["ps"], root=True).stdout


def test_what_was_written_goes_back_in_time(computer: QemuComputer) -> None:
    data = bytes(range(256)) * 1000
    computer.write_file("folder/file", data)
    assert computer.read_file("folder/file") == data
    kept = computer.snapshot()
    computer.remove_file("folder")
    with computer.fork() as twin:
        with pytest.raises(FileNotFoundError):
            twin.read_file("folder/file")
        computer.restore(kept)
        assert computer.read_file("folder/file") == data
        twin.write_file("only here", b"x")
        with pytest.raises(FileNotFoundError):
            computer.read_file("only here")


def test_the_console_is_heard(computer: QemuComputer) -> None:
    computer.run(["sh", "-c", "echo heard > /dev/ttyS0"], root=True)
    assert "heard" in computer.console()
