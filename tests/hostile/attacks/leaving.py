"""Ways to outlive an episode."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from pathlib import Path

from proctor.attacks.inside import CLONE_NEWPID, LIBC, own_user_namespace


def daemons() -> str:
    """Start programs that detach themselves in every way there is and ignore every signal they can."""
    for _ in range(5):
        if os.fork() == 0:
            os.setsid()
            if os.fork():
                os._exit(0)
            for number in range(1, 65):
                try:
                    signal.signal(number, signal.SIG_IGN)
                except (OSError, ValueError):
                    continue
            os.chdir("/")
            os.closerange(0, 64)
            while True:
                signal.pause()
    return ""


def own_process_namespace() -> str:
    """Hide programs in a process namespace of their own."""
    if os.fork() == 0:
        os.setsid()
        if own_user_namespace(CLONE_NEWPID) and os.fork() == 0:
            for _ in range(10):
                if os.fork() == 0:
                    break
            os.closerange(0, 64)
            while True:
                signal.pause()
        os._exit(0)
    return ""


def restarting_each_other() -> str:
    """Start two programs that start each other again whenever one ends."""
    code = """
import os, signal
def main():
    while True:
        pid = os.fork()
        if pid == 0:
            continue
        try:
            os.waitpid(pid, 0)
        except OSError:
            pass
signal.signal(signal.SIGTERM, signal.SIG_IGN)
pid = os.fork()
while True:
    if pid == 0:
        signal.pause()
    os.waitpid(pid, 0)
    pid = os.fork()
"""
    subprocess.Popen([sys.executable, "-c", code], start_new_session=True, stdin=subprocess.DEVNULL,
                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    return ""


def timers_and_segments() -> str:
    """Leave shared segments, semaphores, message queues and timers that belong to nobody."""
    for key in range(1, 60):
        LIBC.shmget(key, 4096, 0o1600)
        LIBC.semget(key, 10, 0o1600)
        LIBC.msgget(key, 0o1600)
    queue = {"x86_64": 240, "aarch64": 180}[os.uname().machine]
    for number in range(20):
        LIBC.syscall(ctypes.c_long(queue), f"left-{number}".encode(), 0o102, 0o600, None)
    return ""


def swallowed_death() -> str:
    """Leave a process that hangs while it is being killed, in a trace of one that hangs itself."""
    tracer = os.fork()
    if tracer == 0:
        os.setsid()
        victim = os.fork()
        if victim == 0:
            LIBC.ptrace(0, 0, 0, 0)
            os.kill(os.getpid(), signal.SIGSTOP)
            while True:
                signal.pause()
        LIBC.ptrace(0x4206, victim, 0, 0x100000 | 0x40)  # EXITKILL, TRACEEXIT
        while True:
            signal.pause()
    return ""


def mapped_files() -> str:
    """Keep files of the sandbox's disk open and mapped from many programs, so that it cannot be unmounted."""
    import mmap

    for number in range(30):
        if os.fork() == 0:
            os.setsid()
            fd = os.open(os.path.expanduser(f"~/mapped-{number}"), os.O_RDWR | os.O_CREAT)
            os.ftruncate(fd, 1 << 20)
            part = mmap.mmap(fd, 1 << 20)
            part[0] = 1
            os.closerange(0, 3)
            while True:
                signal.pause()
    return ""


def dotfiles_that_act_later() -> str:
    """Leave what shells, sessions, menus and tools run or read another time."""
    home = Path.home()
    for name in (
        ".bash_aliases", ".profile", ".xprofile", ".inputrc", ".config/autostart/a.desktop", ".local/bin/ls",
        ".config/systemd/user/a.service", ".local/share/applications/a.desktop", ".local/share/dbus-1/a.service",
        ".config/environment.d/a.conf", ".gitconfig", ".ssh/config", ".vimrc", ".local/share/thumbnailers/a",
    ):  # fmt: skip
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "a") as file:
            file.write("touch /tmp/acted\n")
    return ""
