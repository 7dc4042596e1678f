"""Which files are changed to try a verdict: what was worked on, what stands beside it, and nothing of programs'."""

from __future__ import annotations

from random import Random

import pytest

from proctor.prove.kept_file import CannotChange, KeptFile
from proctor.prove.targets import MOST_BYSTANDERS, MOST_ELSEWHERE, MOST_IN_A_FOLDER, MOST_WORKED_ON, Target, targets
from proctor.tasks.perform import perform
from proctor.tasks.shelves import hand, make
from proctor.tasks.task import Task
from tests.prove.machines import PATH, AnyFake, shopping
from tests.tasks.prepare import prepare

SOLUTION = (hand.press("ctrl+End"), hand.type("eggs"), hand.press("ctrl+s"))


def found(task: Task, *, after: dict[str, bytes] | None = None, seed: int = 0) -> list[Target]:
    """Return the targets once a task is solved, and files were written after that."""
    with AnyFake() as computer:
        prepare(task, computer)
        perform(task, task.solution, computer)
        for path, data in (after or {}).items():
            computer.write_file(path, data)
        return targets(task, computer, Random(seed))


def beside(*paths: str) -> Task:
    return shopping(setup=(*(make.text_file(path, "x\n") for path in paths), *shopping().setup), solution=SOLUTION)


def test_what_the_solution_worked_on_comes_first() -> None:
    first, *others = found(beside("notes.txt"))
    assert (first.shown, first.worked_on, first.versioned) == (PATH, True, False)
    assert first.path.endswith(f"/{PATH}") and first.path.startswith("/")
    assert [each.shown for each in others] == ["notes.txt"]
    assert not any(each.worked_on for each in others)


@pytest.mark.parametrize("path", [".config/app/settings.txt", ".hidden.txt"])
def test_what_programs_keep_for_themselves_is_left_alone(path: str) -> None:
    assert path not in [each.shown for each in found(beside(path))]


def test_files_in_other_folders_are_bystanders_too() -> None:
    shown = [each.shown for each in found(beside("Documents/a.txt", "Documents/deep/b.txt"))]
    assert shown[0] == PATH
    assert set(shown[1:]) == {"Documents/a.txt", "Documents/deep/b.txt"}


def test_no_more_are_taken_than_can_be_tried() -> None:
    many = beside(*(f"n{number:02}.txt" for number in range(20)), *(f"Music/m{number}.txt" for number in range(9)))
    chosen = found(many)
    near = [each for each in chosen if not each.worked_on and "/" not in each.shown]
    away = [each for each in chosen if "/" in each.shown]
    assert (len(near), len(away)) == (MOST_BYSTANDERS, MOST_ELSEWHERE)
    worked = found(shopping(solution=SOLUTION), after={f"w{number:02}.txt": b"x" for number in range(20)})
    assert sum(each.worked_on for each in worked) == MOST_WORKED_ON
    assert MOST_IN_A_FOLDER > MOST_BYSTANDERS


def test_the_same_draw_chooses_the_same() -> None:
    many = beside(*(f"n{number:02}.txt" for number in range(20)))
    assert found(many, seed=3) == found(many, seed=3)
    assert len({tuple(each.shown for each in found(many, seed=seed)) for seed in range(4)}) > 1


def test_no_file_is_taken_twice() -> None:
    chosen = found(beside("a.txt", "Documents/b.txt"))
    assert len({each.path for each in chosen}) == len(chosen)


def test_files_in_a_repository_are_known_as_such() -> None:
    chosen = found(beside("work/.git/config", "work/main.txt", "plain.txt"))
    assert {each.shown: each.versioned for each in chosen if not each.worked_on} == {
        "work/main.txt": True, "plain.txt": False,
    }  # fmt: skip


def test_a_file_is_changed_and_put_back() -> None:
    with AnyFake() as computer:
        computer.write_file("a.txt", b"before", mode=0o640)
        kept = KeptFile.take(computer, "a.txt")
        kept.change(computer, b"after")
        assert not kept.stands(computer)
        assert computer.read_file("a.txt") == b"after"
        kept.change(computer, None)
        kept.put_back(computer)
        assert kept.stands(computer)
        assert (computer.read_file("a.txt"), computer.file_info("a.txt").mode) == (b"before", 0o640)


def test_what_is_not_there_cannot_be_changed() -> None:
    with AnyFake() as computer, pytest.raises(CannotChange, match="cannot be read"):
        KeptFile.take(computer, "nothing.txt")


@pytest.mark.parametrize("path", ["folder", "folder/"])
def test_a_folder_cannot_be_changed(path: str) -> None:
    with AnyFake() as computer:
        computer.write_file("folder/a.txt", b"x")
        with pytest.raises(CannotChange):
            KeptFile.take(computer, path)


def test_a_file_of_no_bytes_is_kept_and_put_back_too() -> None:
    with AnyFake() as computer:
        computer.write_file("empty.txt", b"")
        kept = KeptFile.take(computer, "empty.txt")
        kept.change(computer, b"something")
        kept.put_back(computer)
        assert computer.read_file("empty.txt") == b""
