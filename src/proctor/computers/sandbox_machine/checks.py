"""What a machine needs so that sandboxes can be started on it.

Each trial runs in a child process with a deadline.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from proctor.computers import containers, userns
from proctor.computers.host_checks import Check, HostFinding, judge, size_text, unless
from proctor.computers.images import folders
from proctor.computers.sandbox_machine import delegation, limits, scratch
from proctor.computers.sandbox_machine.bounds import BOUNDS, bounds
from proctor.errors import HostError

TRIAL_SEC = 15.0
STARTER_BYTES = 2 << 30
"""What building the smallest image takes, with its downloads."""
TMP_BYTES = 512 << 20
SHM_BYTES = 64 << 20
INOTIFY_INSTANCES = 512
INOTIFY_WATCHES = 65536
SET_INSTANCES, SET_WATCHES = 8192, 1_048_576
"""What the remedy sets, which is what docs/scaling.md says for many computers."""
CONTAINER = "in a container, allow it that (docs/containers.md; docker run --privileged allows all), or run on the host"


def _system(name: str) -> HostFinding:
    machine, kernel = platform.machine(), platform.release()
    good = sys.platform == "linux" and machine in ("x86_64", "aarch64")
    return judge(name, good, f"{platform.system()} {kernel} on {machine}", "use Linux on x86_64 or aarch64")


def _mmdebstrap(name: str) -> HostFinding:
    where = shutil.which("mmdebstrap")
    remedy = "as an administrator: apt-get install mmdebstrap"
    return judge(name, bool(where), where or "not installed; no image can be built", remedy, otherwise="warn")


def _uidmap(name: str) -> HostFinding:
    absent = [tool for tool in ("newuidmap", "newgidmap") if shutil.which(tool) is None]
    found = f"not installed: {', '.join(absent)}" if absent else "newuidmap and newgidmap are installed"
    remedy = "as an administrator: apt-get install uidmap"
    return judge(name, not absent, found, remedy, otherwise=unless(userns.is_root()))


def _user(name: str) -> HostFinding:
    return judge(name, True, "root" if userns.is_root() else f"uid {os.geteuid()}, so sandboxes run rootless")


def _subordinate_ids(name: str) -> HostFinding:
    if userns.is_root():
        return judge(name, True, "not needed by root")
    ids = userns.id_mapping()
    return judge(name, True, f"uids from {ids.first_uid}, gids from {ids.first_gid}, {userns.IDS} each")


def _container(name: str) -> HostFinding:
    found = containers.look(root=userns.is_root())
    told = found.kind or "none"
    if found.lacks:
        told += f", which does not allow {', '.join(found.lacks)}"
    if found.hidden:
        told += ", which covers parts of /proc"
    return judge(name, not (found.lacks or found.hidden), told, containers.remedy(found))


# -- what the kernel allows, by trying it -----------------------------------------------------------------------------


def _trial(*argv: str) -> str:
    """Run a command as a sandbox's first process would, and return why it failed.

    Empty when it did not.
    """
    try:
        done = userns.run(argv, timeout_sec=TRIAL_SEC)
    except subprocess.TimeoutExpired:
        return f"no end within {TRIAL_SEC:g} s"
    except FileNotFoundError:
        raise HostError(
            f"{argv[0]} is not installed", remedy="as an administrator: apt-get install util-linux"
        ) from None
    return "" if done.returncode == 0 else done.stderr.decode(errors="replace").strip() or f"status {done.returncode}"


def _in_namespaces(script: str, *, folder: str = "") -> str:
    """Run a shell script in new mount and process namespaces.

    In a folder on disk, or on an empty tmpfs.
    """
    unshare = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c")
    if folder:
        return _trial(*unshare, 'cd "$1" && ' + script, "sh", folder)
    with tempfile.TemporaryDirectory(prefix="proctor-doctor-") as empty:
        # Root of a user namespace must be able to enter the folder although it is not its owner.
        Path(empty).chmod(0o755)
        return _trial(*unshare, 'mount -t tmpfs trial "$1" && cd "$1" && ' + script, "sh", empty)


def _user_namespaces(name: str) -> HostFinding:
    if userns.is_root():
        reason = _trial("unshare", "--user", "true")
        return judge(
            name,
            not reason,
            reason or "allowed (root needs none; browsers inside use them for their own sandbox)",
            "as an administrator: sysctl -w user.max_user_namespaces=15000",
            otherwise="warn",
        )
    reason = _trial("true")
    return judge(name, not reason, reason or "allowed", CONTAINER)


def _namespaces(name: str) -> HostFinding:
    reason = _trial("unshare", "--mount", "--pid", "--ipc", "--uts", "--net", "--fork", "--kill-child", "true")
    return judge(name, not reason, reason or "mount, pid, ipc, uts and net can be made", CONTAINER)


def _process_list(name: str) -> HostFinding:
    reason = _in_namespaces("mkdir p && mount -t proc -o hidepid=2 proc p && test -d p/1")
    return judge(name, not reason, reason or "/proc can be mounted in a new pid namespace", CONTAINER)


def _overlay(name: str) -> HostFinding:
    rootless = not userns.is_root()
    disk = scratch.scratch_folder(rootless=rootless)
    option = ",userxattr" if rootless else ""
    try:
        reason = _in_namespaces(
            "mkdir lower upper work root && echo old > lower/file && "
            f"mount -t overlay trial -o lowerdir=lower,upperdir=upper,workdir=work{option} root && "
            "echo new > root/file && rm root/file && test -e lower/file",
            folder=disk,
        )
    finally:
        if disk:
            # What root of the namespace made there is out of the caller's own reach.
            _trial("rm", "-rf", "--", disk)
    remedy = "as an administrator: modprobe overlay (rootless needs Linux 5.11 or newer); " + CONTAINER
    return judge(name, not reason, reason or f"mounts on {disk or 'tmpfs'}{option and ' with userxattr'}", remedy)


def _tmpfs_attributes(name: str) -> HostFinding:
    script = "import os; os.setxattr('.', b'user.proctor', b'1')"
    reason = _in_namespaces(f'exec "{sys.executable}" -I -S -c "{script}"')
    found = reason.splitlines()[-1] if reason else "user attributes can be set on tmpfs"
    remedy = "use Linux 6.6 or newer; until then the layers of rootless sandboxes are on disk, which is slower"
    return judge(name, not reason, found, remedy, otherwise="warn")


# -- what there is to use ---------------------------------------------------------------------------------------------


def _leftovers(name: str) -> HostFinding:
    found = [*limits.leftovers(), *scratch.leftovers()]
    message = f"of dead sandboxes: {', '.join(map(str, found))}" if found else "none"
    return judge(name, not found, message, "nothing to do: the next sandbox removes them", otherwise="warn")


def _cgroups(name: str) -> HostFinding:
    version = 2 if (limits.ROOT / "cgroup.controllers").exists() else 1
    groups = limits.make(limits.SandboxLimits())
    for folder in groups.folders:
        Path(folder).rmdir()
    good = groups.memory == groups.processes == "cgroup"
    held = f"memory limit: {groups.memory}, process limit: {groups.processes}"
    found = f"version {version}; {held}" if groups.folders else f"none that we may use; {held}"
    remedy = f"for limits that the kernel holds, run as root, or as `{delegation.REMEDY}`"
    return judge(name, good, found, remedy, otherwise="warn")


def _tell_bound(name: str) -> HostFinding:
    found = next(bound for bound in bounds() if f"bound: {bound.name}" == name)
    told = f"held by {found.held_by}" + ("" if found.holds else f": {found.means}")
    return judge(name, found.holds, told, found.remedy, otherwise="warn")


def _shared_memory(name: str) -> HostFinding:
    shm = Path("/dev/shm")
    free = shutil.disk_usage(shm).free if os.access(shm, os.W_OK) else 0
    found = f"{size_text(free)} free in {shm}" if free else f"{shm} cannot be written to"
    remedy = f"as an administrator: mount -o remount,size=1G {shm} (docker run --shm-size=1g)"
    return judge(name, free >= SHM_BYTES, found, remedy, otherwise="warn")


def _free_space(folder: Path, needed: int, remedy: str, name: str) -> HostFinding:
    existing = next(place for place in (folder, *folder.parents) if place.exists())
    free = shutil.disk_usage(existing).free
    writable = existing.is_dir() and os.access(existing, os.W_OK)
    found = f"{size_text(free)} free in {folder}" if writable else f"{existing} cannot be written to"
    return judge(name, writable and free >= needed, found, remedy, otherwise="warn" if writable else "missing")


def _data_folder(name: str) -> HostFinding:
    remedy = f"free {size_text(STARTER_BYTES)} there, or set PROCTOR_DATA to a folder with room"
    return _free_space(folders.data_folder(), STARTER_BYTES, remedy, name)


def _temporary_folder(name: str) -> HostFinding:
    remedy = f"free {size_text(TMP_BYTES)} there, or set TMPDIR to a folder with room"
    return _free_space(Path(tempfile.gettempdir()), TMP_BYTES, remedy, name)


def _inotify(name: str) -> HostFinding:
    folder = Path("/proc/sys/fs/inotify")
    instances = int((folder / "max_user_instances").read_text())
    watches = int((folder / "max_user_watches").read_text())
    good = instances >= INOTIFY_INSTANCES and watches >= INOTIFY_WATCHES
    found = f"{instances} instances, {watches} watches" + ("" if good else "; many desktops at once may run out")
    remedy = (
        f"as an administrator: sysctl -w fs.inotify.max_user_instances={max(instances, SET_INSTANCES)} "
        f"fs.inotify.max_user_watches={max(watches, SET_WATCHES)}"
    )
    return judge(name, good, found, remedy, otherwise="warn")


CHECKS: Mapping[str, Check] = {
    "system": _system,
    "mmdebstrap": _mmdebstrap,
    "uidmap": _uidmap,
    "user": _user,
    "subordinate ids": _subordinate_ids,
    "container": _container,
    "user namespaces": _user_namespaces,
    "namespaces": _namespaces,
    "process list": _process_list,
    "overlay": _overlay,
    "tmpfs attributes": _tmpfs_attributes,
    # Before the groups are tried: that sweeps.
    "leftovers": _leftovers,
    "cgroups": _cgroups,
    **{f"bound: {name}": _tell_bound for name in BOUNDS},
    "shared memory": _shared_memory,
    "data folder": _data_folder,
    "temporary folder": _temporary_folder,
    "inotify": _inotify,
}
"""What is looked at, in the order it is told."""
