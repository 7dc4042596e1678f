"""Ways to what only the harness should know, tried by code that may look everywhere."""

from __future__ import annotations

import glob
import os
import re
import stat

from proctor.attacks.inside import GIVEN, goes_through

LOOKED_AT_BYTES = 1 << 20
CANARY = rb"canary-[0-9a-f]{24}"


def search_everything() -> str:
    """Search environments, arguments, memory, temporary files and settings for the harness's secrets."""
    wanted = re.compile(CANARY)
    got = []
    places = ["/proc/[0-9]*/environ", "/proc/[0-9]*/cmdline", "/proc/[0-9]*/maps", "/proc/cmdline", "/proc/keys",
              "/proc/self/mountinfo", "/proc/net/unix", "/run/**", "/tmp/**", "/dev/shm/**", "/root/**", "/home/**",
              "/var/tmp/**", "/etc/**", "/mnt/**", "/proc/[0-9]*/fd/*", "/proc/[0-9]*/root/tmp/*"]  # fmt: skip
    for place in places:
        for path in glob.iglob(place, recursive=True):
            try:
                fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
            except OSError:
                continue
            try:
                if stat.S_ISREG(os.fstat(fd).st_mode) and wanted.search(os.read(fd, LOOKED_AT_BYTES)):
                    got.append(path)
            except OSError:
                continue
            finally:
                os.close(fd)
    if any(wanted.search(f"{name}={value}".encode()) for name, value in os.environ.items()):
        got.append("the environment")
    return ", ".join(got[:5])


def own_memory() -> str:
    """Search the memory of the agent's own interpreter, which process 1 forked, for what its parent knew."""
    wanted = re.compile(CANARY + rb"|proctor/computers/sandbox_machine")
    got = set()
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", buffering=0) as memory:
        for line in maps:
            place, mode, *rest = line.split()
            if not mode.startswith("rw") or (rest[-1:] and rest[-1].startswith("[v")):
                continue
            first, last = (int(edge, 16) for edge in place.split("-"))
            try:
                memory.seek(first)
                part = memory.read(min(last - first, 64 << 20))
            except (OSError, ValueError, OverflowError):
                continue
            got |= {found.decode() for found in wanted.findall(part)}
    # This very program holds the pattern, never a whole canary.
    return ", ".join(sorted(got - {"proctor/computers/sandbox_machine"}))


def leaked_descriptors() -> str:
    """Look for descriptors of the harness that programs inside inherited."""
    got = []
    for link in glob.glob("/proc/[0-9]*/fd/*"):
        try:
            target, info = os.readlink(link), os.stat(link)
        except OSError:
            continue
        if stat.S_ISDIR(info.st_mode) and not os.path.isdir(target):
            got.append(f"{link}: a folder that has no path here")
        elif stat.S_ISREG(info.st_mode) and target.startswith("/") and not _ours(target, info):
            got.append(f"{link}: {target}")
    return ", ".join(got[:5])


def _ours(target: str, info: os.stat_result) -> bool:
    """Tell whether an open file is one that can be seen here, or was before it was removed."""
    if target.endswith(" (deleted)") or target.startswith(("/memfd:", "/dmabuf:", "/SYSV")):
        return True
    try:
        here = os.stat(target)
    except OSError:
        # Folders that only root inside may enter, such as those of logs.
        return os.path.isdir(os.path.dirname(os.path.dirname(target)))
    return (here.st_dev, here.st_ino) == (info.st_dev, info.st_ino) or here.st_dev != info.st_dev


def process_1() -> str:
    """Read what /proc tells of process 1 and of the display: environment, arguments, memory, files, root."""
    got = []
    for pid in (1, *GIVEN.get("others", ())):
        files = ("environ", "cmdline", "maps", "mem", "status", "stack", "mountinfo", "syscall", "auxv")
        got += [path for path in (f"/proc/{pid}/{name}" for name in files) if goes_through(_read, path, 16)]
        folders = ("root", "cwd", "fd", "map_files")
        got += [path for path in (f"/proc/{pid}/{name}" for name in folders) if goes_through(os.listdir, path)]
    return ", ".join(got)


def _read(path: str, most: int) -> bytes:
    with open(path, "rb") as file:
        return file.read(most)


def files_of_the_host() -> str:
    """Open files by the paths they have on the host."""
    tops = ("", "/proc/self/root", "/proc/1/root", "/proc/self/cwd/../../../../../..")
    tries = (top + path for path in GIVEN.get("paths", ()) for top in tops)
    return ", ".join(path for path in tries if goes_through(_read, path, 1))


def names_of_the_host() -> str:
    """Learn names of the host: paths in mounts, groups that name the harness's process."""
    got = []
    with open("/proc/self/cgroup") as file:
        got += [line.strip() for line in file if line.strip().rpartition(":")[2] not in ("/", "")]
    words = tuple(GIVEN.get("words", ()))
    for name in ("mountinfo", "mounts", "mountstats"):
        try:
            with open(f"/proc/self/{name}") as file:
                got += [line.strip() for line in file if any(word in line for word in words)]
        except OSError:
            continue
    return "; ".join(got[:4])


def kernel_log() -> str:
    """Read the kernel's log and addresses, which tell of the whole machine."""
    got = []
    for path in ("/proc/kmsg", "/dev/kmsg", "/proc/kcore", "/proc/kallsyms", "/proc/timer_list", "/proc/sched_debug",
                 "/proc/vmallocinfo", "/proc/slabinfo", "/proc/pagetypeinfo", "/proc/iomem"):  # fmt: skip
        try:
            text = _read(path, 4096)
        except OSError:
            continue
        if text and not (path == "/proc/kallsyms" and b"0000000000000000" in text) and path != "/proc/iomem":
            got.append(path)
    return ", ".join(got)
