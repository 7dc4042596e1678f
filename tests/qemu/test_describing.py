"""What a virtual machine is described by: options are checked before anything starts, and lacks are told."""

from __future__ import annotations

import ast
import gzip
import sys
from pathlib import Path
from typing import Any

import pytest

from proctor.computers import meet, open_computer
from proctor.computers.backends.qemu import host, keeper, kvm_trial
from proctor.computers.backends.qemu.command import Wiring, command
from proctor.computers.backends.qemu.host import ARCHES
from proctor.computers.backends.qemu.options import QemuSpec
from proctor.computers.fit import MachineNeeds
from proctor.computers.kinds import list_computers
from proctor.errors import HostError, SpecError
from proctor.runner.computer_spec import ComputerSpec
from tests.qemu import initramfs


@pytest.fixture
def disk(tmp_path: Path) -> str:
    path = tmp_path / "disk, with a comma.raw"
    path.write_bytes(bytes(1 << 20))
    return str(path)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({}, "something to boot"),
        ({"disk": "/no/such/disk"}, "is not a file"),
        ({"disk": "/proc"}, "is not a file"),
        ({"append": "quiet"}, "goes with a kernel"),
        ({"initrd": "/etc/passwd"}, "goes with a kernel"),
        ({"memory_mb": 0}, "memory_mb=0"),
        ({"memory_mb": "lots"}, "memory_mb='lots'"),
        ({"cpus": 1000}, "cpus=1000"),
        ({"size": (10, 10)}, "not a screen"),
        ({"accel": "hvf"}, "accel"),
        ({"bus": "floppy"}, "bus"),
        ({"network": "some"}, "network"),
        ({"boot_sec": -1}, "not a valid time"),
        ({"boot_sec": float("nan")}, "not a valid time"),
        ({"clock": "noon"}, "not a time"),
        ({"user": "root; rm"}, "not a user's name"),
        ({"user": "user"}, "goes with agent=on"),
        ({"tree": True}, "goes with agent=on"),
        ({"guest": "windows", "agent": True}, "plain shell"),
        ({"guest": "windows", "osworld": True}, "plain shell"),
        ({"screen": "server"}, "screen=server"),
        ({"guest": "beos"}, "guest"),
        ({"typing_ms": -1}, "typing_ms"),
    ],
)
def test_wrong_options_are_named_before_a_run(options: dict[str, Any], reason: str, disk: str) -> None:
    given = options if "disk" in options or not options or "something" in reason else {"disk": disk, **options}
    with pytest.raises(SpecError, match=reason):
        open_computer("qemu", **given)
    assert reason in " ".join(meet("qemu", MachineNeeds(), given).lacks)


def test_parts_follow_from_the_options(disk: str) -> None:
    plain = open_computer("qemu", disk=disk).capabilities
    assert {"screen", "pointer", "keys", "snapshot", "network", "viewer"} <= plain
    assert not {"shell", "files", "tree"} & plain
    assert {"shell", "files"} <= open_computer("qemu", disk=disk, agent=True).capabilities
    assert {"shell", "files", "tree"} <= open_computer("qemu", disk=disk, osworld=True).capabilities
    assert {"shell", "files", "tree"} <= open_computer("qemu", disk=disk, agent=True, tree=True).capabilities


def test_a_task_that_is_prepared_needs_files(disk: str) -> None:
    needs = MachineNeeds(prepared=True, capabilities=frozenset({"snapshot"}))
    assert "no file access" in meet("qemu", needs, {"disk": disk}).lacks[0]
    assert meet("qemu", needs, {"disk": disk, "agent": True}).lacks == ()
    tree = MachineNeeds(capabilities=frozenset({"tree"}))
    assert "accessibility tree" in meet("qemu", tree, {"disk": disk, "agent": True}).lacks[0]


def test_options_are_written_as_text(disk: str, tmp_path: Path) -> None:
    plain = tmp_path / "disk.raw"
    plain.write_bytes(b"x")
    typed = ComputerSpec.parse(
        f"qemu,disk={plain},agent=on,user=user,memory_mb=512,size=800x600,boot_sec=20"
    ).constructor_options()
    made = open_computer("qemu", **typed)
    assert made.made.size == (800, 600) and made.made.agent and made.made.memory_mb == 512  # type: ignore[attr-defined]


def test_a_machine_without_qemu_says_what_to_install(monkeypatch: pytest.MonkeyPatch, disk: str) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    listed = {computer.name: computer for computer in list_computers()}["qemu"]
    assert not listed.usable
    assert all("apt-get install" in lack.remedy and "qemu" in lack.remedy for lack in listed.lacks)
    with pytest.raises(HostError, match="not installed"):
        open_computer("qemu", disk=disk).start()


def test_other_processors_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "s390x")
    assert "s390x" in host.lacks()[0].what


def test_what_was_wanted_and_cannot_be_had_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "kvm_fails", lambda: "/dev/kvm: No such file")
    assert host.choose("auto") == ("tcg", "/dev/kvm: No such file")
    assert host.choose("tcg")[0] == "tcg"
    with pytest.raises(HostError, match="No such file"):
        host.choose("kvm")
    monkeypatch.setattr(host, "kvm_fails", lambda: "")
    assert host.choose("auto") == ("kvm", "/dev/kvm works")


def test_a_guest_of_another_kind_is_emulated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    monkeypatch.setattr(host, "kvm_fails", lambda: "")
    assert host.choose("auto", "aarch64")[0] == host.choose("auto", "auto")[0] == "kvm"
    assert host.choose("auto", "x86_64") == ("tcg", "the guest is x86_64, this machine is not")
    assert host.arch("x86_64") is ARCHES["x86_64"] and host.arch() is ARCHES["aarch64"]
    with pytest.raises(HostError, match="x86_64"):
        host.choose("kvm", "x86_64")


@pytest.mark.parametrize("script", ["import sys; sys.exit(3)", "import time; time.sleep(60)"])
def test_a_guest_that_does_not_run_speaks_against_kvm(
    script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial = tmp_path / "trial.py"
    trial.write_text(script)
    monkeypatch.setattr(kvm_trial, "__file__", str(trial))
    monkeypatch.setattr(host, "TRIAL_SEC", 1.0)
    assert host._trial_fails()
    trial.write_text("")
    monkeypatch.setattr(host, "TRIAL_SEC", 30.0)
    assert not host._trial_fails()


def test_the_command_gives_a_guest_no_network_unless_asked() -> None:
    wiring = Wiring(rfb="rfb-1", qmp=5)

    def words(**options: Any) -> str:
        return " ".join(command(QemuSpec(disk="/d", **options), ARCHES["x86_64"], "qemu", "tcg", wiring))

    assert "-netdev" not in words() and "-nodefaults" in words()
    assert "restrict=on" in words(osworld=True) and "127.0.0.1:0-:5000" in words(osworld=True)
    assert "restrict" not in words(network="open")
    assert "base=2026-03-02T08:00:00,clock=vm" in words(clock="2026-03-02T09:00:00+01:00")
    assert "spawn=deny" in words()


def test_firmware_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "is_file", lambda path: False)
    for kind, uefi in (("x86_64", True), ("aarch64", False)):
        with pytest.raises(HostError, match="UEFI is not installed"):
            host.firmware(ARCHES[kind], uefi=uefi)
    assert host.firmware(ARCHES["x86_64"], uefi=False) == []


def test_a_first_file_system_is_what_the_kernel_reads(tmp_path: Path) -> None:
    target = tmp_path / "initrd"
    initramfs.write(target, ("proc", "a/b"), {"init": b"#!/bin/sh\n", "etc/x": b"12345"}, frozenset({"init"}))
    raw = gzip.decompress(target.read_bytes())
    found, at = {}, 0
    while True:
        assert raw[at : at + 6] == b"070701"
        fields = [int(raw[at + 6 + 8 * i : at + 14 + 8 * i], 16) for i in range(13)]
        name = raw[at + 110 : at + 110 + fields[11] - 1].decode()
        at = (at + 110 + fields[11] + 3) & ~3
        if name == "TRAILER!!!":
            break
        found[name] = (fields[1], raw[at : at + fields[6]])
        at = (at + fields[6] + 3) & ~3
    assert found == {
        "a": (0o40755, b""), "a/b": (0o40755, b""), "etc": (0o40755, b""), "proc": (0o40755, b""),
        "etc/x": (0o100644, b"12345"), "init": (0o100755, b"#!/bin/sh\n"),
    }  # fmt: skip


def test_the_programs_of_their_own_need_nothing_but_python() -> None:
    for module in (keeper, kvm_trial):
        tree = ast.parse(Path(module.__file__).read_text())
        named = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
        assert named <= sys.stdlib_module_names
        assert not any(isinstance(node, ast.ImportFrom) for node in ast.walk(tree))
