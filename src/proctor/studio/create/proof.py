"""The proof of a task in the making, held in a thread of its own."""

from __future__ import annotations

import json
import threading
from pathlib import Path

from proctor.errors import ProctorError, trouble_of
from proctor.plain_text import printable
from proctor.prove.mutation import FoundKind
from proctor.prove.proof import Proof, problems
from proctor.prove.schedule import prove
from proctor.prove.trial import Outcome, trials
from proctor.store.files import write_whole
from proctor.tasks.task import Task

PAGE = "page.json"
"""In the folder of a proof: how it ended, as the page shows it."""
REPEATS = 3
WORKERS = 2


class DraftProof:
    """One proof under way, or over; what it says may be asked from any thread."""

    def __init__(self, task: Task, folder: Path, assets: Path, backend: str, *, quick: bool = False) -> None:
        """Begin at once; `quick` leaves near misses, mutants and the like out."""
        self._task, self._folder, self._assets, self._backend = task, folder, assets, backend
        self._whole, self._repeats = not quick, 1 if quick else REPEATS
        self._outcomes: list[Outcome] = []
        self._proof: Proof | None = None
        self._trouble = ""
        self._total = len(list(trials(task, self._repeats, whole=self._whole)))
        self._thread = threading.Thread(target=self._hold, name=f"proving-{task.id}", daemon=True)
        self._thread.start()

    @property
    def going_on(self) -> bool:
        """Whether it is not over yet."""
        return self._proof is None and not self._trouble

    def wait(self, seconds: float) -> bool:
        """Wait for its end a while; tells whether it has come."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def status(self) -> dict[str, object]:
        """Return how far it is and what came to light."""
        proof = self._proof
        return {
            "going_on": self.going_on,
            "digest": self._task.digest,
            "total": self._total,
            "outcomes": [_outcome(outcome) for outcome in self._outcomes],
            "trouble": self._trouble,
            "state": proof.state if proof else "",
            "survived": _findings(proof, "survived"),
            "rejected": _findings(proof, "rejected"),
            "mutants": proof.tally.mutation.mutants if proof and proof.tally else 0,
            "variants": proof.tally.mutation.variants if proof and proof.tally else 0,
        }

    def _hold(self) -> None:
        try:
            (proof,) = prove(
                [self._task],
                self._folder,
                repeats=self._repeats,
                whole=self._whole,
                workers=WORKERS,
                fresh=True,
                assets=self._assets,
                backend=self._backend,
                heard=lambda _task, outcome: self._outcomes.append(outcome),
            )
            self._proof = proof
            # The studio that is started next shows it too.
            write_whole(self._folder, PAGE, json.dumps(self.status()).encode("utf-8", "surrogatepass"))
        except Exception as error:
            # The boundary of the thread: the page says what happened, and the studio goes on.
            self._trouble = printable(trouble_of(error))
            if not isinstance(error, ProctorError):
                raise


def _outcome(outcome: Outcome) -> dict[str, object]:
    return {
        "label": outcome.trial.label,
        "name": printable(outcome.trial.name),
        "score": outcome.score,
        "wanted": outcome.trial.wanted,
        "proven": outcome.proven,
        "seconds": round(outcome.seconds, 1),
        "problems": [printable(text) for text in problems(outcome)],
    }


def _findings(proof: Proof | None, kind: FoundKind) -> list[dict[str, str]]:
    tally = proof.tally if proof else None
    return [{"label": printable(each.label), "why": printable(each.why)} for each in tally.of(kind)] if tally else []
