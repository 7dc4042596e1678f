"""Nothing leaks: however a harness ends, no process, mount, control group or file of its sandboxes stays behind."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.computers.pool import Pool
from proctor.computers.sandbox_machine import limits, scratch
from proctor.errors import ComputerError, ComputerLost
from tests.sandbox.host import (
    Background,
    Footprint,
    Harness,
    Watched,
    descendants,
    first_process,
    footprint,
    groups_of,
    image_copy,
    members,
    namespace_of,
    supervisors_of,
    timed,
    without,
)

pytestmark = [pytest.mark.sandbox, pytest.mark.alone, pytest.mark.turns]

SMALL = (800, 600)

DESKTOP = """
with open_computer("sandbox", look="light", size=(800, 600), network=["localhost:9"]) as computer:
    computer.launch(["mousepad"])
    ready(computer)
"""


def light() -> SandboxComputer:
    return SandboxComputer(look="light", size=SMALL)


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """Load and open what is loaded and opened once, on first use: it is not a leak."""
    with SandboxComputer(look="light", size=SMALL, clip_sec=1) as computer:
        computer.tree()


@pytest.fixture
def before() -> Footprint:
    """What this process holds before the test."""
    return footprint()


# -- the harness ends -------------------------------------------------------------------------------------------------

Ending = Callable[[Harness], int]

ENDINGS: dict[str, tuple[str, Ending, int]] = {
    "normal exit": ("", lambda harness: harness.go_on()[0], 0),
    "exception": ("    raise RuntimeError('of the harness')\n", lambda harness: harness.go_on()[0], 1),
    "sys.exit": ("    sys.exit(3)\n", lambda harness: harness.go_on()[0], 3),
    "os._exit": ("    os._exit(4)\n", lambda harness: harness.go_on()[0], 4),
    "Ctrl-C": ("", lambda harness: harness.signal(signal.SIGINT, group=True), -signal.SIGINT),
    "hang-up": ("", lambda harness: harness.signal(signal.SIGHUP, group=True), -signal.SIGHUP),
    "SIGTERM": ("", lambda harness: harness.signal(signal.SIGTERM), -signal.SIGTERM),
    "kill -9": ("", lambda harness: harness.signal(signal.SIGKILL), -signal.SIGKILL),
}
"""By name: what the harness does last, what is done to it, and its exit status."""


@pytest.mark.parametrize("name", ENDINGS)
def test_however_the_harness_ends(name: str, tmp_path: Path) -> None:
    last, end, status = ENDINGS[name]
    with Harness(DESKTOP + last, tmp_path) as harness:
        facts = harness.facts()
        everything = descendants(harness.process.pid)
        inside = namespace_of(first_process(facts["supervisor"]))
        assert {"mousepad", "proctor-sandbox"} <= set(map(_name, everything))
        assert len(groups_of(harness.process.pid)) == len(facts["groups"])
        with Watched(everything) as ends:
            assert end(harness) == status
            assert ends.wait() == []
        assert members(inside) == []
        assert harness.leftovers() == {}


def _name(pid: int) -> str:
    return Path(f"/proc/{pid}/comm").read_text().strip()


@pytest.mark.parametrize("after_sec", [0, 0.04, 0.15, 0.4])
def test_a_harness_that_is_killed_while_it_starts(after_sec: float, tmp_path: Path) -> None:
    code = f"""
computer = open_computer("sandbox", look="light")
threading.Timer({after_sec}, os.kill, [os.getpid(), signal.SIGKILL]).start()
computer.start()
sys.stdin.readline()
"""
    with Harness(code, tmp_path) as harness:
        assert harness.process.wait(30) == -signal.SIGKILL
        with Watched(supervisors_of(harness.process.pid)) as ends:
            assert ends.wait() == []
        limits.sweep()  # a control group made for a supervisor that did not hear of it any more
        assert harness.leftovers() == {}


def test_an_application_that_hangs_holds_nothing_up(before: Footprint) -> None:
    computer = light().start()
    app = computer.launch(["mousepad"])
    computer.run(["kill", "-STOP", str(app.pid)])
    assert timed(computer.close) < 5
    assert footprint() == before


# -- the supervisor is killed -----------------------------------------------------------------------------------------


def test_a_killed_supervisor_takes_the_sandbox_with_it(before: Footprint) -> None:
    computer = light().start()
    computer.launch(["mousepad"])
    supervisor = computer.desktop.machine.supervisor_pid
    with Watched(descendants(supervisor)) as ends:
        os.kill(supervisor, signal.SIGKILL)
        assert ends.wait() == []
    with pytest.raises(ComputerLost, match="fresh computer"):
        computer.run(["true"])
    computer.close()
    assert footprint() == before


def test_closing_waits_for_the_sandbox_of_a_killed_supervisor(before: Footprint) -> None:
    computer = light().start()
    supervisor = computer.desktop.machine.supervisor_pid
    with Watched(descendants(supervisor)) as ends:
        os.kill(supervisor, signal.SIGKILL)
        computer.close()
        assert ends.wait(0) == []
    assert footprint() == before


def test_what_a_killed_supervisor_left_is_swept_by_the_next_start(tmp_path: Path) -> None:
    with Harness(DESKTOP, tmp_path) as harness:
        facts = harness.facts()
        with Watched(descendants(harness.process.pid)) as ends:
            # The supervisor first, held so that it cannot clean up: then nobody knows of the control groups.
            os.kill(facts["supervisor"], signal.SIGSTOP)
            harness.signal(signal.SIGKILL)
            os.kill(facts["supervisor"], signal.SIGKILL)
            assert ends.wait() == []
        assert sorted(groups_of(harness.process.pid)) == sorted(facts["groups"])
        with light():
            assert harness.leftovers() == {}


def test_layers_on_disk_are_swept_once_their_harness_is_gone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PROCTOR_DATA", str(tmp_path))
    ended = os.fork()
    if ended == 0:
        os._exit(0)
    os.waitpid(ended, 0)
    for pid in (ended, os.getpid()):
        (tmp_path / "scratch" / f"proctor-{pid}-0123abcd" / "upper").mkdir(parents=True)
    scratch.sweep()
    assert [path.name for path in (tmp_path / "scratch").iterdir()] == [f"proctor-{os.getpid()}-0123abcd"]


# -- the start fails --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def copied_image() -> Iterator[Path]:
    with image_copy() as data:
        yield data


MISSING = ["usr/bin/Xvnc", "usr/bin/dbus-daemon", "proc", "etc/passwd"]


def fail_to_start(data: Path, missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROCTOR_DATA", str(data))
    with without(data, missing), pytest.raises(ComputerError):
        light().start()


@pytest.mark.parametrize("missing", MISSING)
def test_a_failed_start(missing: str, copied_image: Path, monkeypatch: pytest.MonkeyPatch, before: Footprint) -> None:
    fail_to_start(copied_image, missing, monkeypatch)
    assert replace(footprint(), descriptors=before.descriptors) == before


@pytest.mark.parametrize(
    "missing",
    MISSING,
)
def test_descriptors_of_a_failed_start(
    missing: str, copied_image: Path, monkeypatch: pytest.MonkeyPatch, before: Footprint
) -> None:
    fail_to_start(copied_image, missing, monkeypatch)
    assert footprint().descriptors == before.descriptors


# -- other ways to use and to close -----------------------------------------------------------------------------------


def test_restored_and_forked_computers(before: Footprint) -> None:
    with light() as computer:
        computer.launch(["mousepad"])
        mark = computer.snapshot()
        computer.restore(mark)
        with computer.fork() as twin:
            assert [window.app for window in twin.windows()] == ["Mousepad"]
    del computer, twin, mark
    assert footprint() == before


def test_a_pool_whose_lease_raises(before: Footprint) -> None:
    with Pool(light, 2) as pool:
        pool.wait_ready(2)
        with pytest.raises(ZeroDivisionError), pool.lease() as computer:
            computer.launch(["mousepad"])
            raise ZeroDivisionError
        with pool.lease() as computer:
            assert computer.windows() == []
    assert footprint() == before


def test_recorded_and_watched_computers(before: Footprint, tmp_path: Path) -> None:
    computer = SandboxComputer(look="light", size=SMALL, clip_sec=2, vnc_password="secret12", network="loopback")
    with computer:
        computer.record(tmp_path / "screen.mp4")
        computer.watch()
        computer.execute("1 + 1")
        computer.execute("true", language="shell")
    del computer
    assert footprint() == before


def test_closing_from_another_thread(before: Footprint) -> None:
    computer = light().start()
    assert Background(computer.close).wait(60) is None
    assert footprint() == before


def test_closing_while_another_thread_waits_for_a_command(before: Footprint) -> None:
    computer = light().start()
    machine = computer.desktop.machine
    command = ["sh", "-c", "touch begun; sleep 600"]
    waiting = Background(lambda: computer.run(command, timeout_sec=600))
    computer.wait_for(lambda c: any(file.path.endswith("/begun") for file in c.list_files()))
    assert timed(computer.close) < 5
    assert isinstance(waiting.wait(60), ComputerLost)
    with pytest.raises(ComputerLost):
        machine.request("pulse", mark=False, alarms=True)
    del waiting
    assert footprint() == before


def test_closing_while_a_forked_process_lives_on(before: Footprint) -> None:
    computer = light().start()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:  # it holds copies of every descriptor, as a worker of `multiprocessing` may
        os.read(read, 1)
        os._exit(0)
    try:
        assert timed(computer.close) < 5
    finally:
        os.write(write, b"!")
        os.waitpid(child, 0)
        os.close(read)
        os.close(write)
    assert footprint() == before


def test_closing_twice_and_starting_again(before: Footprint) -> None:
    computer = light()
    for _ in range(2):
        computer.start()
        assert computer.run(["echo", "up"]).stdout == "up\n"
        computer.close()
        computer.close()
    assert footprint() == before


@pytest.mark.slow
@pytest.mark.turns(day=2)
def test_twenty_cycles(before: Footprint) -> None:
    for _ in range(20):
        with light() as computer:
            computer.screenshot()
    assert footprint() == before
