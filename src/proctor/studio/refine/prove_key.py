"""Proving a key made of a demonstration: fitted on a computer, tried on others, other seeds too."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from proctor.computers import open_for
from proctor.errors import ProctorError, SpecError
from proctor.plain_text import printable
from proctor.prove.attempt import attempt
from proctor.prove.key_exam import KeyExam
from proctor.prove.proof import Proof, problems
from proctor.prove.schedule import Sitting, sittings
from proctor.prove.trial import Outcome, trials
from proctor.runner.computer_spec import ComputerSpec
from proctor.store.files import write_whole
from proctor.studio.refine.fit import fit
from proctor.studio.refine.key import KeyDraft
from proctor.studio.refine.seeds import drawn_otherwise, replace_drawn, with_solution
from proctor.suites.suite import Suite
from proctor.tasks.task import Task

Going = Literal["going", "good", "bad"]


@dataclass(frozen=True)
class ProofNews:
    """Something that a proof is at, or what came of it."""

    what: str
    """Such as `fitting` or `solution 1`."""
    seed: int | None = None
    state: Going = "going"
    text: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {"what": self.what, "seed": self.seed, "state": self.state, "text": printable(self.text)}


@dataclass
class KeyProof:
    """A key, and what came of performing it."""

    task: Task
    """The task of the demonstration, with the key as its solution."""
    calls: list[dict[str, Any]]
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    proofs: list[Proof] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether it was performed and did it, each time and for each seed."""
        return bool(self.proofs) and not self.problems and all(proof.holds for proof in self.proofs)

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "task": self.task.id,
            "holds": self.holds,
            "moves": self.calls,
            "notes": self.notes,
            "problems": self.problems,
            "proofs": [proof.to_json() for proof in self.proofs],
        }


def siblings(task: Task, suites: Sequence[Suite], count: int) -> list[Task]:
    """Return a task and those of the next seeds of its template, where a suite here has that."""
    for suite in suites:
        if task.seed is not None and suite.get(task.id) is not None:
            return [task, *(suite.task(task.id, task.seed + more) for more in range(1, count))]
    return [task]


def prove_key(
    draft: KeyDraft,
    tasks: Sequence[Task],
    *,
    computer: str = "sandbox",
    assets: Path | None = None,
    repeats: int = 1,
    whole: bool = False,
    heard: Callable[[ProofNews], None] = lambda event: None,
    stopped: Callable[[], bool] = lambda: False,
) -> KeyProof:
    """Fit a key on a fresh computer, then prove it on others; returns what came of it.

    The first of `tasks` is that of the demonstration, tried `repeats` times, the others those of other seeds, tried
    once; `whole` tries near misses, other ways, cheats and mutants too. `stopped` is asked between computers.
    """
    own = tasks[0]
    made = KeyProof(own, draft.calls, list(draft.notes), list(draft.problems))
    if not draft.moves and not made.problems:
        made.problems.append("the demonstration does nothing that could be a move")
    if made.problems:
        return made
    try:
        _fit(draft, made, computer, assets, heard)
        if not made.problems:
            made.task = with_solution(own, made.calls)
            for place, task in enumerate(tasks):
                calls = replace_drawn(made.calls, drawn_otherwise(own, task)) if place else made.calls
                keyed = with_solution(task, calls)
                plan = sittings(keyed, list(trials(keyed, 1 if place else repeats, whole=whole)), assets)
                made.proofs.append(_hold(keyed, plan, computer, heard, stopped))
    except ProctorError as error:
        made.problems.append(f"{error.message}: {error.remedy}" if error.remedy else error.message)
        heard(ProofNews("stopped", own.seed, "bad", made.problems[-1]))
    return made


def save_key(made: KeyProof, folder: Path, assets: Path | None, about: dict[str, Any]) -> Path:
    """Write a key as an ordinary task file, what its proof showed beside it; return the file."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in made.task.assets if assets else ():
        target = folder / name
        if assets and not target.exists() and folder.resolve() in target.resolve().parents:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(assets / name, target)
    text = json.dumps({**made.to_json(), **about}, indent=2)
    write_whole(folder, "proof.json", text.encode())
    # Assets are found beside the file when it is read.
    data = {name: value for name, value in made.task.to_json().items() if name != "assets"}
    write_whole(folder, "task.json", json.dumps(data, indent=2, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    return folder / "task.json"


def _fit(
    draft: KeyDraft, made: KeyProof, computer: str, assets: Path | None, heard: Callable[[ProofNews], None]
) -> None:
    task, count = made.task, len(draft.moves)
    heard(ProofNews("fitting", task.seed, text="a computer is started"))
    spec = ComputerSpec.parse(computer)
    with KeyExam(task, lambda: open_for(spec.name, task.needs, spec.constructor_options()), assets=assets) as exam:
        found = fit(
            draft.moves,
            exam.hand(),
            lambda done: heard(ProofNews("fitting", task.seed, text=f"{done} of {count} moves")),
        )
        verdict = exam.end_with_verdict()
    made.calls, made.notes = found.calls, [*made.notes, *found.notes]
    if verdict.passed:
        heard(ProofNews("fitting", task.seed, "good", f"{len(found.calls)} moves, score 1"))
        return
    made.problems.append(f"performed, it scores {verdict.score:g}: {' '.join(verdict.feedback)}".strip())
    heard(ProofNews("fitting", task.seed, "bad", made.problems[-1]))


def _hold(
    task: Task, plan: Sequence[Sitting], computer: str, heard: Callable[[ProofNews], None], stopped: Callable[[], bool]
) -> Proof:
    spec, outcomes = ComputerSpec.parse(computer), list[Outcome]()
    for sitting in plan:
        if stopped():
            raise SpecError("the proof was stopped", remedy="start it again")
        names = ", ".join(trial.label for trial in sitting.trials)
        heard(ProofNews(names, task.seed))
        try:
            with open_for(spec.name, task.needs, spec.constructor_options()) as opened:
                found = attempt(task, sitting.trials, opened, assets=sitting.assets)
        except ProctorError as error:
            found = [Outcome(trial, None, 0.0, error=str(error)) for trial in sitting.trials]
        outcomes += found
        said = [problem for outcome in found for problem in problems(outcome)]
        scores = " ".join("void" if each.score is None else f"{each.score:g}" for each in found)
        heard(
            ProofNews(names, task.seed, "bad" if said else "good", "\n".join(said) or f"score {scores}, as it must be")
        )
    # It is the key that is proven here: what the check lets through is not the demonstrator's doing.
    return Proof(task, tuple(outcomes), strict=False)
