"""Machines from recipes: what is added, how files become a disk, and what is refused."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from proctor.cli.main import cli
from proctor.computers import open_computer, userns
from proctor.computers.images import locks, recipe, store, vm
from proctor.computers.images.image import digest_of
from proctor.computers.images.progress import BuildStep
from proctor.errors import HostError, ImageError, SpecError
from tests.images.conftest import describe, fill

needs_tools = pytest.mark.skipif(
    any(shutil.which(tool, path=userns.environment()["PATH"]) is None for tool, _ in vm._TOOLS),
    reason="disks are made with e2fsprogs and qemu-utils",
)


@pytest.fixture
def told() -> list[BuildStep]:
    """What was told while the machine was made."""
    return []


@pytest.fixture
def machine(data: Path, told: list[BuildStep]) -> Path:
    """Return the folder of a machine that was made of next to nothing."""
    with store.lock_image("tiny"):
        work = store.folder_of("tiny").with_name(".building-tiny-1")
        fill(work / "rootfs")
        (work / "rootfs/boot").mkdir()
        (work / "rootfs/boot/vmlinuz-6.1").write_bytes(b"kernel")
        (work / "rootfs/boot/initrd.img-6.1").write_bytes(b"initrd")
        found = describe(recipe.parse({"name": "tiny", "files": {"/etc/motd": "welcome\n"}}), work / "rootfs")
        vm.pack(work / "rootfs", work, files_bytes=found.disk_bytes, progress=told.append)
        assert not (work / "rootfs").exists() and not (work / "disk.raw").exists()
        vm.folder_of("tiny").parent.mkdir(parents=True)
        store.publish(work, type(found)(**{**vars(found), "path": vm.folder_of("tiny")}))
    return vm.folder_of("tiny")


def test_every_recipe_can_be_completed() -> None:
    lean = Path(__file__).parents[2] / "examples/images/lean.toml"
    for name in (*recipe.bundled_recipes(), str(lean)):
        own, whole = recipe.load(name), vm.complete(recipe.load(name))
        assert own.name == whole.name and own.hash != whole.hash
        assert {"systemd-sysv", "qemu-guest-agent", "xserver-xorg-core"} <= set(whole.packages)
        assert [item for item in whole.packages if item.startswith("linux-image-")]
        assert whole.commands[: len(own.commands)] == own.commands
        assert vm.complete(recipe.load(name)) == whole


def test_files_of_the_recipe_come_before_ours() -> None:
    path = "/usr/local/lib/proctor/desktop"
    own = recipe.parse({"name": "own", "file": [{"path": path, "mode": "0755", "content": "#!/bin/sh\n"}]})
    assert [item.content for item in vm.complete(own).files if item.path == path] == ["#!/bin/sh\n"]


@pytest.mark.parametrize(
    ("has", "started"),
    [
        (("openbox", "lxpanel", "xfwm4", "xfce4-panel"), ["dbus-daemon", "openbox", "lxpanel"]),
        (("xfwm4", "xfdesktop", "xfce4-panel"), ["dbus-daemon", "xfwm4", "xfdesktop", "xfce4-panel"]),
        ((), ["dbus-daemon"]),
    ],
)
def test_the_desktop_that_there_is_starts_and_says_when_it_is_shown(
    has: tuple[str, ...], started: list[str], tmp_path: Path
) -> None:
    (script,) = [item for item in recipe.load(vm._ADDED).files if item.path.endswith("/desktop")]
    places, shown, log = tmp_path / "bin", tmp_path / "shown", tmp_path / "log"
    places.mkdir()
    for name in ("dbus-daemon", *has):
        (places / name).write_text(f'#!/bin/sh\necho {name} >> "{log}"\n')
    # A window is there once the program that makes it was started.
    asked = 'case $2 in *WM_CHECK) want="openbox|xfwm4" ;; *) want=panel ;; esac'
    (places / "xprop").write_text(f'#!/bin/sh\n{asked}\ngrep -Eq "$want" "{log}" && echo "window id # 0x1"\n')
    for name in ("sh", "seq", "sleep", "grep"):
        (places / name).symlink_to(shutil.which(name) or name)
    for stub in places.iterdir():
        if not stub.is_symlink():
            stub.chmod(0o755)
    env = {"PATH": str(places), "XDG_RUNTIME_DIR": str(tmp_path), "DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"}
    subprocess.run([str(places / "sh"), "-c", script.content], env=env, check=True, timeout=60)
    assert shown.exists()
    assert sorted(log.read_text().split()) == sorted(started)


def test_another_kind_of_processor_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vm.platform, "machine", lambda: "s390x")
    with pytest.raises(HostError, match="s390x"):
        vm.complete(recipe.load("starter"))


@needs_tools
def test_making_a_disk_tells_how_far_it_is(
    data: Path, told: list[BuildStep], monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setattr(vm, "LOOK_SEC", 0.0)
    request.getfixturevalue("machine")
    shares = {what: [step.done for step in told if step.detail == what] for what in ("file system", "disk")}
    assert {step.phase for step in told} == {"packing"}
    for what, found in shares.items():
        assert found and all(share is not None and 0.0 <= share <= 1.0 for share in found), what


@needs_tools
def test_a_program_that_makes_no_disk_is_told_with_its_words(tmp_path: Path) -> None:
    with pytest.raises(ImageError, match="no such thing"):
        vm._run(
            ["sh", "-c", "echo no such thing >&2; exit 3"], written=tmp_path / "x", whole=1, tell=lambda share: None
        )


@needs_tools
def test_files_become_a_disk_with_their_owners(machine: Path, tmp_path: Path) -> None:
    assert (machine / vm.KERNEL).read_bytes() == b"kernel"
    assert (machine / vm.INITRD).read_bytes() == b"initrd"
    told = json.loads(subprocess.check_output(["qemu-img", "info", "--output=json", str(machine / vm.DISK)]))
    assert told["format"] == "qcow2" and told["virtual-size"] >= vm.ROOM_BYTES
    raw = tmp_path / "disk.raw"
    subprocess.run(["qemu-img", "convert", "-O", "raw", str(machine / vm.DISK), str(raw)], check=True)
    env = userns.environment()

    def asked(question: str) -> str:
        return subprocess.check_output(["debugfs", "-R", question, str(raw)], env=env, text=True, stderr=-3)

    assert asked("cat /etc/motd") == "welcome\n"
    secret = asked("stat /etc/secret").split()
    assert secret[secret.index("User:") + 1] == "0" and secret[secret.index("Mode:") + 1] == "0600"
    assert "proctor" in subprocess.check_output(["e2label", str(raw)], env=env, text=True)


@needs_tools
def test_a_built_machine_is_found_listed_and_opened_by_name(machine: Path) -> None:
    found = vm.find("tiny")
    assert found.digest == digest_of(found.recipe, found.packages, found.files)
    (row,) = [each for each in json.loads(_run("list", "--json")) if each["name"] == "tiny"]
    assert row["vm"] == str(machine)
    computer = open_computer("qemu", image="tiny")
    assert {"shell", "files", "snapshot"} <= computer.capabilities
    assert computer.made.disk == str(machine / vm.DISK) and computer.made.user == "user"  # type: ignore[attr-defined]
    for name, value in {"disk": str(machine / vm.DISK), "user": "root", "append": "quiet", "firmware": "uefi"}.items():
        with pytest.raises(SpecError):
            open_computer("qemu", image="tiny", **{name: value})
    with locks.hold(found), pytest.raises(ImageError, match="in use"):
        vm.remove("tiny")
    assert "removed" in _run("remove", "tiny", "--vm")
    assert not machine.exists()


@needs_tools
@pytest.mark.parametrize("missing", [vm.DISK, vm.KERNEL, vm.INITRD])
def test_a_damaged_machine_is_named_with_the_way_out(machine: Path, missing: str) -> None:
    (machine / missing).unlink()
    with pytest.raises(ImageError, match=missing) as caught:
        open_computer("qemu", image="tiny")
    assert "--vm --force" in caught.value.remedy


def test_a_machine_that_was_never_built_is_named_with_the_command(data: Path) -> None:
    with pytest.raises(ImageError, match="no virtual machine 'starter'") as caught:
        open_computer("qemu", image="starter")
    assert caught.value.remedy == "proctor images build starter --vm"
    with pytest.raises(SpecError, match="not the name"):
        open_computer("qemu", image="../starter")
    with pytest.raises(ImageError, match="no virtual machine"):
        vm.remove("starter")


@needs_tools
def test_an_image_without_a_kernel_makes_no_machine(data: Path) -> None:
    with store.lock_image("tiny"):
        work = store.folder_of("tiny").with_name(".building-tiny-1")
        fill(work / "rootfs")
        with pytest.raises(ImageError, match="vmlinuz"):
            vm.pack(work / "rootfs", work, files_bytes=1, progress=lambda step: None)


def _run(*arguments: str) -> str:
    done = CliRunner().invoke(cli, ["images", *arguments])
    assert done.exit_code == 0, done.output
    return done.output
