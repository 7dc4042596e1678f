"""Rights of the user's files: what nobody would expect of them is a side effect, also where a file may change."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.computer import Change
from proctor.suites.core import SUITE
from proctor.tasks.collateral import Collateral, collateral
from proctor.tasks.rights import in_words, is_spoilt, judged_by
from proctor.tasks.shelves import expect, see
from proctor.tasks.task import Task

HOME = "/home/user"
FILE = f"{HOME}/report.sh"


def change(old: int | None, new: int | None, file: str = "file", kind: str = "changed") -> Change:
    made = Change(path=FILE, kind="changed", file="file", size=1, mode=new, old_mode=old)
    return replace(made, kind=kind, file=file)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("old", "new", "spoilt"),
    [
        (0o644, 0o644, False),
        (0o644, 0o600, False),  # many programs save so
        (0o600, 0o644, False),
        (0o664, 0o644, False),
        (0o444, 0o644, False),  # a write protection is lifted to write
        (0o644, 0o000, True),
        (0o644, 0o444, True),
        (0o444, 0o777, True),
        (0o644, 0o666, True),
        (0o644, 0o755, True),
        (0o755, 0o644, True),
        (0o755, 0o755, False),
        (0o644, 0o6777, True),
        (0o755, 0o4755, True),
    ],
)
def test_what_a_changed_mode_takes_away_or_lets_in(old: int, new: int, spoilt: bool) -> None:
    assert is_spoilt(change(old, new)) is spoilt


@pytest.mark.parametrize(
    ("mode", "spoilt"), [(0o644, False), (0o600, False), (0o755, False), (0o000, True), (0o4755, True), (0o666, True)]
)
def test_what_is_new_can_be_read_by_its_owner_and_is_nothing_strange(mode: int, spoilt: bool) -> None:
    assert is_spoilt(change(None, mode, kind="created")) is spoilt


def test_a_folder_stays_as_open_as_it_was() -> None:
    assert is_spoilt(change(0o755, 0o000, file="folder"))
    assert is_spoilt(change(0o755, 0o777, file="folder"))
    assert is_spoilt(change(0o755, 0o700, file="folder")), "somebody else could look into it before"
    assert not is_spoilt(change(0o555, 0o755, file="folder"))


@pytest.mark.parametrize(
    ("check", "old", "new", "spoilt"),
    [
        ("is_executable", 0o644, 0o755, False),
        ("is_executable", 0o644, 0o6777, True),
        ("is_executable", 0o644, 0o777, True),
        ("is_read_only", 0o644, 0o444, False),
        ("is_read_only", 0o644, 0o000, True),
        ("is_writable", 0o444, 0o644, False),
        ("is_writable", 0o444, 0o777, True),
        ("mode_is", 0o644, 0o640, False),
    ],
)
def test_what_a_check_asks_of_the_rights_is_its_business(check: str, old: int, new: int, spoilt: bool) -> None:
    assert is_spoilt(change(old, new), frozenset({check})) is spoilt


@given(st.integers(0, 0o7777))
def test_a_mode_restored_is_no_change(mode: int) -> None:
    assert not is_spoilt(change(mode, mode))
    assert in_words(change(mode, mode)) == ""


def test_where_nobody_can_tell_nothing_is_said() -> None:
    assert not is_spoilt(change(None, None))
    assert in_words(change(None, 0o644, kind="created")) == ""


def test_it_is_said_in_words() -> None:
    effect = Collateral.of(change(0o644, 0o6777), HOME)
    assert effect.to_json() == {
        "path": FILE, "kind": "changed", "severity": "high", "part": "mode 644 -> 6777",
    }  # fmt: skip


def test_the_checks_of_a_task_tell_whose_rights_are_judged() -> None:
    check = expect.all_of([expect.is_executable(see.file("a.sh")), expect.mode_is(see.file("b.sh"), "644")])
    assert judged_by(check, HOME) == {
        f"{HOME}/a.sh": frozenset({"is_executable"}),
        f"{HOME}/b.sh": frozenset({"mode_is"}),
    }


def letter(check: object = None) -> Task:
    task = SUITE.task("sign-the-letter")
    return Task(**{**dict(task), "expected": ("report.sh", "Out/**")})


def effects(mode: int, *, path: str = "report.sh") -> list[dict[str, str]]:
    with FakeComputer() as computer:
        computer.write_file("report.sh", b"echo\n")
        computer.baseline()
        computer.write_file(path, b"echo 1\n", mode=mode)
        return [each.to_json() for each in collateral(letter(), computer)]


def test_a_file_that_may_change_keeps_its_rights() -> None:
    assert effects(0o644) == []
    assert [effect["part"] for effect in effects(0o6777)] == ["mode 644 -> 6777"]
    assert [effect["part"] for effect in effects(0o000)] == ["mode 644 -> 000"]


def test_what_may_be_new_can_be_read() -> None:
    assert effects(0o644, path="Out/a.txt") == []
    assert [effect["part"] for effect in effects(0o000, path="Out/a.txt")] == ["mode 000"]


def test_what_changed_besides_tells_its_rights() -> None:
    with FakeComputer() as computer:
        computer.write_file("poem.txt", b"rose\n")
        computer.baseline()
        computer.write_file("poem.txt", b"rose\n", mode=0o755)
        computer.write_file("Empty/x", b"")
        computer.remove_file("Empty/x")
        told = {Path(each.path).name: each.part for each in collateral(letter(), computer)}
    assert told["poem.txt"] == "mode 644 -> 755"
    assert "Empty" in told, "an empty folder that is left behind counts"


def archive_hidden(*, thrown_away: bool) -> list[str]:
    with FakeComputer() as computer:
        computer.write_file("Backups/old.tar", b"long ago" * 100)
        computer.baseline()
        if thrown_away:
            computer.remove_file("Backups/old.tar")
        computer.write_file(".old.tar.gz", b"\x1f\x8b" + b"packed" * 20)
        task = Task(**{**dict(letter()), "expected": ("Backups/old.tar",)})
        return [each.path for each in collateral(task, computer)]


def test_an_archive_out_of_sight_is_no_trace_where_files_have_vanished() -> None:
    assert archive_hidden(thrown_away=True) == [f"{HOME}/.old.tar.gz"]
    assert archive_hidden(thrown_away=False) == []
