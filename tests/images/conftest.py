"""A data folder of its own for each test, and images small enough to make by hand."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from proctor.computers import userns
from proctor.computers.images import rootfs, store
from proctor.computers.images.image import covered_files, digest_of
from proctor.computers.images.recipe import Recipe, parse
from proctor.computers.images.store import Image

STATUS = """\
Package: base-files
Status: install ok installed
Architecture: amd64
Version: 12.4
Description: a package
 with a second line

Package: gone
Status: deinstall ok config-files
Architecture: amd64
Version: 1

Package: adduser
Status: install ok installed
Architecture: all
Version: 3.134
"""

MakeImage = Callable[..., Image]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    monkeypatch.setenv("PROCTOR_DATA", str(folder))
    return folder


@pytest.fixture
def make_image(data: Path) -> MakeImage:
    """Puts a tiny image into the store, as a build would."""
    return make_tiny_image


def make_tiny_image(name: str = "tiny") -> Image:
    recipe = parse({"name": name, "files": {"/etc/motd": "welcome\n"}})
    with store.lock_image(name):
        work = store.folder_of(name).with_name(f".building-{name}-{os.getpid()}")
        fill(work / "rootfs")
        return store.publish(work, describe(recipe, work / "rootfs"))


def fill(tree: Path) -> None:
    for folder in ("etc", "var/lib/dpkg", "dev"):
        (tree / folder).mkdir(parents=True)
    (tree / "etc/motd").write_text("welcome\n")
    (tree / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/bash\n")
    (tree / "etc/secret").write_text("only root may read this\n")
    (tree / "etc/secret").chmod(0o600)
    (tree / "var/lib/dpkg/status").write_text(STATUS)
    (tree / "lib").symlink_to("usr/lib")
    assert userns.run(["chown", "-hR", "0:0", str(tree)]).returncode == 0


def describe(recipe: Recipe, tree: Path) -> Image:
    contents = rootfs.inspect(tree, covered_files(recipe))
    return Image(
        name=recipe.name,
        path=store.folder_of(recipe.name),
        digest=digest_of(recipe, contents.packages, contents.files),
        recipe=recipe,
        packages=contents.packages,
        files=contents.files,
        disk_bytes=contents.disk_bytes,
        entries=contents.entries,
        sources=("http://deb.debian.org/debian bookworm",),
        built_at="2025-01-01T00:00:00+00:00",
        proctor_version="0",
    )


AsUser = Callable[[Sequence[str]], subprocess.CompletedProcess[str]]


@pytest.fixture
def as_user(project: Path) -> AsUser:
    """Runs Python with Proctor as an ordinary user: the tests' own, or PROCTOR_TEST_USER when they run as root."""
    user = os.environ.get("PROCTOR_TEST_USER", "")
    prefix = ["runuser", "-u", user, "--"] if os.geteuid() == 0 else []
    packages = next(path for path in sys.path if path.endswith("site-packages"))
    path = f"{project / 'src'}:{packages}"
    # The interpreter of a virtual environment may lie where only root gets.
    candidates = [sys.executable, shutil.which("python3", path="/usr/bin") or "python3"]
    python = next(
        name for name in candidates if subprocess.run([*prefix, name, "-c", ""], capture_output=True).returncode == 0
    )

    def run(arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
        argv = [*prefix, "env", f"PYTHONPATH={path}", "PYTHONDONTWRITEBYTECODE=1", python, *arguments]
        return subprocess.run(argv, capture_output=True, text=True, cwd="/", timeout=100)

    return run
