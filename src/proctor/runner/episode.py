"""Playing one episode: the agent is shown the computer, its turns are carried out and recorded, until it ends."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

from proctor.actions.action import Action, Answer, AskUser, Done, Fail, SignalAction
from proctor.agents.agent import Agent, Driver, Over, Turn, Vetoed, wanted
from proctor.agents.wire import as_turn
from proctor.computers.computer import Performed
from proctor.env import Env, StepResult
from proctor.errors import AgentError, ComputerError, ModelError
from proctor.models.usage import BudgetSpent
from proctor.observations.observation import Observation
from proctor.records import ModelCall, Saw, Seconds, Step, Stop, Told
from proctor.runner.alarm import TimeIsUp, alarm
from proctor.runner.job import Rules
from proctor.runner.limits import Limits
from proctor.runner.lines import outcome, trace
from proctor.runner.recorder import Recorder
from proctor.runner.trouble import Troubles
from proctor.tasks.scene import Ending
from proctor.tasks.user import SimulatedUser
from proctor.tasks.watch import Watch

MOST_QUESTIONS = 20
"""Questions to the user in one episode; more are not answered."""
SHOWN_OUTPUT = 16_384
"""Characters of a program's output that an agent is shown."""
NOT_ITS_OWN: tuple[type[Exception], ...] = (ModelError, Over)
"""What an agent may raise without having failed: its model could not be asked, or the episode is over."""


class Episode:
    """One agent at work on one prepared computer."""

    def __init__(
        self,
        env: Env,
        recorder: Recorder,
        user: SimulatedUser,
        rules: Rules,
        *,
        missing: Callable[[Ending], tuple[str, ...]] | None = None,
        veto: Callable[[Action], str | None] | None = None,
        watch: Watch | None = None,
        troubles: Troubles | None = None,
    ) -> None:
        self._env = env
        self._recorder = recorder
        self._user = user
        self._missing = missing
        self._veto = veto
        self._watch = watch
        self._troubles = troubles
        self._ours: Exception | None = None
        """What a driver was interrupted by that is not its own."""
        self._observation = env.reset()
        self._deadline = time.monotonic() + env.brief.seconds if env.brief.seconds else float("inf")
        self._number = 0
        self._thought_sec = 0.0
        self._feedback_left = rules.feedback
        self._limits = Limits(rules)
        self._told: list[Told] = []
        self.stop: Stop | None = None
        self.error = ""
        """What the agent failed with by itself, or broke."""
        self.trace = ""
        """Where in its code it failed."""
        self.crashed = False
        self.signal: SignalAction | None = None
        self.steps = 0
        self.turns = 0
        self.parse_errors = 0
        self.refused = 0
        self.stale = 0
        self.agent_seconds = 0.0
        self.calls: list[ModelCall] = []

    @property
    def ending(self) -> Ending:
        """How the agent ended its work."""
        return Ending(self.signal, tuple(self._user.asked))

    @property
    def acted(self) -> bool:
        """Whether an action was handed to the computer."""
        return self._env.acted

    @property
    def history(self) -> tuple[Performed, ...]:
        """Every action that was performed, with what it hit."""
        return tuple(self._env.computer.history)

    def play(self, agent: Agent | Driver) -> None:
        """Let an agent work until the episode ends.

        Raises ModelError, HostError, and ComputerError as long as the agent has not acted: such an episode says nothing
        about the agent. A computer that fails later is broken by what was done on it, and ends the episode. Whatever
        else the agent raises is its own failure; what Proctor raises besides is a defect.
        """
        try:
            with self._its_own_failures(), alarm(self._deadline - time.monotonic()):
                agent.start(self._env.brief)
            if isinstance(agent, Driver):
                self._follow(agent)
            else:
                while self.stop is None:
                    self._carry_out(self._ask(agent))
        except TimeIsUp:
            self._end("time_limit")
        except ComputerError as error:
            self._broken_by(error)
        self._recorder.step(Step(step=self._number, end=True, at=time.time(), saw=self._seen(), stop=self.stop or ""))

    def take(self, turn: Turn) -> Observation:
        """Carry out the turn of a driver and return what is seen then; raises Over when the episode has ended."""
        began = time.monotonic()
        try:
            self._carry_out(turn)
        except Exception as error:
            self._ours = error
            raise
        self.agent_seconds -= time.monotonic() - began
        if self.stop is not None:
            raise Over
        return self._observation

    def _follow(self, driver: Driver) -> None:
        if self.stop is not None:
            return
        began = time.monotonic()
        with suppress(Over), self._its_own_failures((*NOT_ITS_OWN, ComputerError)):
            driver.drive(self.take)
        self.agent_seconds += time.monotonic() - began
        if self._ours is not None:
            raise self._ours
        self._end("done")

    @contextmanager
    def _its_own_failures(self, but: tuple[type[Exception], ...] = NOT_ITS_OWN) -> Iterator[None]:
        """Whatever an agent raises ends the episode as its own doing, except that its model could not be asked."""
        try:
            yield
        except but as error:
            # A request that failed may have cost something all the same.
            if isinstance(call := getattr(error, "call", None), ModelCall):
                self._recorder.call(call, self.turns + 1)
                self.calls.append(call.bare())
            raise
        except BudgetSpent as error:
            self._end(error.limit)
        except Exception as error:
            if self._ours is not None:
                raise self._ours from None
            self.error = f"{type(error).__name__}: {error}"
            self.trace = trace()
            self.crashed = True
            self._end("agent_error")

    def _ask(self, agent: Agent) -> Turn:
        began = time.monotonic()
        turn = Turn()
        try:
            with self._its_own_failures(), alarm(self._deadline - began):
                turn = as_turn(agent.act(self._shown(agent)))
        finally:
            self._thought_sec = time.monotonic() - began
            self.agent_seconds += self._thought_sec
        return turn

    def _shown(self, agent: Agent) -> Observation:
        """Return what the agent wants to see of what the record keeps."""
        seen = self._observation
        return seen if wanted(agent).screenshot else replace(seen, screenshot=None)

    def _carry_out(self, turn: Turn) -> None:
        if time.monotonic() >= self._deadline:
            self._end("time_limit")
        if self.stop is not None:
            return
        self.turns += 1
        self.calls += [call.bare() for call in turn.calls]
        self._told = []
        said: dict[str, Any] = {"reply": turn.reply, "thought": turn.thought, "problem": turn.problem}
        if turn.problem:
            self.parse_errors += 1
            self._told.append(Told("refused", turn.problem))
        if turn.calls:
            # What was seen is kept first: pictures that were sent are found among those that are kept.
            self._seen()
            said["calls"] = tuple(self._recorder.call(call, self.turns) for call in turn.calls)
        before = self.steps
        actions: tuple[Action | None, ...] = turn.actions or (None,)
        for action in actions:
            line: dict[str, Any] = {"step": self._number, "turn": self.turns, "at": time.time(), "saw": self._seen()}
            line |= {name: value for name, value in said.items() if value}
            going_on = self._act(action, line) if action is not None else True
            line["seconds"] = Seconds(**line.pop("took", {}), agent=round(self._thought_sec, 4))
            self._recorder.step(Step(**line))
            self._number += 1
            said, self._thought_sec = {}, 0.0
            self._observation = replace(self._observation, told=tuple(self._told))
            if self.stop is not None or not going_on:
                break
        fruitful = self.steps > before or any(told.kind in ("reply", "feedback") for told in self._told)
        if self.stop is None and (over := self._limits.reached(fruitful=fruitful, calls=self.calls)):
            self.error = over.why if over.stop == "agent_error" else ""
            self._end(over.stop)
        if time.monotonic() >= self._deadline:
            self._end("time_limit")

    def _act(self, action: Action, line: dict[str, Any]) -> bool:
        """Carry out one action and complete its line; tell whether the rest of the turn may follow."""
        line["action"] = action.to_json()
        began = time.monotonic()
        try:
            self._env.allow(action)
            if self._veto and (reason := self._veto(action)):
                raise AgentError(reason)
            if isinstance(action, SignalAction):
                self._hear(action)
                return False
            result = self._step(action)
        except Vetoed as veto:
            line["refused"] = self.error = str(veto)
            self._end("vetoed")
            return False
        except AgentError as error:
            self.refused += 1
            line["refused"] = str(error)
            self._told.append(Told("refused", str(error)))
            return False
        self.steps += 1
        if result is None:
            line["broke"] = self.error
            return False
        self._limits.note(action, result.observation)
        self._tell(result, line, time.monotonic() - began)
        self._observation = result.observation
        if self._watch is not None and (completed := self._watch.look(self._env.computer, trouble=self._troubles)):
            line["nodes"] = completed
        if self._troubles is not None and self._troubles.broke:
            self._end_broken(self._troubles.broke)
        elif result.out_of_steps:
            self._end("step_limit")
        elif self._watch is not None and self._watch.progress.failed:
            self._end("no_progress")
        return True

    def _tell(self, result: StepResult, line: dict[str, Any], seconds: float) -> None:
        """Put what came of an action into its line, and what the agent is to hear of it."""
        performed = result.performed
        if result.trouble:
            line["trouble"] = result.trouble
            self._told.append(Told("refused", result.trouble))
        if performed is None:
            return
        line |= outcome(performed, result.stale)
        self.stale += result.stale > 0
        acting = performed.ended - performed.started
        line["took"] = {"act": round(acting, 4), "see": round(max(seconds - acting, 0.0), 4)}
        if performed.result is not None:
            self._told.append(Told("output", performed.result.output[:SHOWN_OUTPUT]))

    def _step(self, action: Action) -> StepResult | None:
        """Hand an action to the computer; None when the computer is broken by now."""
        if not self._env.acted:
            # Said before, not after: nobody else knows it when this process does not live to tell.
            self._recorder.note(acted=round(time.time(), 3))
        try:
            return self._env.step(action)
        except AgentError:
            raise
        except (ComputerError, OSError) as error:
            self._broken_by(error)
            return None

    def _broken_by(self, error: Exception) -> None:
        """End the episode by a failure of the computer, where the agent is to answer for it; raises it otherwise."""
        if self._troubles is None or not self._env.acted:
            raise error
        self._troubles(error, broken=True)
        self._end_broken(self._troubles.broke)

    def _end_broken(self, what: str) -> None:
        self.error = what
        self._end("broke_the_computer")

    def _hear(self, signal: SignalAction) -> None:
        if isinstance(signal, AskUser):
            if len(self._user.asked) >= MOST_QUESTIONS:
                raise AgentError(f"the user has answered {MOST_QUESTIONS} questions and answers no more")
            self._told.append(Told("reply", self._user.ask(signal.question)))
            return
        self.signal = signal
        if self._feedback_left and self._missing and not isinstance(signal, Fail):
            self._feedback_left -= 1
            missing = self._missing(self.ending)
            if self._troubles is not None and self._troubles.broke:
                self._end_broken(self._troubles.broke)
                return
            if missing:
                self.signal = None
                self._told.extend(Told("feedback", sentence) for sentence in missing)
                return
        stops: dict[type[SignalAction], Stop] = {Done: "done", Answer: "answered", Fail: "gave_up"}
        self._end(stops[type(signal)])

    def _end(self, stop: Stop) -> None:
        self.stop = self.stop or stop

    def _seen(self) -> Saw:
        return self._recorder.see(self._observation, self._number)
