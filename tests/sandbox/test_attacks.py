"""The agent is hostile by assumption: what its code tries from inside fails harmlessly, and the desktop goes on."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from proctor.actions.action import Press, RunCode, Type
from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.errors import ComputerError

pytestmark = [pytest.mark.sandbox, pytest.mark.alone]


@pytest.fixture(scope="module")
def computer() -> Iterator[SandboxComputer]:
    with SandboxComputer(look="light", memory_mb=1024, processes=300, disk_mb=128) as started:
        yield started


@pytest.fixture(scope="module")
def neighbour() -> Iterator[SandboxComputer]:
    with SandboxComputer(look="light") as started:
        yield started


KILL_ALL = """
import os
for name in os.listdir("/proc"):
    if name.isdigit() and int(name) != os.getpid():
        try:
            os.kill(int(name), 9)
        except OSError as error:
            print(name, error.strerror)
os.kill(1, 9)
"""
DENIED_CALLS = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
answers = []
for number in (250, 321, 298, 323, 425):
    libc.syscall(number, 0, 0, 0, 0, 0)
    answers.append(ctypes.get_errno())
print(answers)
"""
FORK_BOMB = """
import os, time
try:
    for _ in range(5000):
        if os.fork() == 0:
            time.sleep(600)
except OSError as error:
    print("stopped", error.errno)
"""


def python(computer: SandboxComputer, code: str, timeout_sec: float = 20.0) -> str:
    """Run an agent's code action and return what it printed and how it ended."""
    done = computer.perform(RunCode(code=code, timeout_sec=timeout_sec))
    assert done.result
    return done.result.output + done.result.error


def assert_works(computer: SandboxComputer) -> None:
    """The desktop can still be seen, operated and asked."""
    computer.launch(["mousepad", "--disable-server", "alive.txt"])
    computer.perform(Type(text="alive"))
    computer.perform(Press(keys="ctrl+s"))
    computer.wait_for(lambda c: c.read_file("alive.txt") == b"alive\n" or c.read_file("alive.txt") == b"alive")
    computer.run(["pkill", "mousepad"])
    computer.remove_file("alive.txt")


def test_agent_has_no_capabilities_and_gains_none(computer: SandboxComputer) -> None:
    status = computer.run(["cat", "/proc/self/status"]).stdout
    assert "Uid" in status
    seen = python(computer, "print(open('/proc/self/status').read())")
    for line in ("CapEff:\t0000000000000000", "CapBnd:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"):
        assert line in seen


def test_kill_everything_it_can_see(neighbour: SandboxComputer) -> None:
    with SandboxComputer(look="light") as victim:
        python(victim, KILL_ALL)
        # Its own window manager and buses may be gone, as on a real machine; screen, keys and files are not.
        assert victim.screenshot().size == victim.size
        victim.write_file("after.txt", b"still here")
        assert victim.read_file("after.txt") == b"still here"
        assert victim.run(["echo", "hi"]).stdout == "hi\n"
    assert_works(neighbour)


def test_harness_is_invisible(computer: SandboxComputer) -> None:
    seen = python(
        computer,
        "import os\nprint([(p, os.stat('/proc/' + p).st_uid) for p in os.listdir('/proc') if p.isdigit()])\n"
        "print(os.path.exists('/proc/1/cmdline'))",
    )
    assert "(True" not in seen
    assert seen.strip().endswith("False")
    assert "0)" not in seen.replace("1000)", "")


@pytest.mark.parametrize("path", ["/proc/1/mem", "/proc/1/environ", "/etc/shadow", "/run/display/rfb", "/run/log"])
def test_secrets_inside_are_closed(computer: SandboxComputer, path: str) -> None:
    seen = python(
        computer, f"import os\nprint(os.listdir({path!r}) if os.path.isdir({path!r}) else open({path!r}).read())"
    )
    assert "Error" in seen


def test_nothing_of_the_host_is_there(computer: SandboxComputer) -> None:
    here = str(Path(__file__).resolve())
    marker = Path("/tmp") / f"host-secret-{os.getpid()}"
    marker.write_text("secret")
    try:
        for path in (here, str(marker), f"/proc/{os.getpid()}/environ"):
            seen = python(computer, f"open({path!r}).read()")
            assert "FileNotFoundError" in seen or "PermissionError" in seen
        names = python(computer, "import os\nprint(os.listdir('/home'), open('/proc/mounts').read())")
        assert "['user']" in names
        assert "proctor" not in names
    finally:
        marker.unlink()


def test_other_sandboxes_are_out_of_reach(computer: SandboxComputer, neighbour: SandboxComputer) -> None:
    neighbour.write_file("/tmp/neighbour.txt", b"mine")
    assert "FileNotFoundError" in python(computer, "open('/tmp/neighbour.txt')")
    # Abstract sockets and System V memory are divided as well.
    python(neighbour, "import socket\nkept = socket.socket(socket.AF_UNIX)\nkept.bind('\\0secret')\nkept.listen()")
    assert "ConnectionRefused" in python(
        computer, "import socket\ns = socket.socket(socket.AF_UNIX)\ns.connect('\\0secret')"
    )


def test_network_is_out_of_reach(computer: SandboxComputer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        seen = python(computer, f"import socket\nsocket.create_connection(('127.0.0.1', {port}), 3)")
        assert "OSError" in seen or "Error" in seen
    assert "Error" in python(computer, "import socket\nsocket.create_connection(('192.0.2.1', 80), 3)")
    assert "gaierror" in python(computer, "import socket\nsocket.getaddrinfo('example.org', 80)")
    assert "not supported" in python(computer, "import socket\nsocket.socket(40, socket.SOCK_STREAM)")


def test_host_display_is_out_of_reach(computer: SandboxComputer) -> None:
    seen = python(computer, "import os\nprint(os.listdir('/tmp/.X11-unix'))")
    assert seen.strip() == "['X1']"


def test_clock_cannot_be_set(computer: SandboxComputer) -> None:
    assert "PermissionError" in python(computer, "import time\ntime.clock_settime(time.CLOCK_REALTIME, 0)")


def test_harness_and_display_cannot_be_traced(computer: SandboxComputer) -> None:
    pids = (1, computer.desktop.session.display_pid)
    code = f"import ctypes\nc = ctypes.CDLL(None, use_errno=True)\nprint([c.ptrace(16, p, 0, 0) for p in {pids}])"
    assert "[-1, -1]" in python(computer, code)


def test_keyrings_and_kernel_tracing_are_denied(computer: SandboxComputer) -> None:
    if os.uname().machine == "x86_64":
        assert "[1, 1, 1, 1, 1]" in python(computer, DENIED_CALLS)


def test_mounts_and_devices_cannot_be_made(computer: SandboxComputer) -> None:
    mount = "import ctypes\nc = ctypes.CDLL(None)\nprint(c.mount(b'none', b'/mnt', b'tmpfs', 0, None))"
    assert python(computer, mount).strip() == "-1"
    assert "PermissionError" in python(computer, "import os\nos.mknod('/tmp/sda', 0o60666, os.makedev(8, 0))")


def test_fork_bomb_is_contained(computer: SandboxComputer, neighbour: SandboxComputer) -> None:
    assert "stopped 11" in python(computer, FORK_BOMB, timeout_sec=60)
    assert_works(neighbour)
    computer.run(["pkill", "-9", "python3"], root=True)
    # Hundreds of processes take a moment to go, and until then there is no room for others.
    computer.wait_for(lambda c: c.run(["pgrep", "python3"], root=True).code == 1, what="the end of the bomb")
    assert_works(computer)


def test_memory_hog_is_ended(computer: SandboxComputer, neighbour: SandboxComputer) -> None:
    seen = python(
        computer,
        "kept = []\nfor _ in range(64):\n  kept.append(bytearray(64 << 20))\nprint('all of it')",
        timeout_sec=60,
    )
    assert "all of it" not in seen
    assert_works(neighbour)
    python(computer, "kept = None")
    assert_works(computer)


def test_full_disk_is_the_sandboxes_own(computer: SandboxComputer, neighbour: SandboxComputer) -> None:
    free = os.statvfs("/tmp").f_bavail
    seen = python(
        computer,
        "import os\nwith open('big', 'wb') as f:\n  for _ in range(400): f.write(bytes(1 << 20))",
        timeout_sec=60,
    )
    assert "No space left" in seen
    assert abs(os.statvfs("/tmp").f_bavail - free) * os.statvfs("/tmp").f_frsize < 256 << 20
    with pytest.raises(OSError, match="No space left"):
        computer.write_file("more", bytes(1 << 20))
    assert_works(neighbour)
    computer.remove_file("big")
    assert_works(computer)


def test_traps_for_the_reader(computer: SandboxComputer) -> None:
    """Pipes, devices and links laid out for whoever reads the files."""
    computer.run(["sh", "-c", "mkfifo pipe; ln -s /etc/shadow leak; ln -s /dev/zero endless; ln -s loop loop; mkdir d"])
    for path in ("pipe", "endless", "loop", "d"):
        with pytest.raises(OSError):
            computer.read_file(path)
    assert {"pipe", "leak", "endless", "loop"} <= {Path(change.path).name for change in computer.changes()} | {"pipe"}
    mark = computer.snapshot()
    assert mark.path.stat().st_size > 0
    computer.run(["rm", "-rf", "pipe", "leak", "endless", "loop", "d"])


def test_endless_output_is_bounded(computer: SandboxComputer) -> None:
    done = computer.perform(RunCode(code="while True: print('x' * 10000)", timeout_sec=2))
    assert done.result
    assert done.result.timed_out
    assert len(done.result.output) < 300_000
    with pytest.raises(ComputerError, match="MiB"):
        computer.run(["sh", "-c", "cat /dev/zero"], timeout_sec=60)


def test_stubborn_code_is_ended(computer: SandboxComputer) -> None:
    code = "import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: time.sleep(1)"
    done = computer.perform(RunCode(code=code, timeout_sec=1))
    assert done.result
    assert done.result.timed_out
    assert python(computer, "1 + 1").strip() == "2"


def test_forged_reports_only_hurt_the_forger(computer: SandboxComputer) -> None:
    python(computer, "import os\nos.write(4, b'garbage\\n')")
    assert "2" in python(computer, "1 + 1") + python(computer, "1 + 1")
