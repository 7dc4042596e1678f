"""What a program sees that reads what the agent left: all of it, and can change none of it."""

import syscalls
from syscalls import MS_NODEV, MS_NOSUID, MS_PRIVATE, MS_REC, mount

ROOM = {"/tmp": "256m", "/dev/shm": "64m"}
"""Folders of its own, which go with it."""


def enter() -> None:
    """Give this freshly forked process a read-only view of the files, and no network."""
    syscalls.unshare(syscalls.CLONE_NEWNS | syscalls.CLONE_NEWIPC | syscalls.CLONE_NEWNET)
    mount(None, "/", None, MS_REC | MS_PRIVATE)
    syscalls.make_read_only("/")
    for path, size in ROOM.items():
        mount("own", path, "tmpfs", MS_NOSUID | MS_NODEV, f"size={size},nr_inodes=20000,mode=1777")
