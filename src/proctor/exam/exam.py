"""One exam: a task on a computer, from its beginning to the verdict, whoever acts on it and whoever watches."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Self, TypeVar

from proctor.actions.action import Action, SignalAction
from proctor.agents.agent import Turn
from proctor.computers.blame import TROUBLE
from proctor.computers.computer import Computer, Performed
from proctor.computers.wellness import Wellness
from proctor.errors import EpisodeVoid, HostError, ProctorError, SpecError
from proctor.exam.canaries import token_of
from proctor.exam.candidate import Candidate
from proctor.exam.clock import ExamClock
from proctor.exam.judgement import Judgement
from proctor.exam.lookout import Lookout
from proctor.exam.meter import CostMeter
from proctor.exam.model_user import user_of
from proctor.exam.preparation import Opening, Preparation
from proctor.exam.recorder import Recorder, Unrecorded
from proctor.exam.result import Account, clock_result, final_result, left_result, trace_of, void_result
from proctor.exam.rules import Rules
from proctor.exam.side_effects import SideEffectCounter
from proctor.exam.stage import Stage
from proctor.exam.state import ExamState, StepResult
from proctor.exam.steps import Stepper, show_again
from proctor.exam.tools.toolbox import open_toolbox
from proctor.exam.trouble import Troubles
from proctor.exam.watcher import Watcher, Watchers
from proctor.exam.watchers.rules import rule_watchers
from proctor.observations.observation import Observation
from proctor.records import EpisodeKey, ModelCall, Result, Stop
from proctor.tasks.day_watch import Looking
from proctor.tasks.task import Task
from proctor.tasks.verdict import Verdict

PATIENCE_SEC = 60.0
"""How long `end` waits for a step that is under way in another thread."""

Given = TypeVar("Given")


class Exam:
    """An exam is begun, takes steps and notes until it is over, and is ended; its result is the same ever after.

    What says nothing about the agent makes it void: `begin`, `step`, `take` and `note` then raise EpisodeVoid, once
    that is recorded, and `end` returns the void result. Calls come one at a time, from any thread.

    Args:
        task: What is asked, how it is prepared and judged.
        computer: Where, or what opens it; a computer that the exam has opened is closed with it.
        rules: What holds: limits, actions, who is asked.
        candidate: Who is examined; may be told more until the exam begins.
        recorder: What it is written to.
        watchers: Who goes along, besides those that the rules ask for.
        key: Which episode of a run it is.
        retry: How many void tries went before.
        run: Name of the run.
        assets: The folder of the files that tasks use.
        prepare: Makes the computer ready, in place of the task's setup.
        judge: Looks at the computer at the end and returns a score, in place of the task's check.
    """

    def __init__(
        self,
        task: Task,
        computer: Computer | Opening,
        rules: Rules | None = None,
        *,
        candidate: Candidate | None = None,
        recorder: Recorder | None = None,
        watchers: Sequence[Watcher] = (),
        key: EpisodeKey | None = None,
        retry: int = 0,
        run: str = "",
        assets: Path | None = None,
        prepare: Callable[[Computer], None] | None = None,
        judge: Callable[[Computer], float] | None = None,
    ) -> None:
        self.task, self.rules, self.candidate = task, rules or Rules(), candidate or Candidate()
        self.recorder: Recorder = recorder or Unrecorded()
        self.key = key or EpisodeKey(task=task.id, agent=self.candidate.named.label, seed=task.seed or 0)
        self.side_effects = SideEffectCounter(task, inside=judge is None)
        self.result: Result | None = None
        """What came of it, once it was ended."""
        self._failure: Exception | None = None
        """What has made it void."""
        self._left = ""
        """Why nobody went on, where it was left in its middle."""
        self.unwritten: HostError | None = None
        """Why the record could not be completed, where it could not."""
        self.when_closed: Callable[[Exam], None] | None = None
        """Told once everything is closed."""
        self.clock = ExamClock()
        self._opening, self._assets, self._prepare = computer, assets, prepare
        self._given = watchers
        self._token = token_of(run, self.key, retry, task.digest)
        self._judgement = Judgement(task, self.side_effects, self._token, judge, faithful=self.rules.faithful)
        self._account = Account(task, self.key, self.candidate, retry)
        self._meter = CostMeter()
        self._lock = threading.RLock()
        self.lookout = Lookout(self._lock)
        """Has those who watch look while the agent thinks or waits."""
        self._busy = False
        """Whether a call is under way; seen only by what it calls itself, as others wait for the lock."""
        self._open = ExitStack()
        self._computer: Computer | None = None
        self._watchers = Watchers(())
        self._stepper: Stepper | None = None

    # -- its life -------------------------------------------------------------------------------------------------

    def begin(self) -> Observation:
        """Open the computer, plant canaries, set the task up, and show what is there."""
        self._guard(self._begin)
        return self.state.observation

    def step(self, action: Action, by: str = "") -> StepResult:
        """Carry out one action of the agent, or of somebody else, unless the exam is over by now."""
        return self.take(Turn(actions=(action,)), by)

    def note(self, performed: Performed, seen: Observation | None = None) -> StepResult:
        """Take in an action that was carried out already, by a hand, a command or a tool, and what is seen after it."""
        return self._guard(lambda: self._under_way().note(performed, seen)) or self._broken_step()

    def take(self, turn: Turn, by: str = "") -> StepResult:
        """Carry out a turn: its actions in order, as far as they can be and the exam lasts."""
        return self._guard(lambda: self._under_way().take(turn, by)) or self._broken_step()

    def end(self, signal: SignalAction | None = None, stop: Stop | None = None, error: str = "") -> Result:
        """Let the computer come to rest, judge it and what else was changed, and complete the record.

        Args:
            signal: A last word, where there was none yet.
            stop: Why it ends, where it had not ended by itself.
            error: What happened then.

        A second call changes nothing and returns the same. While a step is still running in another thread it is waited
        for; one that does not come back makes the exam void.
        """
        if not self._lock.acquire(timeout=PATIENCE_SEC):
            stuck = ProctorError(f"a step was still under way {PATIENCE_SEC:g} s after the exam was ended")
            return self._record_stuck(void_result(self._account, stuck))
        try:
            if self.result is not None:
                return self.result
            if self._busy:
                raise SpecError("a step is still running", remedy="a watcher calls `finish` of the state, not `end`")
            if self._account.state is None and self._failure is None:
                self._failure = SpecError("the exam was ended before it had begun", remedy="call begin() first")
            if (unheard := self.lookout.failure()) is not None:
                self.fail(unheard)
            if self._failure is None:
                self.state.end(signal, stop, error)
            return self._end()
        finally:
            self._lock.release()

    def fail(self, error: Exception) -> None:
        """Stop it by a failure that is not the agent's own, such as a model that cannot be asked.

        It is then void; except that for a computer that fails after it has acted on it, the agent has to answer.
        """
        with self._lock:
            if self.result is not None or self._failure is not None:
                return
            state, troubles = self._account.state, self._account.troubles
            computers = isinstance(error, TROUBLE) and not isinstance(error, HostError)
            if state is not None and state.acted and troubles is not None and computers:
                try:
                    troubles(error, broken=True)
                    state.finish_broken(troubles.broke)
                    return
                except HostError as host:
                    error = host
            if state is not None and isinstance(call := getattr(error, "call", None), ModelCall):
                # A request that failed may have cost something all the same.
                state.failed_call = call
                state.calls.append(call.bare())
            self._failure = error

    def close(self, why: str = "the client left before its end") -> None:
        """Close what the exam has opened; one that was left in its middle is recorded as void."""
        if not self._lock.acquire(timeout=PATIENCE_SEC):
            # Whoever is stuck there has the computer, which ends with this process.
            self._record_stuck(left_result(self._account, why))
            self._tell_that_it_is_closed()
            return
        try:
            if self.result is None:
                self._left = why
                self._end()
        finally:
            self._close_all()
            self._lock.release()
        self._tell_that_it_is_closed()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_error: object) -> None:
        if kind is None or issubclass(kind, Exception):
            self.close()
            return
        # Interrupted: the record stays unfinished, and a run that is resumed holds the exam again.
        with self._lock, self._open:
            self.recorder.close()

    # -- what is known of it --------------------------------------------------------------------------------------

    @property
    def state(self) -> ExamState:
        """What has happened so far; raises SpecError before `begin`."""
        if self._account.state is None:
            raise SpecError("the exam has not begun", remedy="call begin() first")
        return self._account.state

    @property
    def computer(self) -> Computer:
        """The computer; raises SpecError before `begin`."""
        if self._computer is None:
            raise SpecError("the computer is not open", remedy="call begin() first")
        return self._computer

    @property
    def begun(self) -> bool:
        """Whether it has begun, and its computer is prepared."""
        return self._stepper is not None

    @property
    def over(self) -> bool:
        """Whether no more steps are taken."""
        state = self._account.state
        return self.result is not None or self._failure is not None or (state is not None and state.stop is not None)

    @property
    def failure(self) -> Exception | None:
        """What has made it void, as it was raised; None where nothing has."""
        return self._failure

    @property
    def verdict(self) -> Verdict | None:
        """What the judge found, once it was asked."""
        return self._account.verdict

    @property
    def account(self) -> Account:
        """All that is known of it."""
        return self._account

    @property
    def watch(self) -> Looking | None:
        """Who looks on at a composed task or a day."""
        return self._judgement.watch

    def _begin(self) -> None:
        if self._stepper is not None or self.result is not None:
            raise _OutOfTurn("the exam has begun already", remedy="create a new one")
        preparation = Preparation(  # only now: callers may say more of the candidate until the exam begins
            task=self.task,
            key=self.key,
            rules=self.rules,
            candidate=self.candidate,
            recorder=self.recorder,
            opening=self._opening,
            assets=self._assets,
            token=self._token,
            prepare=self._prepare,
        )
        computer = self._computer = preparation.open(self._open)
        wellness = self._open.enter_context(Wellness(self.recorder.folder))
        wellness.gauge = computer.crowding_seconds
        tools = self._open.enter_context(open_toolbox(self.rules))
        station = preparation.station(computer, tools.offers if tools else ())
        self.side_effects.begin(computer)
        user = user_of(self.task, self.rules, computer)
        state = self._account.state = ExamState(computer, station.brief, user, station.look())
        state.look_again = partial(show_again, state, station)
        troubles = self._account.troubles = Troubles(computer, wellness, self.recorder)
        stage = Stage(self.task, computer, self._assets, troubles, self.side_effects)
        own = rule_watchers(
            self.rules,
            self.recorder,
            troubles,
            stage,
            task=self.task,
            watch=self.watch,
            missing=partial(self._judgement.missing, state, troubles),
            token=self._token,
        )
        self._watchers = Watchers([*self._given, *own])
        self._watchers.begin(state)
        preparation.lead_in(station, state, self._watchers, troubles)
        watching = partial(self._watchers.meanwhile, state) if self._watchers.attentive else None
        computer.idle = self.lookout.begin(watching)
        self.clock = ExamClock(station.brief.seconds)
        state.put_off = self.clock.put_off
        self._stepper = Stepper(station, state, self.rules, self.clock, self._watchers, troubles, tools)

    def _broken_step(self) -> StepResult:
        return StepResult(observation=self.state.observation, stop=self.state.stop)

    def _under_way(self) -> Stepper:
        if self._stepper is None or self.over:
            raise _OutOfTurn("no episode is running", remedy="call begin first; after the end, begin another exam")
        return self._stepper

    def _guard(self, work: Callable[[], Given]) -> Given | None:
        """Do something that may fail: it makes the exam void, or shows that the agent broke the computer; then None."""
        with self._lock:
            if self._busy:
                raise SpecError("a step is still running", remedy="a watcher yields what it does in `between`")
            self._busy = True
            try:
                if (unheard := self.lookout.failure()) is not None:
                    raise unheard
                return work()
            except _OutOfTurn as error:
                raise SpecError(error.message, remedy=error.remedy) from None
            except Exception as error:
                self.fail(error)
                if self._failure is None:
                    return None
                said = void_result(self._account, self._failure).error
                remedy = "do not learn from this episode or count it, and try again"
                raise EpisodeVoid(f"void: {self.task.id}: {said}", remedy=remedy) from error
            finally:
                self._busy = False

    def _end(self) -> Result:
        """Judge an exam that is over, or find it void, and record what came of it."""
        account = self._account
        self.clock.take_back()
        self.lookout.end()
        try:
            if account.state is not None:
                self._watchers.end(account.state)
                if account.state.acted:
                    self.recorder.note(over=round(time.time(), 3))
            if self._failure is None and not self._left:
                self._judgement.judge(account)
                if self.state.flags:
                    self.recorder.note(flags=tuple(self.state.flags))
        except Exception as error:
            self._failure = self._failure or error
        return self._record(final_result(account, self._failure, self._left))

    def _record(self, result: Result) -> Result:
        """Complete the record; a result that cannot be written is kept here all the same."""
        if self.result is not None:
            return self.result
        account = self._account
        result = clock_result(result, self._meter.seconds, self.clock.thought, self._meter.finish(self._computer))
        verdict = account.verdict.to_json() if account.verdict and result.score is not None else None
        try:
            self.result = self.recorder.finish(result, verdict, account.side_effects.changes)
        except HostError as error:
            self.unwritten = error
            self.result = replace(result, stop="void", score=None, cause="host", error=str(error))
        except Exception as error:
            # Something of the exam could not be put into words; what was written is kept.
            void = void_result(replace(account, state=None), error)
            self.result = self.recorder.conclude(replace(void, seconds=result.seconds, acted=account.acted))
        finally:
            self.recorder.close()
        return self.result

    def _record_stuck(self, result: Result) -> Result:
        """Record what came of it while a step hangs elsewhere, which does nothing more when it is back."""
        result = self._record(result)
        if self._account.state is not None:
            self._account.state.finish("void")
        return result

    def _close_all(self) -> None:
        """Close what was opened; what fails then changes nothing about the agent, and is kept with its result."""
        try:
            self._open.close()
        except Exception as error:
            result, self.result = self.result, None
            assert result is not None
            self._record(replace(result, defect=result.defect or trace_of(error)))

    def _tell_that_it_is_closed(self) -> None:
        tell, self.when_closed = self.when_closed, None
        if tell is not None:
            tell(self)


class _OutOfTurn(SpecError):
    """A call that comes too early, too late or in the middle of another; it changes nothing."""
