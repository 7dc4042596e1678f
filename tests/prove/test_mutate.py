"""Verdicts tried by changing the end state: what survives, what is rejected, putting back, and what can go wrong."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from proctor.computers.backends.fake.files import StoredFile
from proctor.prove.kept_file import MOST_BYTES, CannotChange, KeptFile, NotPutBack
from proctor.prove.mutate import mutate
from proctor.prove.mutate_surroundings import TRACES
from proctor.prove.mutation import Found, Mutation, MutationTally
from proctor.prove.page import page
from proctor.prove.proof import Proof, mutation_words, summary
from proctor.prove.schedule import Sitting, prove, prove_sitting
from proctor.prove.transforms import shelf
from proctor.prove.trial import Outcome, Trial, trials
from proctor.tasks.findings import Finding
from proctor.tasks.perform import perform
from proctor.tasks.prepare import conclude
from proctor.tasks.shelves import CHECKS, expect, hand, make, see
from proctor.tasks.task import Admission, Task, Way
from tests.prove.machines import BACKEND, PATH, AnyFake, shopping
from tests.tasks.prepare import prepare

ADD = (hand.press("ctrl+End"), hand.type("eggs"), hand.press("ctrl+s"))
SLOPPY = expect.text_has(see.text(PATH), ["eggs"])
"""A check that overlooks everything else in the file."""


def tried(task: Task, computer: AnyFake) -> Mutation:
    """Return what changing the end state of a task's solution brings to light."""
    prepare(task, computer)
    ending = perform(task, task.solution, computer)
    conclude(task, computer)
    return mutate(task, computer, ending, {})


@contextmanager
def registered(check: Any) -> Iterator[None]:
    """Put a check on the shelf for the time of a test."""
    check.__annotations__["of"] = CHECKS.get("text_is").hints["of"]
    CHECKS.register(check)
    try:
        yield
    finally:
        del CHECKS._tools[check.__name__]


def labels(mutation: Mutation, kind: str) -> set[str]:
    return {found.label for found in mutation.found if found.kind == kind}


def test_a_good_check_catches_every_mutant_and_keeps_every_variant() -> None:
    with AnyFake() as computer:
        found = tried(shopping(), computer)
    assert found.found == () and found.untried == ()
    assert found.mutants >= 10 and found.variants >= 4


def test_what_a_sloppy_check_overlooks_survives() -> None:
    with AnyFake() as computer:
        found = tried(shopping(check=SLOPPY), computer)
    assert f"{PATH}: its first line dropped" in labels(found, "survived")
    assert f"{PATH}: emptied" not in labels(found, "survived")


def test_a_variant_that_a_pedantic_check_rejects_is_told_with_its_feedback() -> None:
    def pedantic(of: Any) -> Any:
        """Wants the very bytes."""
        exact = of["text"] == "milk\neggs" or of["text"] == "milk\neggs\n"
        return Finding(1.0) if exact else Finding(0.0, ("It is not quite the same.",))

    with registered(pedantic), AnyFake() as computer:
        found = tried(shopping(check=expect.pedantic(see.text(PATH))), computer)
    assert Found("rejected", f"{PATH}: blanks at the ends of lines", "It is not quite the same.") in found.found
    assert labels(found, "survived") == set()


def test_bystanders_that_expected_hides_survive_and_others_do_not() -> None:
    setup = (make.text_file(PATH, "milk\n"), make.text_file("other.txt", "mine\n"), make.launch(["mousepad", PATH]))
    with AnyFake() as computer:
        hidden = tried(shopping(setup=setup, expected=(PATH, "other.txt")), computer)
    assert labels(hidden, "survived") == {f"other.txt: {how}" for how in ("deleted", "emptied", "filled with noise")}
    with AnyFake() as computer:
        assert tried(shopping(setup=setup), computer).found == ()
    with AnyFake() as computer:
        loose = tried(shopping(setup=setup, expected=(PATH, "*.txt")), computer)
    assert labels(loose, "survived") == {"the home folder: a file that nobody asked for"}


def test_litter_where_expected_allows_anything_survives() -> None:
    setup = (*shopping().setup, make.text_file("Documents/other.txt", "mine\n"))
    with AnyFake() as computer:
        found = tried(shopping(setup=setup, expected=(PATH, "Documents/*")), computer)
    assert labels(found, "survived") == {"Documents: a file that nobody asked for"}
    with AnyFake() as computer:
        everything = tried(shopping(setup=setup, expected=(PATH, "**")), computer)
    assert {"the home folder: a file that nobody asked for", ".bash_profile: a file that every shell runs"} <= labels(
        everything, "survived"
    )


def test_a_bystander_in_another_folder_is_tried_too() -> None:
    setup = (*shopping().setup, make.text_file("Music/Old/song.txt", "la\n"))
    with AnyFake() as computer:
        found = tried(shopping(setup=setup, expected=(PATH, "Music/Old/song.txt")), computer)
    assert "Music/Old/song.txt: emptied" in labels(found, "survived")


def test_what_is_added_and_cannot_be_removed_ends_the_trying(monkeypatch: pytest.MonkeyPatch) -> None:
    with AnyFake() as computer:
        remove = computer.remove_file

        def stuck(path: str) -> None:
            if "left-over" in path:
                raise OSError(errno.EPERM, "Operation not permitted")
            remove(path)

        monkeypatch.setattr(computer, "remove_file", stuck)
        found = tried(shopping(), computer)
    assert "left-over" in found.untried[-1] and "cannot be removed" in found.untried[-1]


def test_to_a_repository_every_other_byte_is_a_change() -> None:
    setup = (*shopping().setup, make.text_file(".git/HEAD", "ref: refs/heads/main\n"))
    with AnyFake() as computer:
        found = tried(shopping(setup=setup), computer)
    with AnyFake() as computer:
        others = tried(shopping(), computer)
    assert found.variants < others.variants and found.mutants >= 10


def test_everything_is_put_back() -> None:
    with AnyFake() as computer:
        task = shopping(setup=(*shopping().setup, make.text_file("other.txt", "mine\n")))
        prepare(task, computer)
        ending = perform(task, task.solution, computer)
        conclude(task, computer)
        before = dict(computer._world.files.entries)
        history = list(computer.history)
        assert mutate(task, computer, ending, {}).mutants > 10
        assert computer._world.files.entries.keys() == before.keys()
        assert {path: (file.data, file.mode) for path, file in computer._world.files.entries.items()} == {
            path: (file.data, file.mode) for path, file in before.items()
        }
        assert computer.history == history


@pytest.mark.parametrize("code", [errno.EACCES, errno.EROFS])
def test_a_locked_file_is_told_and_not_tried(monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    with AnyFake() as computer:
        task = shopping(setup=(*shopping().setup, make.text_file("locked.txt", "x")))
        write = computer.write_file

        def refuse(path: str, data: bytes, *, mode: int = 0o644) -> None:
            if path.endswith("locked.txt") and data != b"x" * 0 and "started" in seen:
                raise OSError(code, "no", path)
            write(path, data, mode=mode)

        seen: set[str] = set()
        prepare(task, computer)
        ending = perform(task, task.solution, computer)
        conclude(task, computer)
        seen.add("started")
        monkeypatch.setattr(computer, "write_file", refuse)
        found = mutate(task, computer, ending, {})
    assert [said for said in found.untried if said.startswith("locked.txt: it is locked")]
    assert found.mutants >= 10


def test_a_huge_or_missing_file_and_a_folder_cannot_be_changed() -> None:
    with AnyFake() as computer:
        computer.write_file("huge.bin", b"")
        computer._world.files.entries["/home/user/huge.bin"] = StoredFile(bytes(MOST_BYTES + 1), 0o644, 0.0)
        for path, said in (
            ("huge.bin", "more than 16,777,216 bytes"),
            ("gone.txt", "cannot be read"),
            ("/tmp", "folder"),
        ):
            with pytest.raises(CannotChange, match=said):
                KeptFile.take(computer, path)


def test_a_file_that_cannot_be_put_back_ends_the_trying_and_the_rest_is_told() -> None:
    with AnyFake() as computer:
        task = shopping(setup=(*shopping().setup, make.text_file("other.txt", "mine\n")))
        prepare(task, computer)
        ending = perform(task, task.solution, computer)
        conclude(task, computer)
        write = computer.write_file
        writes: list[str] = []

        def stop_after_four(path: str, data: bytes, *, mode: int = 0o644) -> None:
            writes.append(path)
            if len(writes) > 4:
                raise OSError(errno.ENOSPC, "No space left on device", path)
            write(path, data, mode=mode)

        computer.write_file = stop_after_four  # type: ignore[method-assign]
        found = mutate(task, computer, ending, {})
    assert any(PATH in said and "other.txt" in said and "no longer as it was" in said for said in found.untried)
    assert any("NotPutBack" in said for said in found.untried)


def test_put_back_says_what_it_could_not_restore() -> None:
    with AnyFake() as computer:
        computer.write_file("a.txt", b"one")
        kept = KeptFile.take(computer, "a.txt")
        kept.change(computer, None)
        kept.put_back(computer)
        assert computer.read_file("a.txt") == b"one"
        computer.write_file = lambda *_, **__: None  # type: ignore[method-assign]
        computer._world.files.write("a.txt", b"two")
        with pytest.raises(NotPutBack, match="is not what it was"):
            kept.put_back(computer)


def test_a_transform_that_crashes_is_a_defect_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(data: bytes, draw: Any) -> bytes | None:
        raise ZeroDivisionError("nothing to divide")

    broken = shelf.Transform("broken by design", "mutant", ("*.txt",), crash)
    monkeypatch.setattr(shelf, "TRANSFORMS", [*shelf.TRANSFORMS, broken])
    monkeypatch.setattr("proctor.prove.transforms.TRANSFORMS", [*shelf.TRANSFORMS])
    with AnyFake() as computer:
        found = tried(shopping(), computer)
        assert computer.read_file(PATH) == b"milk\neggs\n" or computer.read_file(PATH) == b"milk\neggs"
    assert found.found == (
        Found("defect", f"{PATH}: broken by design", "the transform crashed: ZeroDivisionError: nothing to divide"),
    )
    assert found.mutants >= 10, "the others are tried"


def test_a_check_that_a_mutant_crashes_is_shown_as_a_defect_of_the_check() -> None:
    def brittle(of: Any) -> Any:
        """Divides by the number of lines."""
        assert 1 / of["text"].count("\n")
        return CHECKS.get("text_is").function(of, "milk\neggs\n")

    with registered(brittle), AnyFake() as computer:
        found = tried(shopping(check=expect.brittle(see.text(PATH))), computer)
    (defect,) = [each for each in found.found if each.label == f"{PATH}: emptied"]
    assert (
        defect.kind == "defect" and "the check crashed: the check 'brittle' failed with ZeroDivisionError" in defect.why
    )


def test_an_answer_is_tried_with_other_numbers_and_other_words_around_it() -> None:
    task = shopping(
        check=expect.answer_is(see.answer(), "14"), solution=(hand.answer("14"),), expected=(), setup=(),
        near_misses=(),
    )  # fmt: skip
    with AnyFake() as computer:
        found = tried(task, computer)
    assert found.mutants >= 2
    assert found.variants == 3 + len(TRACES)
    assert not labels(found, "survived")


# -- other ways, cheats, admissions, and what a proof makes of them ---------------------------------------------------


def proof(task: Task, *, strict: bool = False) -> Proof:
    made = [prove_sitting((Sitting(task, (trial,)), BACKEND))[0] for trial in trials(task, 1)]
    return Proof(task, tuple(made), strict)


def test_other_ways_must_score_and_cheats_must_not() -> None:
    retyped = (hand.press("ctrl+a"), hand.type("milk\neggs"), hand.press("ctrl+s"))
    found = proof(
        shopping(
            other_ways=(Way(name="typed anew", moves=retyped),),
            cheats=(Way(name="saved as it is", moves=(hand.press("ctrl+s"),)),),
        )
    )
    assert found.proven, found.to_json()["problems"]
    assert found.to_json()["other_ways"] == {"typed anew": 1.0}
    assert found.to_json()["cheats"] == {"saved as it is": 0.0}


def test_an_other_way_that_is_no_way_and_a_cheat_that_works_leave_a_task_unproven() -> None:
    task = shopping(
        other_ways=(
            Way(name="no way", moves=(hand.press("ctrl+s"),)),
            Way(name="cannot be done", moves=(hand.click("No such button", timeout_sec=0.1),)),
        ),
        cheats=(Way(name="works", moves=ADD),),
    )
    found = proof(task)
    assert not found.holds and not found.proven
    problems = " | ".join(found.to_json()["problems"])
    assert "other_way 1 (no way): scored 0, must be 1" in problems
    assert "other_way 2 (cannot be done): MoveFailed" in problems
    assert "cheat 1 (works): scored 1 and left nothing else changed; a cheat must not" in problems
    assert found.to_json()["other_ways"] == {"no way": 0.0, "cannot be done": None}


def test_a_cheat_that_leaves_side_effects_is_no_clean_success_and_another_way_must_leave_none() -> None:
    task = shopping(expected=())
    effects = Outcome(Trial("cheat"), 1.0, 1.0, collateral=({"path": PATH},))  # type: ignore[arg-type]
    assert effects.proven
    assert not Outcome(Trial("cheat"), 1.0, 1.0).proven
    assert not Outcome(Trial("cheat"), None, 1.0, error="MoveFailed").proven
    other = prove_sitting((Sitting(task.model_copy(update={"other_ways": (Way(name="x", moves=ADD),)}),
                                   (Trial("other_way", 0, "x", 1.0),)), BACKEND))[0]  # fmt: skip
    assert other.score == 1.0 and other.collateral and not other.proven


def test_survivors_count_against_a_task_when_asked_for_and_are_admitted_in_words() -> None:
    lenient, strict = proof(shopping(check=SLOPPY)), proof(shopping(check=SLOPPY), strict=True)
    assert any("at the top" in problem for problem in lenient.to_json()["problems"])
    mild = shopping(check=SLOPPY, near_misses=shopping().near_misses[:1])
    lenient, strict = proof(mild), proof(mild, strict=True)
    assert lenient.proven and not strict.proven and not strict.holds
    data = lenient.to_json()["mutants"]
    assert data["survived"] == len(data["survivors"]) > 0 and data["admitted"] == 0
    assert data["score"] == round(1 - data["survived"] / data["tried"], 4)
    admitting = mild.model_copy(update={"may_differ": (Admission(which=f"{PATH}: *", why="only eggs count"),)})
    admitted = proof(admitting, strict=True)
    assert admitted.proven, admitted.to_json()["problems"]
    assert admitted.to_json()["mutants"]["survived"] == 0
    assert admitted.to_json()["mutants"]["admitted"] == data["survived"]
    assert admitted.to_json()["mutants"]["admissions"][0]["why"] == "only eggs count"


def test_an_admission_of_what_does_not_survive_is_a_problem() -> None:
    found = proof(shopping(may_differ=(Admission(which="*: mirrored", why="it is symmetric"),)), strict=True)
    assert not found.holds
    assert "may_differ allows what does not survive: *: mirrored" in found.to_json()["problems"]


def test_a_graph_may_admit_what_one_of_its_parts_has_replaced() -> None:
    admission = Admission(which="*: its first sheet renamed", why="Nobody says what it is called.")
    nothing = Mutation(20, 6, (), (), 2.0)
    assert not MutationTally(nothing, (admission,)).sound
    assert MutationTally(nothing, (admission,), composed=True).sound
    survived = Mutation(20, 6, (Found("survived", "a.ods: its first sheet renamed"),), (), 2.0)
    assert MutationTally(survived, (admission,), composed=True).sound
    assert not MutationTally(survived, (), composed=True).sound


def test_the_summary_and_the_page_tell_every_survivor(tmp_path: Path) -> None:
    mutation = Mutation(
        20, 6, (Found("survived", "a<b>.txt: emptied"), Found("rejected", "a.txt: line ends", "It says 'x'."),
                Found("defect", "c.txt: noise", "the check crashed: oh")), ("d.bin: it is locked: no",), 2.0,
    )  # fmt: skip
    done = Outcome(Trial("solution", wanted=1.0, mutated=True), 1.0, 2.0, mutation=mutation)
    found = Proof(shopping(near_misses=()), (done,))
    told = summary([found])
    assert told["mutation"] == {
        "tasks": 1, "mutants": 20, "survived": 1, "admitted": 0, "score": 0.95, "variants": 6, "rejected": 1,
        "defects": 1, "median_mutants": 20, "median_variants": 6, "seconds": 2.0,
    }  # fmt: skip
    assert told["results"][0]["variants"]["rejected"] == [{"label": "a.txt: line ends", "feedback": "It says 'x'."}]
    assert mutation_words([found]).startswith("mutation score 95.0%: 1 of 20 mutants survived, 0 allowed")
    html = page("Proofs", [found])
    for said in ("mutant survived: a&lt;b&gt;.txt: emptied", "variant rejected: a.txt: line ends",
                 "the check crashed: oh", "not tried: d.bin: it is locked", "19 of 20", "5 of 6"):  # fmt: skip
        assert said in html
    assert mutation_words([]) == "no end state was changed"


def test_a_quick_solution_does_not_stand_in_for_one_with_mutants(tmp_path: Path) -> None:
    (quick,) = prove([shopping()], tmp_path, repeats=1, whole=False, backend=BACKEND)
    assert quick.tally is None and quick.to_json()["mutants"] is None
    lines = (tmp_path / "outcomes.jsonl").read_text().splitlines()
    (tmp_path / "outcomes.jsonl").write_text("\n".join(lines[:-1]) + "\n")  # interrupted before it was finished
    (whole,) = prove([shopping()], tmp_path, repeats=1, backend=BACKEND)
    assert whole.proven and whole.tally is not None
