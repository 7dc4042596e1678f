"""Containers: what one must be allowed is told before a sandbox fails in it; in Podman, where it runs, one starts."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from proctor.computers.containers import Container, look, remedy

EVERYTHING = 0x1FFFFFFFFFF
PODMAN = 0x800405FB
"""What Podman 4.3 allows by default."""
SANDBOX = """
from proctor import open_computer
with open_computer("sandbox", look="light") as computer:
    print(computer.run(["id", "-un"]).stdout.strip(), *computer.screenshot().size)
"""


def around(place: Path, *, allowed: int, mark: str = "run/.containerenv", mounts: str = "") -> Path:
    for name, text in {
        "proc/self/status": f"CapBnd:\t{allowed:016x}\n",
        "proc/self/mountinfo": mounts,
        mark: "",
    }.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    return place


def test_no_container_lacks_nothing(tmp_path: Path) -> None:
    assert look(root=True, place=tmp_path, env={}) == Container()
    assert remedy(Container()) == ""


def test_what_a_container_does_not_allow_is_named_with_the_flags(tmp_path: Path) -> None:
    found = look(root=True, place=around(tmp_path, allowed=PODMAN), env={})
    assert found == Container(kind="podman", lacks=("SYS_ADMIN", "SYS_PTRACE", "IPC_OWNER"))
    assert "--cap-add SYS_ADMIN --cap-add SYS_PTRACE --cap-add IPC_OWNER" in remedy(found)


def test_one_that_allows_all_is_fine(tmp_path: Path) -> None:
    found = look(root=True, place=around(tmp_path, allowed=EVERYTHING, mark=".dockerenv"), env={})
    assert found == Container(kind="docker")


@pytest.mark.parametrize(
    ("mark", "flag"), [("run/.containerenv", "unmask=ALL"), (".dockerenv", "systempaths=unconfined")]
)
def test_an_ordinary_user_needs_an_uncovered_proc(tmp_path: Path, mark: str, flag: str) -> None:
    covered = "22 21 0:5 / /proc/acpi ro - tmpfs tmpfs ro\n"
    place = around(tmp_path, allowed=EVERYTHING, mark=mark, mounts=covered)
    assert not look(root=True, place=place, env={}).hidden
    assert flag in remedy(look(root=False, place=place, env={}))


def test_a_pod_is_told_in_its_own_words(tmp_path: Path) -> None:
    found = look(root=True, place=around(tmp_path, allowed=PODMAN), env={"KUBERNETES_SERVICE_HOST": "10.0.0.1"})
    assert found.kind == "kubernetes"
    assert "capabilities.add: [SYS_ADMIN, SYS_PTRACE, IPC_OWNER]" in remedy(found)


# -- in Podman itself: the host's own files are the container's, so nothing has to be built ---------------------------

ALONE = 'umount -R /sys/fs/cgroup 2>/dev/null; mount -t cgroup2 none /sys/fs/cgroup && exec "$@"'
"""Podman's runtime refuses hosts that have cgroups of both versions; in a mount namespace of its own it sees one."""


def podman(folder: Path, *words: str, allowed: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    argv = [
        "podman", "--root", f"{folder}/store", "--runroot", f"{folder}/run", "--storage-driver", "vfs", "run", "--rm",
        "--network", "none", "--cgroups", "disabled", "--ulimit", "nofile=2048:2048", "--ulimit", "nproc=2048:2048",
        "--workdir", "/", *(word for name in allowed for word in ("--cap-add", name)), "--rootfs", "/:O", *words,
    ]  # fmt: skip
    apart = ["unshare", "--mount", "sh", "-c", ALONE, "sh", *argv]
    return subprocess.run(apart, capture_output=True, text=True, timeout=120, check=False)


@contextmanager
def short_folder() -> Iterator[Path]:
    """Yield a folder whose name leaves room for those of Podman's sockets, and let go of what Podman mounts there."""
    with tempfile.TemporaryDirectory(prefix="pod-") as name:
        yield Path(name)
        for line in Path("/proc/self/mountinfo").read_text().splitlines():
            if (place := line.split()[4]).startswith(name):
                subprocess.run(["umount", "-l", place], check=False)


@cache
def why_not() -> str:
    """Return why no container can be started here; empty when one can."""
    if shutil.which("podman") is None:
        return "podman is not installed"
    with short_folder() as folder:
        tried = podman(folder, "true")
    return "" if tried.returncode == 0 else f"podman starts no container here: {tried.stderr.strip()[-200:]}"


@pytest.fixture
def folder() -> Iterator[Path]:
    if reason := why_not():
        pytest.skip(reason)
    with short_folder() as folder:
        yield folder


@pytest.mark.sandbox
def test_the_doctor_in_podman_names_the_flags_that_are_missing(folder: Path) -> None:
    done = podman(folder, sys.executable, "-m", "proctor", "doctor", "--json")
    found = {finding["name"]: finding for finding in json.loads(done.stdout)["findings"]}
    assert found["container"]["status"] == "missing"
    assert "--cap-add SYS_PTRACE" in found["container"]["remedy"]
    assert done.returncode == 1


@pytest.mark.sandbox
def test_a_sandbox_starts_in_podman_with_what_the_docs_say(folder: Path) -> None:
    done = podman(folder, sys.executable, "-c", SANDBOX, allowed=("SYS_ADMIN", "SYS_PTRACE", "IPC_OWNER"))
    assert done.stdout.split() == ["user", "1920", "1080"], done.stderr
