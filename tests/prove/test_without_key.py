"""Proofs of tasks from elsewhere, which have no answer key: what can be shown all the same, and what is kept of it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from proctor.cli.prove import prove as prove_command
from proctor.errors import CheckError
from proctor.exam.result import Account, plain_result
from proctor.prove.facts import facts, facts_in_words
from proctor.prove.proof import Proof
from proctor.prove.schedule import prove
from proctor.prove.trial import trials
from proctor.records import EpisodeKey
from proctor.store.shown import find_shown, keep_shown
from proctor.tasks.findings import Finding
from proctor.tasks.shelves import expect, see
from proctor.tasks.task import Source, Task
from tests.foreign.files import agentstudio, write
from tests.prove.machines import BACKEND, PATH, shopping
from tests.prove.test_mutate import registered

GOLD = b"milk\neggs\n"


def foreign(**changes: Any) -> Task:
    """Return the task without its key, as if it came from another system."""
    source = Source(format="osworld", file="os/one.json")
    return shopping(**{"solution": (), "near_misses": (), "source": source, **changes})


def with_file(folder: Path, **changes: Any) -> Task:
    """Return it with a file that its check compares with."""
    (folder / "gold.txt").write_bytes(GOLD)
    digest = hashlib.sha256(GOLD).hexdigest()
    return foreign(counterparts={PATH: "gold.txt"}, assets={"gold.txt": digest}, **changes)


def proof_of(task: Task, folder: Path) -> Proof:
    [proof] = prove([task], folder / "proof", assets=folder, backend=BACKEND)
    return proof


def test_what_stands_for_a_solution_is_tried() -> None:
    assert [trial.kind for trial in trials(foreign(), 3)] == ["idle", "fail", "spoilt"]
    compared = foreign(counterparts={PATH: "gold.txt"})
    assert [trial.kind for trial in trials(compared, 3)] == ["idle", "fail", "spoilt", "expected"]
    assert [trial.kind for trial in trials(compared, 3, whole=False)] == ["idle", "fail"]
    impossible = foreign(tags=shopping().tags.model_copy(update={"feasible": False}))
    assert [(trial.kind, trial.wanted) for trial in trials(impossible, 3)] == [("idle", 0.0), ("fail", 1.0)]


def test_the_expected_file_scores_1_and_changes_to_it_do_not(tmp_path: Path) -> None:
    proof = proof_of(with_file(tmp_path), tmp_path)
    held = facts(proof)
    assert held[:3] == ("doing nothing scores 0", "giving up scores 0", "judged twice alike")
    assert held[3].endswith("spoilt files withstood") and int(held[3].split()[0]) >= 6
    assert held[4] == "the expected files score 1"
    caught, tried = (int(word) for word in held[5].split() if word.isdigit())
    assert caught == tried >= 4
    assert proof.complete and not proof.holds and proof.state == "unproven"
    assert "doing nothing scores 0 in 1" in facts_in_words([proof])


def test_what_the_check_overlooks_is_counted(tmp_path: Path) -> None:
    proof = proof_of(with_file(tmp_path, check=expect.text_has(see.text(PATH), ["eggs"])), tmp_path)
    caught, tried = (int(word) for word in facts(proof)[5].split() if word.isdigit())
    assert caught < tried
    assert proof.tally is not None
    assert f"{PATH}: its first line dropped" in {found.label for found in proof.tally.of("survived")}


def test_a_file_that_only_has_to_be_there_may_be_spoilt(tmp_path: Path) -> None:
    proof = proof_of(foreign(check=expect.file_exists(see.file("new.txt"))), tmp_path)
    assert "doing nothing scores 0" in facts(proof)
    assert proof.tally is not None
    assert "new.txt: noise in its place" in {found.label for found in proof.tally.of("enough")}
    assert not list(proof.tally.problems())


def test_an_expected_file_that_is_no_result_is_no_problem(tmp_path: Path) -> None:
    proof = proof_of(with_file(tmp_path, check=expect.text_has(see.text(PATH), ["a word it lacks"])), tmp_path)
    assert [outcome.score for outcome in proof.of("expected")] == [0.0]
    assert not any("expected" in said for said in facts(proof)) and proof.complete
    assert proof.to_json()["problems"] == ["it has no answer key, so nothing shows that it can be done"]


def test_doing_nothing_that_counts_is_said_and_not_shown(tmp_path: Path) -> None:
    proof = proof_of(foreign(check=expect.text_has(see.text(PATH), ["milk"])), tmp_path)
    assert "doing nothing scores 0" not in facts(proof)
    assert not proof.complete
    problems = proof.to_json()["problems"]
    assert isinstance(problems, list) and "idle: scored 1, must be 0" in problems


def test_a_check_that_a_spoilt_file_upsets_is_a_defect(tmp_path: Path) -> None:
    def fragile(of: Any) -> Any:
        """Breaks where nothing can be read."""
        if "milk" not in of.get("text", ""):
            raise CheckError("it broke")
        return Finding(0.0, ("No.",))

    with registered(fragile):
        from proctor.prove.spoil import spoil
        from tests.prove.machines import AnyFake
        from tests.tasks.prepare import prepare

        task = foreign(check=expect.fragile(see.text(PATH)))
        with AnyFake() as computer:
            prepare(task, computer)
            before = computer.read_file(PATH)
            found = spoil(task, computer)
            assert computer.read_file(PATH) == before
    assert {each.kind for each in found.found} == {"defect"}


def test_results_say_what_was_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROCTOR_DATA", str(tmp_path))
    task = foreign()
    key = EpisodeKey(task=task.id, agent="idle")
    assert plain_result(Account(task, key)).shown == ()
    keep_shown(task.digest, ("doing nothing scores 0",))
    result = plain_result(Account(task, key))
    assert result.unproven and result.shown == ("doing nothing scores 0",)
    kept = tmp_path / "proofs" / "shown" / f"{task.digest}.json"
    for damage in ("[" * 5000, '{"shown": ["x"]}', "", "null"):
        kept.write_text(damage)
        assert find_shown(task.digest) == ()


def test_tasks_that_lack_a_file_are_named_and_no_failure(tmp_path: Path) -> None:
    copied = {"evaluator": "filesystem", "function": "copy", "params": {"src": "data/x/a.txt", "dest": "a.txt"}}
    write(tmp_path, "tasks/os/one.json", agentstudio(reset_procedure=[copied]))
    asked = ["--suite", f"agentstudio:{tmp_path / 'tasks'}", "--out", str(tmp_path / "out")]
    done = CliRunner().invoke(prove_command, [*asked, "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    [left] = json.loads(done.stdout)["not_tried"]
    assert left["status"] == "needs asset" and left["file"].endswith("one.json")
    assert "one.json: not tried: needs asset" in CliRunner().invoke(prove_command, asked).stdout.replace("\n", "")
