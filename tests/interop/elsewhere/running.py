"""Starting tests in an environment of its own, where another house's package is, and reading what they record."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from proctor.records import Result
from proctor.store.run import RunRecord
from proctor.store.verify import verify

PROJECT = Path(__file__).resolve().parents[3]


def python_of(house: str) -> Path:
    """Return the Python that has a package, whether it is there or not."""
    named = os.environ.get(f"PROCTOR_{house.upper()}_PYTHON")
    return Path(named or PROJECT / f".venv-{house}" / "bin" / "python")


def needs(house: str, package: str) -> pytest.MarkDecorator:
    """Skip tests where the package is not installed apart, and say how it would be."""
    variable = f"PROCTOR_{house.upper()}_PYTHON"
    why = f"{package} is not installed apart: make venv-{house}, or name a Python that has it in {variable}"
    return pytest.mark.skipif(not python_of(house).exists(), reason=why)


def run_there(house: str, file: str) -> None:
    """Run a file of tests with the other Python; what fails there fails here, with all that was said."""
    command = [str(python_of(house)), "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "default"]
    command += ["-o", "addopts=--import-mode=importlib", "--timeout=700", f"tests/interop/elsewhere/{file}"]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


def only_result(run: Path) -> Result:
    """Return what came of the one exam of a run, which is sealed and as it was written."""
    assert verify(run) == []
    record = RunRecord.open(run)
    (result,) = record.results()
    assert record.sealed
    return result
