"""Takes from an image of somebody else's what could act on the host it lies on.

Stdlib only, run as a script.

Usage: disarm.py ROOTFS

Files lose the bits by which they would run as their owner or group; device nodes, pipes and sockets go, and so do links
that climb out of the image. Links that begin at the root stay: inside, where they are followed, they lead nowhere else.
"""

import os
import stat
import sys
from pathlib import Path

_IDS = stat.S_ISUID | stat.S_ISGID


def disarm(top: str, depth: int = 0) -> None:
    """Walk a folder, whose place is so many folders below the root."""
    folders = []
    with os.scandir(top) as listing:
        for entry in listing:
            mode = entry.stat(follow_symlinks=False).st_mode
            if stat.S_ISDIR(mode):
                folders.append(entry.path)
            elif stat.S_ISREG(mode):
                if mode & _IDS:
                    Path(entry.path).chmod(stat.S_IMODE(mode) & ~_IDS)
            elif not stat.S_ISLNK(mode) or climbs_out(str(Path(entry.path).readlink()), depth):
                Path(entry.path).unlink()
    for folder in folders:
        disarm(folder, depth + 1)


def climbs_out(target: str, depth: int) -> bool:
    """Tell whether a link, so many folders below the root, leads above it."""
    if target.startswith("/"):
        return False
    for step in target.split("/"):
        depth += -1 if step == ".." else step not in ("", ".")
        if depth < 0:
            return True
    return False


def main() -> None:
    """Enter the root filesystem, so that nothing else can be meant, and go through it."""
    os.chroot(sys.argv[1])
    os.chdir("/")
    disarm("/")


if __name__ == "__main__":
    main()
