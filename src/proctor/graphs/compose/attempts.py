"""Attempts at compositions, by one process or several.

Every attempt has a seed of its own and depends on nothing else, so that what comes of many is the same, and in the same
order, however many processes work on them.
"""

from __future__ import annotations

import multiprocessing
import pickle
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from proctor.errors import SpecError
from proctor.graphs.compose.composer import Composer
from proctor.graphs.compose.composition import Composition
from proctor.graphs.compose.pool import SubtaskPool
from proctor.graphs.compose.sameness import Distinct, digest
from proctor.graphs.language.realise import Unsaid
from proctor.interpreters import own_modules_only

CHUNK = 32
"""How many attempts a process makes before it hands over what came of them."""

Made = TypeVar("Made")
Attempt = tuple[bytes, Made]
"""What tells a composition from others, and what was made of it; all that goes from one process to another."""
Attempts = Generator[Attempt[Made] | None, None, None]


@dataclass(frozen=True)
class Bench(Generic[Made]):
    """What a process needs for its attempts."""

    composer: Composer
    finish: Callable[[Composition, SubtaskPool], Made]
    distinct: Distinct

    def attempt(self, seed: str) -> Attempt[Made] | None:
        """Make one, unless the seed leads to none."""
        composition = self.composer.attempt(seed)
        if composition is None:
            return None
        try:
            return digest(composition, self.distinct), self.finish(composition, self.composer.pool)
        except Unsaid as unsaid:
            self.composer.clash = unsaid.message
            return None


def attempts(bench: Bench[Made], seeds: Iterator[str], workers: int) -> Attempts[Made]:
    """Return what comes of each seed in turn."""
    return (bench.attempt(seed) for seed in seeds) if workers == 1 else _share_out(bench, seeds, workers)


def _share_out(bench: Bench[Made], seeds: Iterator[str], workers: int) -> Attempts[Made]:
    """Let processes make attempts, and yield what came of them in the order of the seeds."""
    try:
        pickle.dumps(bench)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise SpecError(
            f"the pool cannot be handed to other processes: {error}",
            remedy="use one worker, or subtasks that are classes of a module",
        ) from error
    # A fresh interpreter: forking would copy whatever threads and locks the caller has.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_begin, initargs=(bench,)) as processes:
        waiting: deque[Future[list[Attempt[Made] | None]]] = deque()
        try:
            while True:
                while len(waiting) < 2 * workers:
                    chunk = [next(seeds) for _ in range(CHUNK)]
                    with own_modules_only():
                        waiting.append(processes.submit(_attempts, chunk))
                yield from waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


_benches: list[Bench[Any]] = []
"""What this process composes with, where it works for another."""


def _begin(bench: Bench[Any]) -> None:
    # Ctrl-C is for whoever asked; that process ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _benches[:] = [bench]


def _attempts(seeds: list[str]) -> list[Any]:
    return [_benches[0].attempt(seed) for seed in seeds]
