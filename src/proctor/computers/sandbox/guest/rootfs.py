"""Build the sandbox's own root: an overlay over the image, private devices and process list, then pivot into it."""

import fcntl
import os
import socket
import struct
from typing import Any, NamedTuple

import syscalls
from syscalls import MS_BIND, MS_NODEV, MS_NOEXEC, MS_NOSUID, MS_PRIVATE, MS_REC, mount

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
)


class Layers(NamedTuple):
    """Open folders of the overlay, usable after the pivot made their paths unreachable."""

    upper: int
    lower: int


def build(config: "dict[str, Any]") -> Layers:
    """Enter a root of our own made from `config`; afterwards nothing of the host is visible."""
    mount(None, "/", None, MS_REC | MS_PRIVATE)
    os.chdir(config["image"])  # it may lie below what is covered next
    base = "/tmp"  # any folder serves: what is mounted on it is seen in this namespace only
    if config["scratch"]:
        mount(config["scratch"], base, None, MS_BIND)
    else:
        size = f"size={config['disk_bytes']},nr_inodes={config['disk_files']},mode=755"
        mount("sandbox", base, "tmpfs", MS_NOSUID | MS_NODEV, size)
    for name in ("lower", "upper", "work", "root"):
        os.makedirs(f"{base}/{name}", exist_ok=True)
        os.chmod(f"{base}/{name}", 0o755)
    mount(".", f"{base}/lower", None, MS_BIND | MS_REC)
    os.chdir(base)
    # Relative names keep the host's paths out of what /proc/mounts tells inside.
    options = "lowerdir=lower,upperdir=upper,workdir=work"
    options += ",userxattr" if config["rootless"] else ",redirect_dir=off,metacopy=off"
    mount("desktop", "root", "overlay", MS_NOSUID | MS_NODEV, options)
    layers = Layers(os.open("upper", os.O_RDONLY | os.O_DIRECTORY), os.open("lower", os.O_RDONLY | os.O_DIRECTORY))
    _devices(config)
    _runtime_folders(config)
    os.makedirs("root/.old", exist_ok=True)
    os.chdir("root")
    syscalls.pivot_root(".", ".old")
    os.chdir("/")
    _process_list()
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
    mount("shm", "root/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, f"size={config['shm_bytes']},mode=1777")
    mount("devpts", "root/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620")
    os.symlink("pts/ptmx", "root/dev/ptmx")


def _runtime_folders(config: "dict[str, Any]") -> None:
    # Sockets and locks live outside the overlay: they are neither the agent's changes nor part of a snapshot.
    mount("run", "root/run", "tmpfs", MS_NOSUID | MS_NODEV, "size=64m,mode=755")
    os.makedirs("root/tmp/.X11-unix", exist_ok=True)
    mount("x11", "root/tmp/.X11-unix", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "size=64k,mode=1777")
    os.chmod("root/tmp", 0o1777)
    for path, uid, mode in config["folders"]:
        os.makedirs(f"root{path}", exist_ok=True)
        os.chown(f"root{path}", uid, uid)
        os.chmod(f"root{path}", mode)


def _process_list() -> None:
    # hidepid: the agent's user sees its own processes only, not the harness's. Root inside sees all; without being
    # named, its group would be the host's, and a rootless sandbox's root would see as little as the agent.
    mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, "hidepid=2,gid=0")
    for name in MASKED:
        if os.path.exists(f"/proc/{name}"):
            mount("/dev/null", f"/proc/{name}", None, MS_BIND)


def loopback_up() -> None:
    """Bring up the loopback interface of this network namespace."""
    get_flags, set_flags, up = 0x8913, 0x8914, 0x1
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        request = bytearray(struct.pack("16sH22x", b"lo", 0))
        fcntl.ioctl(probe, get_flags, request)
        (flags,) = struct.unpack_from("H", request, 16)
        fcntl.ioctl(probe, set_flags, struct.pack("16sH22x", b"lo", flags | up))
