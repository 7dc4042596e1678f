"""Applications are folders: ours and those of other distributions are found, and what is wrong with one is said."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from proctor import applications
from proctor.applications import Applications, first_runs
from proctor.errors import SpecError
from proctor.taxonomy import APPLICATIONS, CATEGORIES
from tests.sources import SOURCE

ADDED = {
    "app.toml": 'category = "Office"\nnoise = [".config/ledger/**"]\n',
    "first_run.toml": 'program = "/usr/bin/ledger"\n\n[files]\n".config/ledger/rc" = "rc"\n',
    "rc": "welcome=no\n",
    "__init__.py": "",
    "setup.py": '''
from proctor.tasks.shelves import SETUP
from proctor.tasks.setup_context import SetupContext

@SETUP.register
def ledger_book(context: SetupContext, path: str, entries: list[str]) -> None:
    """Write a book."""
    context.computer.write_file(path, "\\n".join(entries).encode())
''',
    "probes.py": '''
from typing import Any
from added_apps.super_ledger.reading import entries
from proctor.tasks.reader.client import parsed
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.shelves import PROBES

@PROBES.register
def ledger(context: ProbeContext, path: str) -> dict[str, Any]:
    """The entries of a book."""
    return {"path": path, "entries": parsed(path, entries, context.read(path))}
''',
    "reading.py": """
def entries(data: bytes) -> list[str]:
    return data.decode().splitlines()
""",
    "checks.py": '''
from proctor.tasks.findings import Finding, unless
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS

@CHECKS.register
def ledger_has(of: Seen, entry: str) -> Finding:
    """A book has this entry."""
    return unless([] if entry in of["entries"] else [f"{of['path']} lacks {entry}."])
''',
}
"""An application as another distribution would bring it."""

TRY = """
from proctor.applications import first_runs
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.tasks.examine import examine, looker
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.shelves import expect, make, run, see
from proctor.tasks.setup_context import SetupContext
from proctor.taxonomy import APPLICATIONS

assert APPLICATIONS["super-ledger"].noise == (".config/ledger/**",)
assert "libreoffice-calc" in APPLICATIONS
(mine,) = [each for each in first_runs() if each.program == "/usr/bin/ledger"]
assert mine.files[".config/ledger/rc"].read_text() == "welcome=no\\n"
with FakeComputer() as computer:
    run(make.ledger_book("book", ["tea 2.50"]), SetupContext(computer))
    check = expect.all_of([expect.ledger_has(see.ledger("book"), "tea 2.50")])
    finding = examine(check, looker(ProbeContext(computer), {}))
    assert finding.passed, finding
print("gathered")
"""


def bring(place: Path, files: dict[str, str], *, package: str = "added_apps") -> None:
    """Put a distribution on a path that brings one application."""
    info = place / "added-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: added\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[proctor.apps]\nadded = {package}\n")
    folder = place / "added_apps" / "super_ledger"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("")
    for name, text in files.items():
        (folder / name).write_text(text)


def test_a_folder_of_another_distribution_is_gathered(tmp_path: Path) -> None:
    bring(tmp_path, ADDED)
    paths = os.pathsep.join([str(SOURCE), str(tmp_path)])
    done = subprocess.run(
        [sys.executable, "-c", TRY],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.stdout == "gathered\n", done.stderr


def test_every_application_of_ours_is_classified() -> None:
    assert len(APPLICATIONS) >= 45
    assert {application.category for application in APPLICATIONS.values()} <= set(CATEGORIES)
    assert {application.image for application in APPLICATIONS.values()} == {"starter", "full"}


def test_first_runs_are_answered_by_files_that_are_there() -> None:
    found = first_runs()
    assert {each.program for each in found} >= {"/usr/bin/libreoffice", "/usr/bin/chromium", "/usr/bin/vlc"}
    assert all(file.read_bytes() for each in found for file in each.files.values())


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"app.toml": "category = 3"}, "does not describe an application"),
        ({"app.toml": ""}, "does not describe an application"),
        ({"app.toml": 'category = "Office"\ncolour = "red"'}, "does not describe an application"),
        ({"app.toml": 'category = "Office"\nnoise = "a"'}, "does not describe an application"),
        ({"app.toml": "category ="}, "is not TOML"),
    ],
)
def test_what_is_wrong_with_a_folder_is_said_with_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str], message: str
) -> None:
    bring(tmp_path, files)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SpecError, match=message) as caught:
        dict(Applications())
    assert "super_ledger/app.toml" in caught.value.message


def test_first_run_answers_are_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bring(tmp_path, {"first_run.toml": 'program = "/usr/bin/ledger"'})
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SpecError, match="must say `program`"):
        first_runs()


def test_a_package_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bring(tmp_path, {}, package="no_such_apps.inside")
    monkeypatch.syspath_prepend(tmp_path)
    assert applications.packages() == ["proctor.vocabulary.apps", "no_such_apps.inside"]
    with pytest.raises(SpecError, match="no_such_apps.inside"):
        dict(Applications())
