"""What is judged by meaning is seen on real computers: merges, programs, formulas; screens on one in memory."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest

from proctor import open_computer
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.computer import Computer
from proctor.suites.core import SUITE
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import run
from proctor.vocabulary.desktop.checks.files import same_content
from proctor.vocabulary.desktop.probes.files import digest, digest_before
from proctor.vocabulary.desktop.probes.python_code import program_output
from proctor.vocabulary.formats.pictures.checks import picture_of_screen
from proctor.vocabulary.formats.pictures.probes import picture, screen_picture
from proctor.vocabulary.formats.repositories.checks import branch_merged, branch_unmoved
from proctor.vocabulary.formats.repositories.probes import branch_place, merged
from proctor.vocabulary.formats.repositories.setup import Commit, repository
from proctor.vocabulary.formats.spreadsheets.checks import cell_follows
from proctor.vocabulary.formats.spreadsheets.probes import recalculated


@pytest.fixture(scope="module")
def computer() -> Iterator[Computer]:
    with open_computer("sandbox", image="full", clock="2026-03-12T09:30:00") as started:
        repository(
            SetupContext(started),
            "cafe",
            [
                Commit(message="Begin", files={"menu.txt": "Soup\n"}),
                Commit(message="Add pie", files={"menu.txt": "Soup\npie\n"}, branch="spring"),
            ],
            stay_on="main",
        )
        run(SUITE.task("total-the-household-budget").setup[0], SetupContext(started))
        started.baseline()
        yield started


@pytest.mark.turns
@pytest.mark.sandbox("full")
def test_a_branch_is_merged_by_ancestry_not_by_looks(computer: Computer) -> None:
    def git(*words: str) -> None:
        assert computer.run(["git", "-C", "cafe", *words]).code == 0

    assert not branch_merged(merged(ProbeContext(computer), "cafe", "spring")).passed
    git("checkout", "-q", "spring", "--", "menu.txt")
    git("commit", "-q", "-m", "Add pie")
    assert not branch_merged(merged(ProbeContext(computer), "cafe", "spring")).passed
    git("reset", "-q", "--hard", "HEAD~1")
    git("merge", "-q", "spring")
    assert branch_unmoved(branch_place(ProbeContext(computer), "cafe", "spring")).passed
    assert not branch_unmoved(branch_place(ProbeContext(computer), "cafe", "main")).passed
    git("branch", "-q", "-d", "spring")
    assert not branch_unmoved(branch_place(ProbeContext(computer), "cafe", "spring")).passed
    assert branch_merged(merged(ProbeContext(computer), "cafe", "spring")).passed
    with pytest.raises(CannotSee, match="no file"):
        merged(ProbeContext(computer), "cafe", "nobody")
    assert branch_merged(merged(ProbeContext(computer), "cafe", "main")).passed
    # A history that was made anew says the same and is another one.
    git("checkout", "-q", "--orphan", "anew")
    git("commit", "-q", "-m", "Begin")
    assert not branch_merged(merged(ProbeContext(computer), "cafe", "main")).passed


@pytest.mark.turns
@pytest.mark.sandbox("full")
def test_a_file_that_was_moved_is_told_by_what_it_held(computer: Computer) -> None:
    context, path = ProbeContext(computer), SUITE.task("total-the-household-budget").expected[0]
    computer.write_file("moved.ods", computer.read_file(path))
    assert same_content(digest(context, "moved.ods"), digest_before(context, path)).passed
    computer.write_file("moved.ods", bytes(len(computer.read_file(path))))
    assert not same_content(digest(context, "moved.ods"), digest_before(context, path)).passed
    with pytest.raises(CannotSee, match="no file"):
        digest_before(context, "moved.ods")


@pytest.mark.turns
@pytest.mark.sandbox("full")
def test_a_program_is_judged_by_what_it_prints(computer: Computer) -> None:
    computer.write_file("total.py", b"import sys\nprint(sum(float(line.split()[1]) for line in open(sys.argv[1])))\n")
    assert program_output(ProbeContext(computer), "total.py", "a 1.25\nb 2.5\n")["text"] == "3.75\n"
    computer.write_file("total.py", b"")
    assert program_output(ProbeContext(computer), "total.py", "a 1.25\n")["text"] == ""


@pytest.mark.slow
@pytest.mark.turns
@pytest.mark.sandbox("full")
def test_formulas_are_worked_out_with_other_inputs_and_the_file_is_left_alone(computer: Computer) -> None:
    path = SUITE.task("total-the-household-budget").expected[0]
    before = computer.read_file(path)
    seen = recalculated(ProbeContext(computer), path, [{"B2": 1.5}, {"B2": 2.5}])
    assert not cell_follows(seen, "B10", [1, 2]).passed, "nothing is computed there yet"
    assert computer.read_file(path) == before
    assert all(change.path.startswith("/tmp/") for change in computer.changes() if path in change.path)


def test_a_screenshot_is_compared_with_the_screen_as_it_is() -> None:
    with FakeComputer() as computer:
        held = io.BytesIO()
        computer.screenshot(cursor=False).convert("RGB").save(held, "PNG")
        computer.write_file("shot.png", held.getvalue())
        context = ProbeContext(computer)
        seen = screen_picture(context, "shot.png")
        assert (seen["width"], seen["height"]) == computer.screenshot().size
        assert not any("size" in line for line in picture_of_screen(picture(context, "shot.png"), seen).feedback)
        with pytest.raises(CannotSee, match="no window"):
            screen_picture(context, "shot.png", "Recipe")
