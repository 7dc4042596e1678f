"""What process 1 does with hostile files and calls, shown on folders of the host: nothing here starts a sandbox."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import io
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from proctor.computers.sandbox_machine import limits, script


@pytest.fixture(scope="module")
def guest() -> Iterator[Callable[[str], ModuleType]]:
    """Import modules of the guest by their plain names, as they do among themselves."""
    before = set(sys.modules)
    sys.path.insert(0, str(script.GUEST))
    try:
        yield __import__
    finally:
        sys.path.remove(str(script.GUEST))
        for name in set(sys.modules) - before:
            if str(script.GUEST) in str(getattr(sys.modules[name], "__file__", "")):
                del sys.modules[name]


@pytest.fixture(params=["openat2", "walk"])
def syscalls(request: pytest.FixtureRequest, guest: Callable[[str], ModuleType]) -> Iterator[ModuleType]:
    """Both ways to open: by the kernel's own call, and step by step where it is missing."""
    module = guest("syscalls")
    if request.param == "walk":
        module._lacking.append(errno.ENOSYS)
    yield module
    module._lacking.clear()


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "docs/inner").mkdir(parents=True)
    (tmp_path / "docs/inner/letter").write_text("dear")
    (tmp_path / "secret").write_text("hush")
    (tmp_path / "docs/link").symlink_to("inner/letter")
    (tmp_path / "docs/away").symlink_to(tmp_path)
    (tmp_path / "docs/proc").symlink_to("/proc/self")
    os.mkfifo(tmp_path / "docs/pipe")
    return tmp_path


def reading(module: ModuleType, top: Path, path: str, *, links: bool = False, flags: int = os.O_RDONLY) -> bytes:
    start = os.open(top, os.O_PATH | os.O_DIRECTORY)
    try:
        fd = module.open_beneath(start, path, flags | os.O_NONBLOCK | os.O_CLOEXEC, 0, links=links)
    finally:
        os.close(start)
    with os.fdopen(fd, "rb") as file:
        return file.read()


class TestOpening:
    def test_plain_paths_open(self, syscalls: ModuleType, tree: Path) -> None:
        assert reading(syscalls, tree, "docs/inner/letter") == b"dear"
        assert reading(syscalls, tree, "./docs//inner/letter") == b"dear"

    @pytest.mark.parametrize("path", ["docs/link", "docs/away/secret", "docs/proc/environ"])
    def test_links_are_refused_wherever_they_stand(self, syscalls: ModuleType, tree: Path, path: str) -> None:
        with pytest.raises(OSError) as caught:
            reading(syscalls, tree, path)
        assert caught.value.errno == errno.ELOOP

    @pytest.mark.parametrize("path", ["../secret", "docs/../../secret", "/secret"])
    def test_nothing_above_the_top_is_reached(self, syscalls: ModuleType, tree: Path, path: str) -> None:
        try:
            # The kernel takes the top for the root, so that going above it stays there.
            assert reading(syscalls, tree / "docs", path) != b"hush"
        except OSError as error:
            assert error.errno in (errno.ENOENT, errno.EXDEV)

    def test_other_file_systems_are_not_entered(self, syscalls: ModuleType) -> None:
        with pytest.raises(OSError) as caught:
            reading(syscalls, Path("/"), "proc/self/environ", flags=os.O_RDONLY)
        assert caught.value.errno in (errno.EXDEV, errno.ELOOP)

    def test_what_is_missing_is_said_to_be(self, syscalls: ModuleType, tree: Path) -> None:
        with pytest.raises(FileNotFoundError):
            reading(syscalls, tree, "docs/none")

    def test_links_allowed_lead_nowhere_else(self, guest: Callable[[str], ModuleType], tree: Path) -> None:
        module = guest("syscalls")
        assert reading(module, tree, "docs/link", links=True) == b"dear"
        with pytest.raises(OSError):
            # Its target is a path of the host; below the top there is no such folder.
            reading(module, tree, "docs/away/secret", links=True)
        with pytest.raises(OSError):
            reading(module, tree, "docs/proc/environ", links=True)

    def test_only_plain_files_are_handed_out(self, guest: Callable[[str], ModuleType], tree: Path) -> None:
        opening = guest("open_file")
        for name, code in {"docs": errno.EISDIR, "docs/pipe": errno.EINVAL}.items():
            fd = os.open(tree / name, os.O_RDONLY | os.O_NONBLOCK)
            with pytest.raises(OSError) as caught:
                opening.plain(fd, name)
            assert caught.value.errno == code
            with pytest.raises(OSError):
                os.fstat(fd)  # it was closed

    def test_a_swapped_file_never_gives_another(self, syscalls: ModuleType, tree: Path) -> None:
        swapper = subprocess.Popen([sys.executable, "-I", "-c", SWAP, str(tree / "docs")], stdout=subprocess.PIPE)
        try:
            assert swapper.stdout and swapper.stdout.read(1) == b"+"
            seen = set()
            for _ in range(3000):
                try:
                    seen.add(reading(syscalls, tree, "docs/swapped"))
                except OSError as error:
                    seen.add(os.strerror(error.errno or 0).encode())
            assert seen <= {b"mine", os.strerror(errno.ELOOP).encode(), os.strerror(errno.ENOENT).encode()}
            assert b"mine" in seen
        finally:
            swapper.kill()
            swapper.communicate()


SWAP = """
import ctypes, os, sys
os.chdir(sys.argv[1])
with open("swapped", "w") as file:
    file.write("mine")
os.symlink("../secret", "other")
libc = ctypes.CDLL(None)
print("+", end="", flush=True)
while os.getppid() != 1:
    libc.renameat2(-100, b"swapped", -100, b"other", 2)
"""


def layers(tmp_path: Path) -> Any:
    folders = {}
    for name in ("upper", "lower", "merged"):
        (tmp_path / name).mkdir()
        folders[name] = os.open(tmp_path / name, os.O_RDONLY | os.O_DIRECTORY)
    return SimpleNamespace(**folders)


def scanned(jobs: ModuleType, layered: Any, **request: Any) -> list[list[Any]]:
    with os.fdopen(os.memfd_create("scan"), "r+b") as file:
        jobs.scan({"skip": [], "seconds": 60.0, "work_seconds": 60.0, **request}, [file.fileno()], layered)
        file.seek(0)
        return [json.loads(line) for line in file]


class TestScanning:
    def test_holes_are_hashed_within_bounds(
        self, guest: Callable[[str], ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        jobs = guest("jobs")
        layered = layers(tmp_path)
        monkeypatch.setattr(jobs, "HASHED_IN_ALL", 3 << 20)
        for number in range(4):
            with (tmp_path / f"upper/{number}").open("wb") as file:
                file.truncate(1 << 20)
        digests = [line[6] for line in scanned(jobs, layered)]
        assert [bool(digest) for digest in digests] == [True, True, True, False]

    def test_too_many_paths_are_said_to_be_too_many(
        self, guest: Callable[[str], ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        jobs = guest("jobs")
        layered = layers(tmp_path)
        monkeypatch.setattr(jobs, "MOST_PATHS", 3)
        for number in range(5):
            (tmp_path / f"upper/{number}").touch()
        paths = [line[0] for line in scanned(jobs, layered)]
        assert paths == ["/0", "/1", "/2", "/"]
        assert [line[0] for line in scanned(jobs, layered, seconds=-1.0)] == ["/"]
        assert [line[0] for line in scanned(jobs, layered, work_seconds=-1.0)] == ["/"]

    def test_files_without_end_have_no_stamp(self, guest: Callable[[str], ModuleType], tmp_path: Path) -> None:
        jobs = guest("jobs")
        layered = layers(tmp_path)
        (tmp_path / "upper/one").touch()

        def stamped(seconds: float) -> bytes:
            with os.fdopen(os.memfd_create("stamp"), "r+b") as file:
                bounds = {"seconds": seconds, "work_seconds": 60.0}
                jobs.stamp({"skip": [], "uid": os.getuid(), **bounds}, [file.fileno()], layered)
                file.seek(0)
                return file.read()

        assert stamped(60.0) and stamped(60.0) == stamped(60.0)
        assert stamped(-1.0) == b""

    def test_a_folder_made_anew_hides_what_the_image_had(
        self, guest: Callable[[str], ModuleType], tmp_path: Path
    ) -> None:
        jobs = guest("jobs")
        layered = layers(tmp_path)
        for name in ("upper/box", "lower/box", "merged/box", "upper/open", "lower/open", "merged/open"):
            (tmp_path / name).mkdir()
        for name in ("lower/box/gone", "lower/open/there", "merged/open/there"):
            (tmp_path / name).touch()
        deleted = [line[0] for line in scanned(jobs, layered) if line[1] == "deleted"]
        assert deleted == ["/box/gone"]

    def test_what_goes_away_while_it_is_walked_is_passed_over(
        self, guest: Callable[[str], ModuleType], tmp_path: Path
    ) -> None:
        jobs = guest("jobs")
        for name in ("a", "b", "c"):
            (tmp_path / name / "inner").mkdir(parents=True)
        top = os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY)
        seen = []
        for entry in jobs.walk(top):
            seen.append(entry.path)
            if entry.path == "/b":
                # It gives way to a link, which must not be followed.
                (tmp_path / "b/inner").rmdir()
                (tmp_path / "b").rmdir()
                (tmp_path / "b").symlink_to(tmp_path / "c")
        assert seen == ["/a", "/a/inner", "/b", "/c", "/c/inner"]

    def test_a_folder_that_is_moved_while_it_is_walked_leads_nowhere_else(
        self, guest: Callable[[str], ModuleType], tmp_path: Path
    ) -> None:
        jobs = guest("jobs")
        (tmp_path / "top/a/b/c").mkdir(parents=True)
        (tmp_path / "top/d").mkdir()
        (tmp_path / "outside/never").mkdir(parents=True)
        seen = []
        for entry in jobs.walk(os.open(tmp_path / "top", os.O_RDONLY | os.O_DIRECTORY)):
            seen.append(entry.path)
            if entry.path == "/a/b/c":
                (tmp_path / "top/a/b").rename(tmp_path / "outside/b")
        assert seen == ["/a", "/a/b", "/a/b/c", "/d"]


parts = some.lists(some.tuples(some.integers(0, 1 << 20), some.binary(min_size=1, max_size=5000)), max_size=5)


class TestHoles:
    @given(size=some.integers(0, 1 << 20), parts=parts)
    @settings(max_examples=40)
    def test_files_with_holes_come_back_as_they_were(
        self, guest: Callable[[str], ModuleType], size: int, parts: list[tuple[int, bytes]]
    ) -> None:
        sparse = guest("sparse")
        with os.fdopen(os.memfd_create("holes"), "r+b", buffering=0) as file:
            file.truncate(size)
            for offset, data in parts:
                file.seek(offset)
                file.write(data)
            file.seek(0)
            content = file.read()
            packed = io.BytesIO()
            with tarfile.open(fileobj=packed, mode="w|", format=tarfile.PAX_FORMAT) as tar:
                sparse.add(tar, tarfile.TarInfo("file"), file)
            packed.seek(0)
            with tarfile.open(fileobj=packed) as tar:
                member = tar.extractfile("file")
                assert member and member.read() == content

    def test_a_large_hole_takes_no_room(self, guest: Callable[[str], ModuleType]) -> None:
        sparse = guest("sparse")
        with os.fdopen(os.memfd_create("holes"), "r+b", buffering=0) as file:
            file.truncate(3 << 30)
            packed = io.BytesIO()
            with tarfile.open(fileobj=packed, mode="w|", format=tarfile.PAX_FORMAT) as tar:
                sparse.add(tar, tarfile.TarInfo("file"), file)
        assert len(packed.getvalue()) < 20_000

    def test_a_file_that_shrinks_is_filled_up(self, guest: Callable[[str], ModuleType]) -> None:
        sparse = guest("sparse")
        with os.fdopen(os.memfd_create("shrinks"), "r+b", buffering=0) as file:
            file.write(b"x" * 100)
            reader = sparse.Exactly(file, [(0, 100)])
            file.truncate(10)
            assert reader.read(100) == b"x" * 10 + bytes(90)


def _memory_file(size: int) -> int:
    fd = os.memfd_create("file")
    os.write(fd, b"x" * size)
    return fd


class TestHidden:
    """Memory that neither mappings nor open files show."""

    def test_files_on_their_way_are_seen_and_stay_there(self, guest: Callable[[str], ModuleType]) -> None:
        kernel_memory = guest("kernel_memory")
        ours, theirs = socket.socketpair()
        for size in (1 << 20, 3 << 20):
            fd = _memory_file(size)
            socket.send_fds(ours, [b"x"], [fd])
            os.close(fd)
        for _ in range(2):
            assert sorted(size for size, _ in kernel_memory.in_flight([os.getpid()]).values()) == [1 << 20, 3 << 20]
        outer, last = socket.socketpair()
        for each in (ours, theirs):
            socket.send_fds(outer, [b"y"], [each.fileno()])
            each.close()
        found = sorted(size for size, _ in kernel_memory.in_flight([os.getpid()]).values())
        assert found[-2:] == [1 << 20, 3 << 20], "what waits in sockets that wait themselves"
        _, (first,), _, _ = socket.recv_fds(last, 10, 4)
        _, (second,), _, _ = socket.recv_fds(last, 10, 4)
        os.close(first)
        with socket.socket(fileno=second) as received:
            for size in (1 << 20, 3 << 20):
                _, (fd,), _, _ = socket.recv_fds(received, 10, 4)
                assert os.fstat(fd).st_size == size
                os.close(fd)
        outer.close()
        last.close()
        assert kernel_memory.in_flight([os.getpid()]) == {}

    def test_segments_and_tables_are_told(self, guest: Callable[[str], ModuleType]) -> None:
        kernel_memory = guest("kernel_memory")
        libc = ctypes.CDLL(None)
        libc.shmat.restype = ctypes.c_void_p
        number = libc.shmget(0, 1 << 20, 0o1600)
        place = ctypes.c_void_p(libc.shmat(number, None, 0))
        ctypes.memset(place, 1, 1 << 20)
        libc.shmdt(place)
        (found,) = [segment for segment in kernel_memory.segments([os.getpid()]) if segment.number == number]
        assert (found.held, found.attached, found.namespace) == (1 << 20, 0, "")
        kernel_memory.remove_segment(found)
        assert number not in [segment.number for segment in kernel_memory.segments([os.getpid()])]
        assert kernel_memory.page_tables(os.getpid()) > 0
        assert kernel_memory.page_tables(1 << 30) == 0


def evaluate(program: bytes, number: int, arguments: tuple[int, ...] = (), machine: int = 0xC000003E) -> int:
    """Run a filter as the kernel would and return what it answers."""
    data = struct.pack("<iIQ6Q", number, machine, 0, *(arguments + (0,) * 6)[:6])
    lines = [struct.unpack_from("HBBI", program, at) for at in range(0, len(program), 8)]
    value, at = 0, 0
    while True:
        code, if_true, if_false, constant = lines[at]
        at += 1
        match code:
            case 0x20:
                (value,) = struct.unpack_from("<I", data, constant)
            case 0x54:
                value &= constant
            case 0x06:
                return constant
            case _:
                holds = {0x15: value == constant, 0x35: value >= constant, 0x45: bool(value & constant)}[code]
                at += if_true if holds else if_false


ALLOWED = 0x7FFF0000


def refused(code: int) -> int:
    return 0x00050000 | code


class TestFilter:
    """On both machines, whichever this one is."""

    @pytest.mark.parametrize(
        ("number", "arguments", "answer"),
        [
            (0, (), ALLOWED),  # read
            (101, (), refused(errno.EPERM)),  # ptrace
            (165, (), refused(errno.EPERM)),  # mount
            (435, (), refused(errno.ENOSYS)),  # clone3
            (500, (), refused(errno.ENOSYS)),  # not invented yet
            (0x40000000, (), refused(errno.EPERM)),  # the other table
            (41, (1, 1), ALLOWED),  # a Unix socket
            (41, (2, 1), ALLOWED),
            (41, (2, 3), refused(errno.EPERM)),  # raw
            (41, (2, 3 | 0o2000000), refused(errno.EPERM)),
            (41, (2, 10, 0x300), refused(errno.EPERM)),  # packets in the oldest way
            (41, (10, 1 | 0o4000, 6), ALLOWED),
            (41, (2, 2, 17), ALLOWED),
            (41, (2, 1, 262), refused(errno.EPROTONOSUPPORT)),  # MPTCP
            (41, (2, 2, 136), refused(errno.EPROTONOSUPPORT)),  # UDP-Lite
            (41, (2, 2, 1), refused(errno.EPROTONOSUPPORT)),  # pings
            (41, (2, 5, 132), refused(errno.EPERM)),  # SCTP
            (41, (1, 3), refused(errno.EPERM)),
            (41, (16, 3, 0), refused(errno.EAFNOSUPPORT)),  # routes, bridges, queues
            (41, (16, 3, 12), refused(errno.EAFNOSUPPORT)),  # firewalls
            (53, (1, 5), ALLOWED),
            (53, (30, 5), refused(errno.EAFNOSUPPORT)),  # a pair of TIPC
            (54, (0, 1, 9), ALLOWED),
            (54, (0, 0, 64), refused(errno.EPERM)),  # tables of a packet filter
            (54, (0, 0, 1152), refused(errno.EPERM)),
            (54, (0, 41, 64), refused(errno.EPERM)),
            (54, (0, 41, 67), ALLOWED),
            (54, (0, 6, 1), ALLOWED),
            (54, (0, 6, 31), refused(errno.EPERM)),  # another protocol on top
            (41, (40, 1), refused(errno.EAFNOSUPPORT)),  # the hypervisor
            (56, (0x11,), ALLOWED),  # fork
            (56, (0x10000000 | 0x20000000 | 0x40000000 | 0x11,), ALLOWED),  # a browser's own sandbox
            (56, (0x20000 | 0x11,), refused(errno.EPERM)),
            (272, (0x10000000,), ALLOWED),
            (272, (0x10000000 | 0x2000000,), refused(errno.EPERM)),
            (16, (0, 0x5413), ALLOWED),
            (16, (0, 0x5412), refused(errno.EPERM)),  # typing into a terminal
            (16, (0, 0x8912), ALLOWED),  # which interfaces there are
            (16, (0, 0x89A0), refused(errno.EPERM)),  # a new bridge
            (16, (0, 0x8914), refused(errno.EPERM)),  # up with an interface
            (16, (0, 0x8B01), ALLOWED),
        ],
    )
    def test_what_is_answered(
        self, guest: Callable[[str], ModuleType], number: int, arguments: tuple[int, ...], answer: int
    ) -> None:
        assert evaluate(guest("callfilter").filter_program("x86_64"), number, arguments) == answer

    def test_other_machines(self, guest: Callable[[str], ModuleType]) -> None:
        program = guest("callfilter").filter_program("aarch64")
        arm = 0xC00000B7
        assert evaluate(program, 63, machine=arm) == ALLOWED  # read
        assert evaluate(program, 117, machine=arm) == refused(errno.EPERM)  # ptrace
        assert evaluate(program, 198, (40,), machine=arm) == refused(errno.EAFNOSUPPORT)
        assert evaluate(program, 63) == refused(errno.EPERM)  # calls of another machine

    @given(number=some.integers(0, 0xFFFFFFFF), arguments=some.tuples(*[some.integers(0, 2**64 - 1)] * 3))
    def test_every_call_has_an_answer(
        self, guest: Callable[[str], ModuleType], number: int, arguments: tuple[int, ...]
    ) -> None:
        number = ctypes.c_int32(number).value
        for machine in ("x86_64", "aarch64"):
            evaluate(guest("callfilter").filter_program(machine), number, arguments)


def test_scripts_start_without_our_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "canary")
    assert not any("canary" in text for pair in script.environment().items() for text in pair)


def test_limits_say_who_holds_them() -> None:
    groups = limits.make(limits.SandboxLimits(cpus=1.5))
    try:
        assert groups.holders().keys() == {f"{name}_held_by" for name in ("memory", "processes", "cpus", "io")}
        assert set(groups.holders().values()) <= {"cgroup", "watched", "rlimit", "nothing"}
    finally:
        limits.discard(groups)


def _child(do: Callable[[], object]) -> tuple[int, io.FileIO]:
    """A child that has not become its program yet; the end of the pipe comes with its own."""
    failed, held = os.pipe2(os.O_CLOEXEC)
    pid = os.fork()
    if pid == 0:
        do()
        os._exit(0)
    os.close(held)
    return pid, io.FileIO(failed)


def test_a_child_that_is_stopped_again_and_again_is_ended(
    guest: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    spawning = guest("spawn")
    monkeypatch.setattr(spawning, "STOPPED_SEC", 0.05)
    monkeypatch.setattr(spawning, "NUDGE_SEC", 0.02)

    def stop_forever() -> None:
        while True:
            os.kill(os.getpid(), signal.SIGSTOP)

    pid, failed = _child(stop_forever)
    with failed:
        assert spawning._await(pid, failed) == b""
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == -signal.SIGKILL


def test_a_child_that_is_only_slow_is_waited_for(
    guest: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    spawning = guest("spawn")
    monkeypatch.setattr(spawning, "STOPPED_SEC", 0.05)
    monkeypatch.setattr(spawning, "NUDGE_SEC", 0.02)
    go, start = os.pipe2(os.O_CLOEXEC)
    sent: list[int] = []

    def count(_: int, number: int) -> None:
        sent.append(number)
        if len(sent) == 20:  # long after one that is stopped would have been given up
            os.write(start, b"x")

    pid, failed = _child(lambda: os.read(go, 1))
    monkeypatch.setattr(spawning.os, "kill", count)
    with failed:
        assert spawning._await(pid, failed) == b""
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert set(sent) == {signal.SIGCONT}
    os.close(go)
    os.close(start)


def _filled(kind: socket.SocketKind) -> tuple[socket.socket, socket.socket]:
    sender, receiver = socket.socketpair(socket.AF_UNIX, kind)
    sender.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        while True:
            sender.send(b"x" * 10_000)
    return sender, receiver


@pytest.mark.parametrize("kind", [socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET])
def test_what_waits_in_a_socket_is_counted_until_it_is_read(
    kind: socket.SocketKind, guest: Callable[[str], ModuleType]
) -> None:
    sender, receiver = _filled(kind)
    inode = os.fstat(sender.fileno()).st_ino
    with sender, receiver:
        assert guest("sockets").buffered([])[inode] > 50_000
        receiver.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while receiver.recv(100_000):
                continue
        assert inode not in guest("sockets").buffered([])


@pytest.mark.parametrize("family", [socket.AF_INET, socket.AF_INET6])
def test_what_waits_on_a_network_is_counted(family: socket.AddressFamily, guest: Callable[[str], ModuleType]) -> None:
    address = "127.0.0.1" if family == socket.AF_INET else "::1"
    with socket.create_server((address, 0), family=family) as server, socket.socket(family) as client:
        client.connect(server.getsockname())
        with server.accept()[0]:
            client.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                while True:
                    client.send(b"x" * 100_000)
            assert sum(guest("sockets").buffered([]).values()) > 100_000


def test_sockets_on_their_way_are_counted(guest: Callable[[str], ModuleType]) -> None:
    sender, receiver = _filled(socket.SOCK_STREAM)
    inode = os.fstat(sender.fileno()).st_ino
    ours, theirs = socket.socketpair()
    with ours, theirs:
        socket.send_fds(ours, [b"x"], [sender.fileno(), receiver.fileno()])
        sender.close()
        receiver.close()
        assert guest("sockets").buffered([])[inode] > 50_000


def test_a_process_that_has_gone_does_not_disturb_the_count(guest: Callable[[str], ModuleType]) -> None:
    before = Path("/proc/self/ns/net").readlink()
    child = subprocess.Popen(["true"])
    child.wait()
    assert isinstance(guest("sockets").buffered([child.pid, os.getpid()]), dict)
    assert Path("/proc/self/ns/net").readlink() == before
