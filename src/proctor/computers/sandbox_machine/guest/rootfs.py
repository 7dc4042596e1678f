"""Build the sandbox's own root: an overlay over the image, private devices and process list, then pivot into it."""

import fcntl
import os
import socket
import struct
from typing import Any, NamedTuple

import syscalls
from syscalls import MS_BIND, MS_NODEV, MS_NOEXEC, MS_NOSUID, MS_PRIVATE, MS_RDONLY, MS_REC, MS_REMOUNT, mount

BASE = "/tmp"  # any folder serves: what is mounted on it is seen in this namespace only
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
# Things in /proc that no desktop program needs and that tell of, or reach, the machine as a whole.
MASKED = (
    "kcore",
    "keys",
    "key-users",
    "timer_list",
    "sched_debug",
    "latency_stats",
    "sysrq-trigger",
    "kmsg",
    "kallsyms",
    "kpagecount",
    "kpageflags",
    "kpagecgroup",
    "vmallocinfo",
    "interrupts",
)
HIDDEN = ("acpi", "asound", "scsi", "driver")
READ_ONLY = ("bus", "fs", "irq", "sys", "sysvipc", "tty")
# What the kernel counts for each user in each user namespace, and would share out among all sandboxes otherwise. Much
# of what a namespace takes (217 KB for a network) is charged to nobody; browsers make one for each of their processes.
COUNTED = {
    "max_inotify_instances": 64,
    "max_inotify_watches": 65536,
    "max_fanotify_groups": 0,
    "max_mnt_namespaces": 16,  # for programs that read with a view of their own; the filter lets nobody else make one
    "max_time_namespaces": 0,
    "max_user_namespaces": 256,
    "max_net_namespaces": 128,
    "max_pid_namespaces": 128,
    "max_ipc_namespaces": 128,
    "max_uts_namespaces": 128,
}


class Layers(NamedTuple):
    """Open folders of the overlay, usable after the pivot made their paths unreachable."""

    upper: int
    lower: int
    merged: int


def lay(config: "dict[str, Any]", namespace: "int | None" = None) -> None:
    """Lay the overlay over the image at BASE/root, in a mount namespace of the caller's own.

    With a user namespace given, everything is made for its ids: the image's files are seen there as those of its own
    root and users, whatever ids they have on this host.
    """
    mount(None, "/", None, MS_REC | MS_PRIVATE)
    os.chdir(config["image"])  # it may lie below what is covered next
    image = os.open(".", os.O_PATH | os.O_DIRECTORY)
    if config["scratch"]:
        mount(config["scratch"], BASE, None, MS_BIND)
    else:
        size = f"size={config['disk_bytes']},nr_inodes={config['disk_files']},mode=755"
        mount("sandbox", BASE, "tmpfs", MS_NOSUID | MS_NODEV, size)
    os.chdir(BASE)
    for name in ("lower", "upper", "work", "root"):
        os.makedirs(name, exist_ok=True)
        os.chmod(name, 0o755)
    # Relative names keep the host's paths out of what /proc/mounts tells inside.
    # With `xino` all files are of one device, or programs that move a file copy it to what looks like another disk.
    options = "lowerdir=lower,upperdir=upper,workdir=work,xino=on"
    if namespace is None:
        mount(f"/proc/self/fd/{image}", "lower", None, MS_BIND | MS_REC)
    else:
        syscalls.mount_shifted(f"/proc/self/fd/{image}", f"{BASE}/lower", namespace)
        for name in ("upper", "root"):
            os.chown(name, config["first_id"], config["first_id"])
    options += ",userxattr" if config["rootless"] else ",redirect_dir=off,metacopy=off"
    mount("desktop", "root", "overlay", MS_NOSUID | MS_NODEV, options)
    os.close(image)


def enter(config: "dict[str, Any]", *, limited: bool) -> Layers:
    """Enter the root that was laid; afterwards nothing of the host is visible.

    Where the namespaces are our own, `limited` says so, the kernel is told how much of it this sandbox may use.
    """
    os.chdir(BASE)
    # What was mounted before this mount namespace was made is fixed in it; a copy of it is not.
    mount("root", "root", None, MS_BIND | MS_REC)
    layers = Layers(*(os.open(name, os.O_RDONLY | os.O_DIRECTORY) for name in ("upper", "lower", "root")))
    _devices(config)
    _runtime_folders(config)
    os.makedirs("root/.old", exist_ok=True)
    os.chdir("root")
    syscalls.pivot_root(".", ".old")
    os.chdir("/")
    _process_list(limited=limited)
    syscalls.unmount("/.old", syscalls.MNT_DETACH)
    os.rmdir("/.old")
    return layers


def _devices(config: "dict[str, Any]") -> None:
    mount("dev", "root/dev", "tmpfs", MS_NOSUID | MS_NOEXEC, "size=64k,nr_inodes=256,mode=755")
    for name in DEVICES:
        with open(f"root/dev/{name}", "w"):
            mount(f"/dev/{name}", f"root/dev/{name}", None, MS_BIND)
    for name, target in {"fd": "/proc/self/fd", "stdin": "fd/0", "stdout": "fd/1", "stderr": "fd/2"}.items():
        os.symlink(target, f"root/dev/{name}")
    for name in ("shm", "pts"):
        os.mkdir(f"root/dev/{name}")
    size = f"size={config['shm_bytes']},nr_inodes={config['runtime_files']},mode=1777"
    mount("shm", "root/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, size)
    mount("devpts", "root/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620,max=128")
    os.symlink("pts/ptmx", "root/dev/ptmx")


def _runtime_folders(config: "dict[str, Any]") -> None:
    # Sockets and locks live outside the overlay: they are neither the agent's changes nor part of a snapshot.
    files = config["runtime_files"]
    mount("run", "root/run", "tmpfs", MS_NOSUID | MS_NODEV, f"size=16m,nr_inodes={files},mode=755")
    os.makedirs("root/tmp/.X11-unix", exist_ok=True)
    mount("x11", "root/tmp/.X11-unix", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "size=64k,nr_inodes=64,mode=1777")
    os.chmod("root/tmp", 0o1777)
    for path, uid, mode in config["folders"]:
        os.makedirs(f"root{path}", exist_ok=True)
        if path in config["mounts"]:
            # Whoever fills one of these fills nobody else's.
            size = f"size={config['mounts'][path]},nr_inodes={files}"
            mount("run", f"root{path}", "tmpfs", MS_NOSUID | MS_NODEV, size)
        os.chown(f"root{path}", uid, uid)
        os.chmod(f"root{path}", mode)


def _process_list(*, limited: bool) -> None:
    # hidepid: the agent's user sees its own processes only, not the harness's. Root inside sees all; without being
    # named, its group would be the host's, and a rootless sandbox's root would see as little as the agent.
    mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, "hidepid=2,gid=0")
    if limited:
        _count()
    for name in MASKED:
        if os.path.exists(f"/proc/{name}"):
            mount("/dev/null", f"/proc/{name}", None, MS_BIND)
    for name in HIDDEN:
        if os.path.isdir(f"/proc/{name}"):
            options = MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY
            mount("hidden", f"/proc/{name}", "tmpfs", options, "size=4k,nr_inodes=2,mode=555")
    for name in READ_ONLY:
        path = f"/proc/{name}"
        if os.path.isdir(path):
            mount(path, path, None, MS_BIND | MS_REC)
            mount(None, path, None, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC)


def _count() -> None:
    for name, most in COUNTED.items():
        path = f"/proc/sys/user/{name}"
        if os.path.exists(path):
            with open(path, "w") as setting:
                setting.write(str(most))


def loopback_up() -> None:
    """Bring up the loopback interface of this network namespace."""
    get_flags, set_flags, up = 0x8913, 0x8914, 0x1
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        request = bytearray(struct.pack("16sH22x", b"lo", 0))
        fcntl.ioctl(probe, get_flags, request)
        (flags,) = struct.unpack_from("H", request, 16)
        fcntl.ioctl(probe, set_flags, struct.pack("16sH22x", b"lo", flags | up))
