"""The page on which a demonstration becomes an answer key: its moves, and their proof."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from proctor.errors import ProctorError, trouble_of
from proctor.plain_text import printable
from proctor.store.files import write_whole
from proctor.store.paths import run_of
from proctor.studio.answers import body_of, int_of, json_answer, number_of
from proctor.studio.refine.demonstration import OpenDemonstration, answer
from proctor.studio.refine.key import KeyDraft, as_python, draft_key
from proctor.studio.refine.prove_key import KeyProof, ProofNews, prove_key, save_key, siblings
from proctor.studio.refine.redo import task_of
from proctor.studio.studio import Studio
from proctor.tasks.task import Task
from proctor.web.files import read_object

MOST_SEEDS = 20
MOST_REPEATS = 10
MOST_AT_ONCE = 2
MOST_EVENTS = 500
PAGE = "page.json"
"""In the folder of a key: how its proof ended, as the page shows it."""
END_SEC = 30.0
"""How long the studio waits, when it ends, for computers that a proof has open."""


class KeyProving:
    """One proof, in a thread of its own."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.events: list[dict[str, object]] = []
        self.made: KeyProof | None = None
        self.file = ""
        self.trouble = ""
        self.over = False
        self.stopped = threading.Event()
        """Set where it is to go no further than the computer it is at."""
        self._thread: threading.Thread | None = None

    def begin(self, work: Callable[[KeyProving], None]) -> None:
        """Start it."""

        def hold() -> None:
            try:
                work(self)
            except Exception as error:
                # The boundary of the thread: the page says what happened, and the studio goes on.
                self.trouble = printable(trouble_of(error))
                if not isinstance(error, ProctorError):
                    raise
            finally:
                self.over = True

        self._thread = threading.Thread(target=hold, name=f"key-{self.number}", daemon=True)
        self._thread.start()

    def wait(self, seconds: float) -> None:
        """Wait a while for its end."""
        if self._thread is not None:
            self._thread.join(max(seconds, 0.0))

    def hear(self, event: ProofNews) -> None:
        """Keep what the proof is at; an event takes the place of the one before that it completes."""
        found = event.to_json()
        last = self.events[-1] if self.events else {}
        if last.get("state") == "going" and all(last.get(name) == found[name] for name in ("what", "seed")):
            self.events[-1] = found
        elif len(self.events) < MOST_EVENTS:
            self.events.append(found)

    def to_json(self) -> dict[str, object]:
        """Return how it stands."""
        made = self.made
        found = made.to_json() if made else {"moves": [], "notes": [], "problems": []}
        return {
            "number": self.number,
            "over": self.over,
            "events": list(self.events),
            "trouble": self.trouble,
            "file": self.file,
            "holds": bool(made and made.holds),
            "moves": found["moves"] if made else None,
            **_words(found["moves"], found["notes"], found["problems"]),
        }


class KeyPages:
    """Answers for the keys of a studio's demonstrations."""

    _all: dict[int, dict[Path, KeyProving]] = {}
    """The proofs of each studio of this process, by its identity; of each demonstration the last."""

    def __init__(self, studio: Studio, opened: Callable[[Request], Awaitable[OpenDemonstration]]) -> None:
        self._studio, self._opened = studio, opened
        self._proofs = self._all.setdefault(id(studio), {})

    @classmethod
    def stop_all(cls, studio: Studio) -> None:
        """Stop every proof of a studio, and wait until their computers are closed."""
        proofs, ends = cls._all.pop(id(studio), {}).values(), time.monotonic() + END_SEC
        for proof in proofs:
            proof.stopped.set()
        for proof in proofs:
            proof.wait(ends - time.monotonic())

    def routes(self, one: str) -> list[BaseRoute]:
        """Return where the keys are found, below the address of a demonstration's data."""
        return [
            Route(one + "/key", self.key),
            Route(one + "/key", self.prove, methods=["POST"]),
            Route(one + "/key/stop", self.stop, methods=["POST"]),
        ]

    async def key(self, request: Request) -> Response:
        """Return the key that a version gives, and how its proof stands."""
        opened = await self._opened(request)
        number = number_of(request, "version", opened.versions.number)
        return await answer(lambda: self._page_data(opened, number))

    async def prove(self, request: Request) -> Response:
        """Begin to prove the key of a version."""
        opened, data = await self._opened(request), await body_of(request)
        if not opened.own:
            raise HTTPException(403, "Only demonstrations of this studio are performed here; see `proctor studio key`.")
        data = {"seeds": 1, "repeats": 1, **data}
        words = f"Say which version, 1 to {MOST_SEEDS} seeds and 1 to {MOST_REPEATS} repeats."
        number = int_of(data, "number", words, (0, 1 << 31))
        seeds = int_of(data, "seeds", words, (1, MOST_SEEDS))
        repeats = int_of(data, "repeats", words, (1, MOST_REPEATS))

        def begin() -> dict[str, object]:
            draft = _draft(opened, number)
            task, assets, _, computer = task_of(opened.material)
            tasks = siblings(task, self._studio.suites, seeds)
            self._begin(opened, number, draft, tasks, assets, computer, repeats)
            return self._page_data(opened, number)

        return await answer(begin)

    async def stop(self, request: Request) -> Response:
        """Let a proof go no further."""
        opened = await self._opened(request)
        await body_of(request)
        if proof := self._proofs.get(opened.material.folder):
            proof.stopped.set()
        return json_answer({})

    def _begin(
        self,
        opened: OpenDemonstration,
        number: int,
        draft: KeyDraft,
        tasks: list[Task],
        assets: Path | None,
        computer: str,
        repeats: int,
    ) -> None:
        known = self._proofs.get(opened.material.folder)
        if known is not None and not known.over:
            raise HTTPException(409, "A key of this demonstration is already being proven.")
        if sum(not proof.over for proof in self._proofs.values()) >= MOST_AT_ONCE:
            raise HTTPException(429, f"{MOST_AT_ONCE} proofs are already running. Wait for one, or stop it.")
        place, folder = opened.material.place(opened.material.folder), self._folder(opened, number)

        def work(proof: KeyProving) -> None:
            try:
                hold(proof)
            finally:
                # The studio that is started next shows it too.
                folder.mkdir(parents=True, exist_ok=True)
                told = {**proof.to_json(), "over": True, "recording": opened.log.sums}
                write_whole(folder, PAGE, json.dumps(told).encode("utf-8", "surrogatepass"))

        def hold(proof: KeyProving) -> None:
            made = prove_key(
                draft,
                tasks,
                computer=computer,
                assets=assets,
                repeats=repeats,
                heard=proof.hear,
                stopped=proof.stopped.is_set,
            )
            proof.made = made
            if not made.problems:
                proof.file = str(save_key(made, folder, assets, {"episode": place, "version": number}))

        self._proofs[opened.material.folder] = proof = KeyProving(number)
        proof.begin(work)

    def _folder(self, opened: OpenDemonstration, number: int) -> Path:
        return self._studio.folder / "keys" / f"{run_of(opened.material.folder).name}-v{number}"

    def _earlier_proof(self, opened: OpenDemonstration, number: int) -> dict[str, object] | None:
        """Return the proof of a version that an earlier studio held of this recording."""
        found = read_object(self._folder(opened, number) / PAGE)
        return found if found and found.get("recording") == opened.log.sums and found.get("number") == number else None

    def _page_data(self, opened: OpenDemonstration, number: int) -> dict[str, object]:
        draft = _draft(opened, number)
        task, *_ = task_of(opened.material)
        proof = self._proofs.get(opened.material.folder)
        return {
            "task": opened.entry.key.task,
            "own": opened.own,
            "version": opened.versions.number,
            "shown": number,
            "seeds": len(siblings(task, self._studio.suites, 2)) > 1,
            "moves": [{"call": move.call, "step": move.step} for move in draft.moves],
            **_words(draft.calls, draft.notes, draft.problems),
            "proof": proof.to_json() if proof else self._earlier_proof(opened, number),
        }


def _draft(opened: OpenDemonstration, number: int) -> KeyDraft:
    return draft_key(opened.material.steps(opened.versions.state(number)))


def _words(calls: Sequence[Mapping[str, object]], notes: Sequence[str], problems: Sequence[str]) -> dict[str, object]:
    said = {"notes": [printable(note) for note in notes], "problems": [printable(problem) for problem in problems]}
    return {**said, "python": printable(as_python(calls))}
