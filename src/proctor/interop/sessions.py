"""Sessions of clients: a thread for each computer, and only so many computers at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from proctor.actions.action import Action
from proctor.errors import AgentError, NotReady, SpecError
from proctor.interop.rollout import Rollout, Stepped
from proctor.interop.venue import Venue
from proctor.observations.observation import Observation
from proctor.records import Brief
from proctor.tasks.task import Task

PATIENCE_SEC = 60.0
"""How long a session waits for a computer to become free: one whose client has left may still be closing."""

Given = TypeVar("Given")


class Session:
    """A client's place: one episode at a time, whose computer is touched by one thread only.

    Making one costs nothing; thread and computer come with the first `reset`. Calls may come from any thread, one at a
    time. `close` returns at once and may come in the middle of a call: the computer is closed when that has ended.
    """

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._busy, self._changing = threading.Lock(), threading.Lock()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="proctor-session")
        self._rollout: Rollout | None = None
        self._used = self._closed = False

    @property
    def steps(self) -> int:
        """Actions taken in the episode that is going on, or was last."""
        rollout = self._rollout
        return rollout.steps if rollout else 0

    def reset(self, task: Task) -> tuple[Observation, Brief]:
        """Begin an episode on a fresh computer; returns what is seen and what the agent is told."""
        return self._in_its_thread(lambda: self._begin(task))

    def step(self, action: Action | AgentError) -> Stepped:
        """Take an action; an AgentError stands for something said that is none."""
        return self._in_its_thread(lambda: self._take(lambda rollout: rollout.take(action)))

    def stop(self) -> Stepped:
        """End the episode of an agent that left off without a word, and judge what is there."""
        return self._in_its_thread(lambda: self._take(Rollout.stop))

    def close(self) -> None:
        """Let the computer go as soon as nothing is under way; closing twice has no effect."""
        with self._changing:
            if self._closed:
                return
            self._closed = True
            if self._used:
                try:
                    self._thread.submit(self._leave)
                except RuntimeError:
                    # The interpreter ends: its threads are gone already, and nobody else is at the computer.
                    self._leave()
            self._thread.shutdown(wait=False)
        self._sessions.forget(self)

    def join(self) -> None:
        """Close it, and wait until its computer is closed."""
        self.close()
        self._thread.shutdown(wait=True)

    # -- in its thread --------------------------------------------------------------------------------------------

    def _begin(self, task: Task) -> tuple[Observation, Brief]:
        self._leave()
        self._sessions.take_place()
        try:
            self._rollout = rollout = Rollout(self._sessions.venue.exam(task))
        except BaseException:
            self._sessions.give_place_back()
            raise
        try:
            return rollout.begin(), rollout.brief
        except BaseException:
            self._leave()
            raise

    def _take(self, how: Callable[[Rollout], Stepped]) -> Stepped:
        rollout = self._rollout
        if rollout is None or rollout.over:
            raise SpecError("no episode is running", remedy="call reset first, and again after each end")
        try:
            return how(rollout)
        finally:
            # Its answer is not held up by that; a session that was closed meanwhile leaves anyway.
            with suppress(SpecError):
                self._submit(self._leave_when_over)

    def _leave_when_over(self) -> None:
        """Close the computer of an episode that has ended: others may wait for one."""
        if self._rollout is not None and self._rollout.over:
            self._leave()

    def _leave(self) -> None:
        """Close the computer of the last episode, where there is one."""
        rollout, self._rollout = self._rollout, None
        if rollout is None:
            return
        try:
            rollout.close()
        finally:
            self._sessions.give_place_back()

    # -- from any thread ------------------------------------------------------------------------------------------

    def _in_its_thread(self, work: Callable[[], Given]) -> Given:
        if not self._busy.acquire(blocking=False):
            raise SpecError("another call of this session is under way", remedy="wait for its answer first")
        try:
            return self._submit(work).result()
        finally:
            self._busy.release()

    def _submit(self, work: Callable[[], Given]) -> Future[Given]:
        with self._changing:
            if self._closed:
                raise SpecError("this session is closed", remedy="open another one")
            self._used = True
            return self._thread.submit(work)


class Sessions:
    """All sessions of a server, and how many computers they may have between them."""

    def __init__(self, venue: Venue, computers: int = 1, *, patience_sec: float = PATIENCE_SEC) -> None:
        if computers < 1:
            raise SpecError(f"{computers} computers hold no session", remedy="allow 1 or more")
        self.venue = venue
        self.computers = computers
        self._patience = patience_sec
        self._free = threading.BoundedSemaphore(computers)
        self._open: set[Session] = set()
        self._lock = threading.Lock()
        self._in_use = 0

    @property
    def in_use(self) -> int:
        """How many computers are open."""
        return self._in_use

    def open(self) -> Session:
        """Return a new session."""
        session = Session(self)
        with self._lock:
            self._open.add(session)
        return session

    def close(self) -> None:
        """Close every session and wait until their computers are closed."""
        with self._lock:
            sessions = list(self._open)
        for session in sessions:
            session.close()
        for session in sessions:
            session.join()

    # -- for its sessions -----------------------------------------------------------------------------------------

    def forget(self, session: Session) -> None:
        """Take note that a session was closed."""
        with self._lock:
            self._open.discard(session)

    def take_place(self) -> None:
        """Wait until a computer may be opened; raises NotReady where none is closed in time."""
        if not self._free.acquire(timeout=self._patience):
            raise NotReady(
                f"all {self.computers} computers were in use for {self._patience:g} s",
                remedy="end an episode or close a session, or serve more of them (--sessions)",
            )
        with self._lock:
            self._in_use += 1

    def give_place_back(self) -> None:
        """Take note that a computer was closed."""
        with self._lock:
            self._in_use -= 1
        self._free.release()
