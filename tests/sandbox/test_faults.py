"""Whatever breaks, on the host, in an image or inside: the right error, in time, and the computer is replaceable."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from proctor import open_computer
from proctor.actions.action import Click, Press, Type
from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.errors import ComputerError, ComputerLost, HostError, ImageError, NotReady, SpecError, UnknownName
from tests.sandbox.host import Background, Harness, Watched, descendants, first_process, image_copy, timed, without
from tests.unhurried import now

pytestmark = [pytest.mark.sandbox, pytest.mark.alone, pytest.mark.turns]

SMALL = (800, 600)
EDITOR = ["mousepad", "--disable-server"]
ROOM_SEC = 6.0
"""What a host with much else to do may add to a call that does not hang."""


def light(**options: Any) -> SandboxComputer:
    return SandboxComputer(look="light", size=SMALL, **options)


@pytest.fixture(scope="module")
def shared() -> Iterator[SandboxComputer]:
    """A computer that its tests leave as good as they found it."""
    with light() as started:
        yield started


@pytest.fixture
def victim() -> Iterator[SandboxComputer]:
    """A computer to break; closing it must be clean and quick whatever happened to it."""
    computer = light().start()
    try:
        yield computer
    finally:
        assert timed(computer.close) < 5


def within(seconds: float, work: Callable[[], object]) -> Any:
    """Return the result of a call that must not hang; failing counts as well, and a busy host gets some room."""
    began = now()
    try:
        return work()
    finally:
        assert now() - began < seconds + ROOM_SEC


def assert_replaceable(computer: SandboxComputer) -> None:
    """The same description makes a working computer again."""
    computer.close()
    with computer:
        assert computer.run(["echo", "again"]).stdout == "again\n"
        assert computer.screenshot().size == SMALL


# -- wrong descriptions -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("backend", "options", "error", "said"),
    [
        ("sandbx", {}, UnknownName, "did you mean 'sandbox'"),
        ("sandbox", {"sise": (800, 600)}, SpecError, "did you mean 'size'"),
        ("sandbox", {"look": "lite"}, UnknownName, "did you mean 'light'"),
        ("sandbox", {"theme": "drak"}, UnknownName, "did you mean 'dark'"),
        ("sandbox", {"timezone": "Europe/Berlim"}, UnknownName, "did you mean 'Europe/Berlin'"),
        ("sandbox", {"locale": "en_UK.UTF-8"}, UnknownName, "did you mean"),
        ("sandbox", {"size": (800,)}, SpecError, "width, height"),
        ("sandbox", {"size": (8, 6)}, SpecError, "width, height"),
        ("sandbox", {"clock": "tomorrow"}, SpecError, "2026-03-02T09:00:00"),
        ("sandbox", {"memory_mb": 1}, SpecError, "memory_mb=1"),
        ("sandbox", {"network": "open"}, SpecError, "host:port"),
        ("sandbox", {"image": "no such"}, SpecError, "name of an image"),
        ("sandbox", {"image": "nonesuch"}, ImageError, "proctor images build nonesuch"),
    ],
)
def test_wrong_descriptions(backend: str, options: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error) as caught:
        open_computer(backend, **options)
    assert said in str(caught.value)
    assert caught.value.remedy  # type: ignore[attr-defined]


# -- damaged images ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def copied() -> Iterator[Path]:
    with image_copy() as data:
        yield data


@pytest.fixture
def image(copied: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an image that may be damaged, used by every computer of the test."""
    monkeypatch.setenv("PROCTOR_DATA", str(copied))
    return copied / "images" / "starter"


def test_an_undamaged_copy_works(image: Path) -> None:
    with light() as computer:
        assert computer.facts()["image"]["name"] == "starter"
        assert computer.desktop.session.machine.supervisor_pid
        assert str(image) not in computer.run(["cat", "/proc/mounts"]).stdout


@pytest.mark.parametrize("garbage", [b"", b"{", b"[]", b"\xff\xfe", b'{"format": 99}', b"null"])
def test_an_image_with_a_garbled_description(image: Path, garbage: bytes) -> None:
    good = (image / "image.json").read_bytes()
    (image / "image.json").write_bytes(garbage)
    try:
        with pytest.raises(ImageError, match="damaged(?s:.*)proctor images build starter --force"):
            light()
    finally:
        (image / "image.json").write_bytes(good)


def test_a_half_built_image(image: Path) -> None:
    shutil.move(image / "image.json", image / "image.json.new")
    try:
        with pytest.raises(ImageError, match="incomplete(?s:.*)proctor images build starter --force"):
            light()
    finally:
        shutil.move(image / "image.json.new", image / "image.json")


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        ("usr/bin/Xvnc", "'starter'(?s:.*)Xvnc(?s:.*)--force"),
        ("usr/bin/dbus-daemon", "'starter'(?s:.*)dbus-daemon(?s:.*)--force"),
        ("usr/share/X11/xkb", "display(?s:.*)--force"),
        ("proc", "proc(?s:.*)--force"),
    ],
)
def test_an_image_without_what_a_desktop_needs(copied: Path, image: Path, missing: str, said: str) -> None:
    computer = light()
    with without(copied, missing), pytest.raises(ComputerError, match=said):
        within(10, computer.start)
    assert_replaceable(computer)


# -- a host that lacks something --------------------------------------------------------------------------------------

ATTEMPT = """
try:
    with open_computer("sandbox", look="light", size=(800, 600)):
        print(json.dumps({"error": "none"}))
except Exception as error:
    print(json.dumps({"error": type(error).__name__, "text": str(error)}))
"""


def test_a_host_without_namespaces(tmp_path: Path) -> None:
    as_root, rootless = ("setpriv", "--bounding-set=-sys_admin"), ("setpriv", "--no-new-privs")
    with Harness(ATTEMPT, tmp_path, wrapper=as_root if os.geteuid() == 0 else rootless) as harness:
        facts = harness.facts()
        assert facts["error"] == HostError.__name__
        assert "remedy: " in facts["text"]
        assert harness.go_on()[0] == 0
        assert harness.leftovers() == {}


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")
@pytest.mark.skipif(Path(sys.prefix).is_relative_to("/tmp"), reason="the test hides /tmp, where this checkout lies")
def test_an_image_below_the_temporary_folder(image: Path) -> None:
    """Inside, the layers are put together on /tmp; an image that lies below it must not be covered by that."""
    show = 'mount -t tmpfs shown /tmp && mkdir /tmp/data && mount --bind "$PROCTOR_DATA" /tmp/data && exec "$@"'
    wrapper = ("unshare", "--mount", "sh", "-c", show, "sh", "env", "PROCTOR_DATA=/tmp/data", "TMPDIR=/tmp")
    with (
        tempfile.TemporaryDirectory(dir="/var/tmp") as folder,
        Harness(ATTEMPT, Path(folder), wrapper=wrapper) as harness,
    ):
        assert harness.facts() == {"error": "none"}
        assert harness.go_on()[0] == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")
def test_an_image_that_cannot_be_a_layer(image: Path, tmp_path: Path) -> None:
    # Overlays may be stacked twice, so an image that lies on two of them cannot carry a third.
    stack = """
        mount -t tmpfs stack "$0" && cd "$0" && mkdir u1 w1 m1 u2 w2 m2 &&
        mount -t overlay one -o "lowerdir=$PROCTOR_DATA,upperdir=u1,workdir=w1" m1 &&
        mount -t overlay two -o "lowerdir=m1,upperdir=u2,workdir=w2" m2 &&
        PROCTOR_DATA="$0/m2" exec "$@"
    """
    (tmp_path / "stack").mkdir()
    wrapper = ("unshare", "--mount", "sh", "-c", stack, str(tmp_path / "stack"))
    with Harness(ATTEMPT, tmp_path, wrapper=wrapper) as harness:
        facts = harness.facts()
        assert facts["error"] == HostError.__name__
        assert "overlay" in facts["text"]
        assert "PROCTOR_DATA" in facts["text"]
        assert harness.go_on()[0] == 0
        assert harness.leftovers() == {}


# -- a machine that breaks --------------------------------------------------------------------------------------------


def test_a_killed_display(victim: SandboxComputer) -> None:
    victim.write_file("kept.txt", b"kept")
    victim.run(["pkill", "-9", "Xvnc"], root=True)
    uses: list[Callable[[], object]] = [
        victim.screenshot,
        victim.tree,
        victim.windows,
        victim.settle,
        lambda: victim.perform(Click(x=10, y=10)),
        lambda: victim.perform(Type(text="lost")),
        lambda: victim.launch(EDITOR),
    ]
    for use in uses:
        with pytest.raises(ComputerLost, match="remedy: start a fresh computer"):
            within(5, use)
    # The machine itself goes on, so that its files can be judged or carried over.
    assert victim.read_file("kept.txt") == b"kept"
    victim.restore(victim.snapshot())
    assert victim.screenshot().size == SMALL
    assert victim.read_file("kept.txt") == b"kept"


def test_a_display_that_hangs(victim: SandboxComputer) -> None:
    victim.run(["pkill", "-STOP", "Xvnc"], root=True)
    with pytest.raises(ComputerLost, match="did not answer"):
        within(15, victim.screenshot)
    with pytest.raises(ComputerLost):
        within(1, victim.screenshot)


def test_a_killed_process_1(victim: SandboxComputer) -> None:
    victim.execute("kept = 1")
    everything = descendants(victim.desktop.machine.supervisor_pid)
    with Watched(everything) as ends:
        os.kill(everything[0], signal.SIGKILL)
        assert ends.wait() == []
    uses: list[Callable[[], object]] = [
        victim.screenshot,
        victim.tree,
        victim.changes,
        victim.snapshot,
        lambda: victim.run(["true"]),
        lambda: victim.execute("kept"),
        lambda: victim.read_file("/etc/passwd"),
        lambda: victim.write_file("lost", b""),
        lambda: victim.launch(EDITOR),
        lambda: victim.perform(Press(keys="a")),
    ]
    for use in uses:
        with pytest.raises(ComputerLost, match="remedy: start a fresh computer"):
            within(5, use)
    assert_replaceable(victim)


def test_a_process_1_that_is_killed_while_code_runs(victim: SandboxComputer) -> None:
    first = first_process(victim.desktop.machine.supervisor_pid)
    running = Background(lambda: victim.execute("open('begun', 'w').close()\nwhile True: pass", timeout_sec=60))
    victim.wait_for(lambda c: any(file.path.endswith("/begun") for file in c.list_files()))
    os.kill(first, signal.SIGKILL)
    # Not the agent's failure: its code must not be said to have ended the interpreter.
    assert isinstance(running.wait(60), ComputerLost)


def test_a_process_1_that_hangs(victim: SandboxComputer) -> None:
    victim.desktop.machine.timeout_sec = 1.0
    os.kill(first_process(victim.desktop.machine.supervisor_pid), signal.SIGSTOP)
    with pytest.raises(ComputerLost, match="did not answer within 1 s"):
        within(5, lambda: victim.run(["true"]))


def test_a_killed_session_bus(victim: SandboxComputer) -> None:
    victim.launch(EDITOR)
    victim.run(["pkill", "-9", "dbus-daemon"])
    tree = within(10, victim.tree)
    assert not tree.nodes and tree.degraded
    # What needs no bus goes on: the agent may have done this, as it could on a real machine.
    assert victim.screenshot().size == SMALL
    assert victim.element_at(400, 300) is None
    app = victim.launch(EDITOR)
    assert app.window
    done = within(10, lambda: victim.perform(Click(x=app.window.box.x + 200, y=app.window.box.y + 200)))
    assert done.element is None
    victim.perform(Type(text="on"))
    victim.perform(Press(keys="ctrl+s"))
    assert_replaceable(victim)


# -- applications that misbehave --------------------------------------------------------------------------------------


def test_an_application_that_hangs(victim: SandboxComputer) -> None:
    terminal = victim.launch(["lxterminal"])
    editor = victim.launch(EDITOR)
    assert terminal.window
    assert editor.window
    place = {"x": editor.window.box.x + 200, "y": editor.window.box.y + 200}
    assert victim.element_at(**place) is not None
    victim.run(["kill", "-STOP", str(editor.pid)])
    assert within(2, lambda: victim.settle(timeout_sec=0.5)) is False
    assert within(2, lambda: victim.element_at(**place)) is None
    tree = within(8, victim.tree)
    assert any("did not answer" in reason for reason in tree.degraded)
    assert [node for node in tree.nodes if node.role == "terminal"]
    assert not within(8, lambda: victim.perform(Click(**place))).settled
    assert victim.screenshot().size == SMALL
    # The neighbour is as quick as ever once it has the focus.
    victim.desktop.x.activate(terminal.window.id)
    victim.wait_for(lambda c: (front := c.active_window()) and front.id == terminal.window.id)
    victim.perform(Type(text="touch typed\n"))
    assert within(5, lambda: victim.wait_for(lambda c: any(f.path.endswith("/typed") for f in c.list_files())))
    victim.run(["kill", "-CONT", str(editor.pid)])
    assert victim.wait_for(lambda c: not c.tree().degraded) is True


@pytest.mark.parametrize("keys", ["ctrl+q", "alt+F4"])
def test_an_application_that_ends_on_a_key_is_not_waited_for(shared: SandboxComputer, keys: str) -> None:
    shared.launch(EDITOR)
    assert within(2, lambda: shared.perform(Press(keys=keys))).settled
    assert shared.windows() == []


def test_an_application_that_crashes(shared: SandboxComputer) -> None:
    with pytest.raises(ComputerError, match="status 3(?s:.*)no such font"):
        within(5, lambda: shared.launch(["sh", "-c", "echo no such font >&2; exit 3"]))
    with pytest.raises(ComputerError, match="status -11"):
        within(5, lambda: shared.launch(["sh", "-c", "kill -SEGV $$"]))


def test_an_application_without_a_window(shared: SandboxComputer) -> None:
    editor = shared.launch(EDITOR)
    try:
        with pytest.raises(NotReady, match="showed no window titled 'Never'(?s:.*)Untitled 1 - Mousepad"):
            within(5, lambda: shared.launch(["lxterminal"], window="Never", timeout_sec=1))
        with pytest.raises(NotReady, match="within 0.5 s(?s:.*)thinking aloud"):
            shared.launch(["sh", "-c", "echo thinking aloud; sleep 60"], timeout_sec=0.5)
    finally:
        shared.run(["pkill", "-9", "lxterminal|sleep"])
        shared.run(["kill", "-9", str(editor.pid)])
        shared.wait_for(lambda c: not c.windows())


@pytest.mark.parametrize("use", ["run", "launch"])
def test_a_program_that_does_not_exist(shared: SandboxComputer, use: str) -> None:
    start = getattr(shared, use)
    with pytest.raises(ComputerError, match="no program 'nonesuch'(?s:.*)remedy"):
        within(2, lambda: start(["nonesuch"]))
    with pytest.raises(ComputerError, match="'/etc/passwd' could not be started: Permission denied"):
        start(["/etc/passwd"])
    for wrong in ([], "ls -l", [Path("/bin/ls")]):
        with pytest.raises(SpecError, match="is not a command"):
            start(wrong)


# -- commands ---------------------------------------------------------------------------------------------------------


def test_an_overdue_command_is_killed_with_its_children(shared: SandboxComputer) -> None:
    with pytest.raises(ComputerError, match="did not end within 0.5 s(?s:.*)timeout_sec"):
        within(5, lambda: shared.run(["sh", "-c", "sleep 611 & sleep 612"], timeout_sec=0.5))
    shared.wait_for(lambda c: c.run(["pgrep", "-f", "sleep 61"]).code != 0)


def test_a_command_that_leaves_a_child_behind_ends_by_itself(shared: SandboxComputer) -> None:
    done = within(5, lambda: shared.run(["sh", "-c", "sleep 613 & echo started"]))
    assert (done.code, done.stdout) == (0, "started\n")
    assert shared.run(["pkill", "-f", "sleep 613"]).code == 0


def test_how_an_earlier_process_of_the_same_number_ended_is_forgotten(shared: SandboxComputer) -> None:
    """Numbers come round again after some ten thousand processes, which code inside can start in a minute."""
    machine = shared.desktop.machine
    first = first_process(machine.supervisor_pid)
    if os.geteuid() != 0:
        pytest.skip("only root can wind on the numbers of a namespace")
    for _ in range(50):  # another program inside may be quicker to take the number
        earlier = int(shared.run(["sh", "-c", "echo $$; exit 3"]).stdout)
        wind = f"echo {earlier - 1} > /proc/sys/kernel/ns_last_pid"
        # The process list inside is read-only; that of the host is not, and the numbers are those of whoever writes.
        enter = ["nsenter", f"--target={first}", "--pid", "sh", "-c", wind]
        os.spawnvp(os.P_WAIT, enter[0], enter)
        done = shared.run(["sh", "-c", "read word; echo $$ $word; exit 4"], input=b"heard\n")
        if done.stdout.startswith(f"{earlier} "):
            break
    assert (done.code, done.stdout) == (4, f"{earlier} heard\n")


@pytest.mark.parametrize("arguments", [["x" * 200_000], ["x" * 1000] * 230, ["x" * 5_000_000]])
def test_huge_arguments(shared: SandboxComputer, arguments: list[str]) -> None:
    with pytest.raises(ComputerError, match="too l(ong|arge)"):
        within(2, lambda: shared.run(["echo", *arguments]))
    assert shared.run(["wc", "-c"], input=b"x" * 5_000_000).stdout.strip() == "5000000"


def test_zero_bytes_in_arguments(shared: SandboxComputer) -> None:
    with pytest.raises(ComputerError, match="null byte"):
        shared.run(["echo", "a\0b"])
    with pytest.raises(ComputerError, match="null byte"):
        shared.run(["echo"], env={"NAME": "a\0b"})


def test_a_folder_that_is_not_there(shared: SandboxComputer) -> None:
    with pytest.raises(ComputerError, match="'true' could not be started(?s:.*)/home/user/nowhere"):
        shared.run(["true"], cwd="nowhere")


# -- files ------------------------------------------------------------------------------------------------------------


def test_files_where_files_cannot_be(shared: SandboxComputer) -> None:
    shared.write_file("plain", b"")
    with pytest.raises((FileExistsError, NotADirectoryError), match="plain/below"):
        shared.write_file("plain/below", b"")
    with pytest.raises(NotADirectoryError):
        shared.list_files("plain")
    with pytest.raises(IsADirectoryError):
        shared.write_file("Documents", b"")
    with pytest.raises(FileNotFoundError):
        shared.read_file("nowhere/nothing")
    with pytest.raises(OSError, match="too long"):
        shared.write_file("x" * 256, b"")
    with pytest.raises(SpecError, match="NUL"):
        shared.write_file("zero\0byte", b"")
    shared.remove_file("plain")


@pytest.mark.parametrize(
    "name", ["two\nlines", " blank ", "-rf", "naïve 日本 😀", "quote'\"$(id)", "\udcff", "x" * 255, "a/b/c"]
)
def test_unusual_names(shared: SandboxComputer, name: str) -> None:
    shared.write_file(name, b"content")
    path = f"/home/user/{name}"
    assert shared.read_file(name) == b"content"
    assert path in [entry.path for entry in shared.list_files(str(Path(path).parent))]
    assert path in [change.path for change in shared.changes()]
    shared.remove_file(name.partition("/")[0])
    assert path not in [change.path for change in shared.changes()]


def test_a_folder_with_thousands_of_files(shared: SandboxComputer) -> None:
    shared.run(["sh", "-c", "mkdir crowd && cd crowd && seq -f 'a-rather-long-name-for-a-file-%g' 4000 | xargs touch"])
    assert len(within(5, lambda: shared.list_files("crowd"))) == 4000
    assert shared.run(["echo", "alive"]).stdout == "alive\n"
    shared.remove_file("crowd")


# -- before and after -------------------------------------------------------------------------------------------------


def test_use_outside_of_its_life() -> None:
    computer = light()
    uses: list[Callable[[], object]] = [
        computer.screenshot,
        computer.tree,
        computer.facts,
        computer.settle,
        computer.snapshot,
        lambda: computer.run(["true"]),
        lambda: computer.perform(Press(keys="a")),
        lambda: computer.launch(EDITOR),
        lambda: computer.locate(role="text").click(),
        lambda: computer.read_file("x"),
    ]
    for state in ("not started", "closed"):
        for use in uses:
            with pytest.raises(ComputerError, match=f"this computer is {state}(?s:.*)open_computer"):
                use()
        computer.start()
        computer.close()
