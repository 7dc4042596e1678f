"""The empty package that stands for what a recipe leaves out although other packages depend on it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

_NAME = "proctor-without"


def control(names: Sequence[str]) -> str:
    """Return the package's control file: it provides the names in a version that satisfies everyone."""
    provides = ", ".join(f"{name} (= 9999)" for name in names)
    return (
        f"Package: {_NAME}\nVersion: 1\nArchitecture: all\nMaintainer: Proctor\nProvides: {provides}\n"
        "Description: stands for packages that this image leaves out\n"
    )


def make_package(names: Sequence[str], folder: Path) -> Path:
    """Make the package file in a folder and return its path."""
    tree = folder / "without"
    (tree / "DEBIAN").mkdir(parents=True)
    (tree / "DEBIAN").chmod(0o755)
    (tree / "DEBIAN" / "control").write_text(control(names))
    package = folder / "without.deb"
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "--build", str(tree), str(package)], check=True, capture_output=True
    )
    shutil.rmtree(tree)
    return package
