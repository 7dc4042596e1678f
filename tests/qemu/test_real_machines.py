"""Real QEMU: what firmware shows is seen, keys arrive, memory and disk go back, and nothing is left behind."""

from __future__ import annotations

import hashlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from proctor.actions.action import Move, Press, Type
from proctor.computers.backends.qemu import shelf
from proctor.computers.backends.qemu.computer import QemuComputer
from proctor.computers.backends.qemu.machine import QemuMachine
from proctor.computers.blame import blame
from proctor.computers.images.folders import data_folder
from proctor.errors import ComputerError, ComputerLost, ImageError, NotReady, SpecError
from proctor.exam.rules import Rules
from proctor.runner.run_episode import run_episode
from proctor.tasks.shelves import expect, see
from proctor.tasks.task import Tags
from tests.prove.machines import shopping
from tests.qemu.machines import blank_disk, described, machine_of, shown, words_shown
from tests.runner.jobs import job

pytestmark = pytest.mark.qemu


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return blank_disk(tmp_path_factory.mktemp("disk"))


@pytest.fixture(scope="module")
def computer(disk: Path) -> Iterator[QemuComputer]:
    with described(disk) as computer:
        words_shown(computer)
        yield computer


def folders() -> set[str]:
    return {path.name for path in (data_folder() / "machines").glob("*")}


def process_of(computer: QemuComputer) -> int:
    keeper = machine_of(computer)._keeper.pid
    return int(Path(f"/proc/{keeper}/task/{keeper}/children").read_text().split()[0])


def until(condition: Callable[[], bool], what: str) -> None:
    ends = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < ends, what
        threading.Event().wait(0.01)


def write(computer: QemuComputer, value: int) -> None:
    """Write to the disk as the guest would."""
    machine = machine_of(computer)
    for order in (f"write -P {value} 0 512", "flush"):
        machine.qmp.tell(f'qemu-io -d /machine/peripheral/disk/virtio-backend "{order}"')


def written(computer: QemuComputer) -> int:
    """Return what is on the disk now."""
    argv = ["qemu-io", "-U", "-r", "-f", "qcow2", "-c", "read -v 0 16", machine_of(computer).disk]
    said = subprocess.run(argv, capture_output=True, text=True, check=True).stdout
    return int(said.split()[1], 16)


# -- seeing, touching -------------------------------------------------------------------------------------------------


def test_it_shows_itself_and_says_how_it_runs(computer: QemuComputer) -> None:
    facts = computer.facts()
    assert facts["accel"] == "tcg" and facts["accel_why"] and facts["qemu"] and facts["disk_format"] == "qcow2"
    assert shown(computer).getbbox()
    assert computer.autopsy()["status"] == "running" and "ended" not in computer.autopsy()


def test_keys_and_pointer_arrive(computer: QemuComputer) -> None:
    machine_of(computer).qmp.events.clear()
    computer.perform(Move(x=100, y=50))
    assert computer.pointer_position() == (100, 50)
    computer.perform(Type(text="a b"))
    computer.perform(Press(keys="ctrl+alt+Delete"))
    computer.wait_for(
        lambda c: machine_of(c).status() and any(event["event"] == "RESET" for event in machine_of(c).qmp.events),
        what="the machine to begin anew",
    )
    words_shown(computer)


def test_viewers_are_carried_to_the_screen(computer: QemuComputer, tmp_path: Path) -> None:
    watching = computer.watch(path=tmp_path / "rfb")
    with socket.socket(socket.AF_UNIX) as viewer:
        viewer.settimeout(10)
        viewer.connect(str(tmp_path / "rfb"))
        assert viewer.recv(12) == b"RFB 003.008\n"
    watching.close()


def test_an_episode_is_recorded_like_any_other(disk: Path, tmp_path: Path) -> None:
    tags = Tags(apps=("mousepad",), level=2, domain="Life", scenario="Shopping", demand="Searching")
    task = shopping(setup=(), check=expect.answer_is(see.answer(), "nothing"), tags=tags, expected=())
    plain = tmp_path / "disk"
    plain.symlink_to(disk)
    rules = Rules(backend=f"qemu,disk={plain},accel=tcg,arch=x86_64,memory_mb=32", steps=2)
    result = run_episode(job(tmp_path / "run", "random", task=task, rules=rules))
    assert result.stop != "void", (result.cause, result.error, result.defect)


# -- snapshots --------------------------------------------------------------------------------------------------------


def test_memory_and_disk_go_back_to_the_instant(disk: Path) -> None:
    before = hashlib.sha256(disk.read_bytes()).hexdigest()
    with described(disk, clip_sec=5) as computer:
        words = words_shown(computer)
        write(computer, 0x5A)
        kept = computer.snapshot()
        assert shown(computer) == words  # it goes on as before
        write(computer, 0x21)
        machine_of(computer).qmp.ask("stop")  # the screen of another time
        for _ in range(2):
            computer.restore(kept)
            assert shown(computer) == words
            assert written(computer) == 0x5A
            assert machine_of(computer).status() == "running"
            computer.perform(Press(keys="a"))
        assert computer.clip(5).frames  # films outlast it
        with computer.fork() as twin:
            write(twin, 0x33)
            assert shown(twin) == words
            assert written(computer) == 0x5A
            again = twin.snapshot()
            computer.close()
            write(twin, 0x44)
            twin.restore(again)
            assert written(twin) == 0x33
            with pytest.raises(ComputerError, match="closed"):
                computer.restore(kept)
    assert hashlib.sha256(disk.read_bytes()).hexdigest() == before


def test_snapshots_that_do_not_fit_are_refused(computer: QemuComputer, disk: Path) -> None:
    with described(disk, memory_mb=48) as other:
        foreign = other.snapshot()
        with pytest.raises(SpecError, match="made differently"):
            computer.restore(foreign)
    with described(disk) as alike:
        gone = alike.snapshot()
    with pytest.raises(SpecError, match="is gone"):
        computer.restore(gone)
    assert shown(computer).getbbox()


def test_the_memory_of_a_snapshot_goes_with_it(computer: QemuComputer) -> None:
    path = computer.snapshot().path
    until(lambda: not path.exists(), "the file to go")


# -- ends -------------------------------------------------------------------------------------------------------------


def test_a_qemu_that_was_killed_is_lost_and_can_be_restored(disk: Path) -> None:
    with described(disk) as computer:
        words = words_shown(computer)
        kept = computer.snapshot()
        os.kill(process_of(computer), signal.SIGKILL)
        with pytest.raises(ComputerLost):
            computer.screenshot()
        assert "signal 9" in computer.autopsy()["outside"]
        computer.restore(kept)
        assert shown(computer) == words


def test_a_qemu_that_was_told_to_end_or_is_halted_is_not_the_guests_doing(disk: Path) -> None:
    with described(disk) as computer:
        words_shown(computer)
        os.kill(process_of(computer), signal.SIGSTOP)
        until(lambda: "stopped by a signal" in computer.autopsy().get("outside", ""), "QEMU to be halted")
        os.kill(process_of(computer), signal.SIGCONT)
        os.kill(process_of(computer), signal.SIGTERM)
        until(lambda: machine_of(computer).ending() is not None, "QEMU to end")
        with pytest.raises(ComputerLost) as caught:
            computer.screenshot()
        assert computer.autopsy()["code"] == 0
        assert blame(caught.value, computer).whose == "host"


def test_a_guest_that_switches_itself_off_is_its_own_doing(disk: Path) -> None:
    with described(disk) as computer:
        words_shown(computer)
        machine = machine_of(computer)
        machine.qmp.ask("system_powerdown")  # which the firmware does not hear
        machine.qmp.tell("o /w 0x604 0x2000")  # what a guest writes to switch an emulated PC off
        until(lambda: machine.status() == "shutdown", "the machine to be off")
        assert machine.qmp.reason_of_end() == "guest-shutdown"
        assert "switched off" in computer.autopsy()["ended"]
        assert blame(ComputerLost("it is off"), computer).whose == "agent"


def test_a_machine_that_stands_still_is_told_from_one_that_runs(computer: QemuComputer) -> None:
    machine_of(computer).qmp.ask("stop")
    assert "standing still" in computer.autopsy()["ended"]
    machine_of(computer).qmp.ask("cont")


HARNESS = """
import sys
from pathlib import Path
from tests.qemu.machines import described
computer = described(Path(sys.argv[1])).start()
print(computer._shelf.folder, flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("how", ["killed", "ended"])
def test_nothing_is_left_when_the_harness_goes_without_closing(disk: Path, how: str, project: Path) -> None:
    argv = [sys.executable, "-c", HARNESS, str(disk)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=project) as harness:
        assert harness.stdout and harness.stdin
        folder = Path(harness.stdout.readline().decode().strip())
        assert folder.is_dir()
        if how == "killed":
            harness.kill()
        else:
            harness.stdin.close()
        harness.wait()
    until(lambda: not folder.exists(), "its folder to go")
    until(lambda: not _running_in(folder), "QEMU to end")


def _running_in(folder: Path) -> bool:
    for link in Path("/proc").glob("[0-9]*/cwd"):
        try:
            if str(link.readlink()).startswith(str(folder)):
                return True
        except OSError:
            continue
    return False


def test_what_a_killed_keeper_left_is_swept(disk: Path) -> None:
    with described(disk) as computer:
        qemu, folder = process_of(computer), shelf_of(computer).folder
        machine_of(computer)._keeper.kill()
        until(lambda: not Path(f"/proc/{qemu}").exists(), "QEMU to end with its keeper")
        with pytest.raises(ComputerLost):
            computer.screenshot()
        shelf.sweep(folder.parent)
        assert folder.exists()  # somebody still holds it
    assert not folder.exists()
    folder.mkdir()
    shelf.sweep(folder.parent)
    assert not folder.exists()


def shelf_of(computer: QemuComputer) -> shelf.DiskShelf:
    assert computer._shelf
    return computer._shelf


# -- what cannot be started -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "form", "reason"),
    [
        (b"", "auto", "is empty"),
        (b"just some text" * 100, "qcow2", "not in qcow2 format"),
        (b"QFI\xfb\0\0\0\3" + b"\xff" * 1000, "auto", "cannot be used"),
    ],
)
def test_broken_disks_are_told(tmp_path: Path, content: bytes, form: str, reason: str) -> None:
    disk = tmp_path / "broken"
    disk.write_bytes(content)
    before = folders()
    with pytest.raises(ImageError, match=reason):
        described(disk, format=form).start()
    assert folders() <= before


def test_a_disk_whose_base_is_gone_is_told(disk: Path, tmp_path: Path) -> None:
    base, over = tmp_path / "base", tmp_path / "over"
    base.write_bytes(disk.read_bytes())
    subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", "-F", "qcow2", "-b", base, over], check=True)
    base.unlink()
    with pytest.raises(ImageError, match="cannot be used"):
        described(over).start()


def test_a_kernel_that_is_none_is_told(disk: Path) -> None:
    with pytest.raises((ImageError, ComputerError), match="could not be started|cannot be started"):
        described(disk, kernel=__file__).start()


@pytest.mark.parametrize("option", ["agent", "osworld"])
def test_a_guest_that_never_boots_is_given_up(disk: Path, option: str) -> None:
    before = folders()
    with pytest.raises(NotReady, match=r"did not answer within 0\.2 s"):
        described(disk, boot_sec=0.2, **{option: True}).start()
    assert folders() <= before


def test_a_port_of_loopback_leads_into_an_osworld_guest(disk: Path) -> None:
    made = described(disk, osworld=True).made
    holder = shelf.DiskShelf()
    try:
        machine = QemuMachine(made, holder, disk=holder.layer(str(disk), "qcow2"))
        try:
            with socket.create_connection(("127.0.0.1", machine.forwarded()), timeout=10) as line:
                assert line.getpeername()[0] == "127.0.0.1"
        finally:
            machine.end()
    finally:
        holder.let_go()


def test_more_memory_than_there_is_cannot_be_had(disk: Path) -> None:
    before = folders()
    with pytest.raises(ComputerError):
        described(disk, memory_mb=1 << 20).start()
    assert folders() <= before
