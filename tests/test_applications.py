"""Applications are folders: ours and those of other distributions are found, and what is wrong with one is said."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from proctor import applications
from proctor.applications import Applications, first_runs
from proctor.errors import SpecError
from proctor.tasks.shelves.stubs import MODULES
from proctor.taxonomy import APPLICATIONS, CATEGORIES
from tests.sources import ROOT, SOURCE

EXAMPLE = ROOT / "examples" / "applications"

TRY = """
import sys
from pathlib import Path
from proctor.applications import first_runs
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.tasks.examine import examine, looker
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.move_context import MoveContext
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import expect, hand, make, run, see
from proctor.tasks.shelves.stubs import write_installed
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
    run(hand.book_entry("tea 2.50"), MoveContext(computer, str))
    assert [each.action.kind for each in computer.history] == ["type", "press"]
write_installed(Path(sys.argv[1]))
print("gathered")
"""


def bring(place: Path, files: dict[str, str], *, package: str = "added_apps") -> None:
    """Put a distribution on a path that brings one application."""
    name_in_metadata(place, package)
    folder = place / "added_apps" / "super_ledger"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("")
    for name, text in files.items():
        (folder / name).write_text(text)


def name_in_metadata(place: Path, package: str) -> None:
    """Write what an installer would of a distribution with applications."""
    info = place / "added-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: added\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[proctor.apps]\nadded = {package}\n")


@pytest.fixture
def installed(tmp_path: Path) -> dict[str, str]:
    """An environment in which the example is installed as its `pyproject.toml` says."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    name_in_metadata(tmp_path, project["entry-points"]["proctor.apps"]["ledger"])
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (SOURCE, EXAMPLE, tmp_path)))}


def test_the_example_is_on_the_shelves_in_the_cage_and_in_the_stubs(installed: dict[str, str], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", TRY, tmp_path], env=installed, capture_output=True, text=True, timeout=300
    )
    assert done.stdout == "gathered\n", done.stderr
    stubs = tmp_path / "proctor-stubs"
    assert (stubs / "py.typed").read_text() == "partial\n"
    written = {name: (stubs / "tasks" / "shelves" / f"{name}.pyi").read_text() for name in MODULES}
    assert "def ledger_book(\n    path: str,\n    entries: Sequence[str],\n) -> Call:" in written["make"]
    assert "def ledger(" in written["see"] and "def ledger_has(" in written["expect"]
    assert "def book_entry(" in written["hand"] and "def click(" in written["hand"]


def test_the_task_of_the_example_has_nothing_that_lint_would_remark(installed: dict[str, str]) -> None:
    lint = [sys.executable, "-m", "proctor", "tasks", "lint", str(EXAMPLE / "tasks")]
    done = subprocess.run(lint, env=installed, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout) == (0, "no problems found\n"), done.stderr


def test_the_page_about_applications_tells_the_truth(project: Path) -> None:
    page = (project / "docs" / "applications.md").read_text()
    snippets = re.findall(r"```(?:python|toml)\n# (examples/\S+)\n(.*?)```", page, re.DOTALL)
    assert len(snippets) >= 3
    for name, snippet in snippets:
        assert snippet in (project / name).read_text(), name
    for name in re.findall(r"`((?:src|tests|examples)/[^`*A-Z]+)`", page):
        assert (project / name).exists(), name


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
