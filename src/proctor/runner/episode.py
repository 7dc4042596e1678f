"""Playing one episode: the agent is shown the computer, its turns are carried out, until it ends."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace

from proctor.actions.action import Action, Answer, AskUser, CallTool, Done, Fail, SignalAction
from proctor.agents.agent import Agent, Driver, Over, Turn, Vetoed, wanted
from proctor.agents.wire import as_turn
from proctor.env import SHOWN_OUTPUT, Env, StepResult
from proctor.errors import AgentError, ComputerError, ModelError
from proctor.models.usage import BudgetSpent
from proctor.observations.observation import Observation, Want
from proctor.records import ModelCall, Seconds, Step, Stop, Told
from proctor.runner.clock import Clock, TimeIsUp
from proctor.runner.companion import Companion, Companions
from proctor.runner.job import Rules
from proctor.runner.limits import LimitCounter
from proctor.runner.lines import outcome, trace
from proctor.runner.state import EpisodeState
from proctor.runner.tools.toolbox import Toolbox
from proctor.runner.trouble import Troubles
from proctor.tasks.user import MOST_QUESTIONS, SimulatedUser

NOT_ITS_OWN: tuple[type[Exception], ...] = (ModelError, Over)
"""What an agent may raise without having failed: its model could not be asked, or the episode is over."""
HUMAN = "human"
"""In the record, who acts that is not the agent."""
STOPS: dict[type[SignalAction], Stop] = {Done: "done", Answer: "answered", Fail: "gave_up"}


class Episode:
    """One agent at work on one computer, with the companions of the episode."""

    def __init__(
        self,
        env: Env,
        user: SimulatedUser,
        rules: Rules,
        *,
        companions: Sequence[Companion] = (),
        troubles: Troubles | None = None,
        tools: Toolbox | None = None,
    ) -> None:
        self._env, self._user, self._limits = env, user, LimitCounter(rules)
        self._tools = tools
        self._companions = Companions(companions)
        self._troubles = troubles
        self._clock = Clock(0)
        # Nothing is looked at and nothing prepared before it is played.
        self.state = EpisodeState(env, user, Observation(at=0.0, desktop=env.brief.size))
        self._ours: Exception | None = None
        """What a driver was interrupted by that is not its own."""

    def play(self, agent: Agent | Driver) -> None:
        """Prepare the computer and let an agent work on it until the episode ends.

        Raises ModelError, HostError, and ComputerError as long as the agent has not acted: such an episode says nothing
        about the agent. A computer that fails later is broken by what was done on it, and ends the episode. Whatever
        else the agent raises is its own failure; what Proctor and companions raise besides is a defect.
        """
        state = self.state
        state.observation = self._env.reset()
        with self._companions.accompany(state):
            self._clock = clock = Clock(self._env.brief.seconds)
            state.thought = lambda: clock.thought
            try:
                with self._its_own_failures(), clock.agents_time():
                    agent.start(state.brief)
                if isinstance(agent, Driver):
                    self._follow(agent)
                else:
                    while state.stop is None:
                        self._carry_out(self._ask(agent))
                        self._stand_in()
            except TimeIsUp:
                state.finish("time_limit")
            except ComputerError as error:
                self._broken_by(error)

    def _ask(self, agent: Agent) -> Turn:
        """Show an agent what it wants to see, and return its turn."""
        seen = self.state.observation
        # A picture is taken for the record in any case.
        shown = seen if wanted(agent).screenshot else replace(seen, screenshot=None)
        turn = Turn()
        with self._its_own_failures(), self._clock.agents_time():
            turn = as_turn(agent.act(shown))
        return turn  # noqa: RET504 (what the agent failed with ends the block)

    def _carry_out(self, turn: Turn, by: str = "") -> None:
        """Carry out the actions of a turn, one after the other, as far as they can be and the episode lasts."""
        state = self.state
        state.by = by
        if self._clock.is_up:
            state.finish("time_limit")
        if state.stop is not None:
            return
        state.turn, state.turns, state.told = turn, state.turns + 1, []
        state.calls += [call.bare() for call in turn.calls]
        if turn.problem:
            state.parse_errors += 1
            state.told.append(Told("refused", turn.problem))
        before = state.steps
        if turn.look is not None and not turn.actions:
            self._look(turn.look)
        said = {"reply": turn.reply, "thought": turn.thought, "problem": turn.problem, "calls": turn.calls}
        for action in turn.actions or (None,):
            step = Step(step=state.number, turn=state.turns, at=time.time(), by=by, **said)  # type: ignore[arg-type]
            said, state.result = {}, None
            if action is not None:
                step = self._attempt(action, replace(step, action=action.to_json()))
            state.observation = replace(state.observation, told=tuple(state.told))
            step = replace(step, seconds=replace(step.seconds or Seconds(), agent=round(self._clock.lap(), 4)))
            self._companions.after_action(state, step)
            state.number += 1
            self._see_whether_it_broke()
            if state.stop is not None or state.result is None:
                break
        heard = any(told.kind in ("reply", "feedback") for told in state.told)
        fruitful = state.steps > before or heard or turn.look is not None
        if state.stop is None and (over := self._limits.reached(fruitful=fruitful, calls=state.calls)):
            state.finish(over.stop, over.why if over.stop == "agent_error" else "")
        if self._clock.is_up:
            state.finish("time_limit")

    def _stand_in(self) -> None:
        """Let a person act who took over, until they hand back; the agent then sees what they left."""
        state, began = self.state, time.monotonic()
        if state.stop is not None:
            return
        told, acted = list(state.told), False
        for turn in self._companions.stand_in(state):
            self._carry_out(turn, by=HUMAN)
            acted = True
            if self._is_over():
                break
        state.by = ""
        said = state.told if acted else state.told[len(told) :]
        if (acted or said) and not self._is_over():
            self._look(self._env.want)
            state.told = [*told, *said]
            state.observation = replace(state.observation, told=tuple(state.told))
        self._clock.put_off(time.monotonic() - began)

    def _is_over(self) -> bool:
        return self.state.stop is not None

    def _look(self, want: Want) -> None:
        """Show the agent the computer as it is now; one that cannot be seen any more ends the episode."""
        try:
            # A record without pictures could not be replayed.
            self.state.observation = self._env.look(replace(want, screenshot=True))
        except (ComputerError, OSError) as error:
            self._broken_by(error)

    def _attempt(self, action: Action, step: Step) -> Step:
        """Carry out one action, unless it is not allowed or a companion does not let it through."""
        state = self.state
        try:
            if not state.by:
                self._env.allow(action)
            told = self._companions.before_action(state, action)
            self._clock.put_off(state.waited)
            state.waited = 0.0
            if (instead := state.instead) is not None:
                state.instead = None
                state.told += told
                return self._attempt(instead, replace(step, action=instead.to_json(), meant=step.meant or step.action))
            state.told += told
            if refused := " ".join(each.text for each in told if each.kind == "refused"):
                state.refused += 1
                return replace(step, refused=refused)
            if told or state.stop is not None:
                return step
            if isinstance(action, SignalAction):
                self._hear(action)
                return step
            return self._perform(action, step)
        except Vetoed as veto:
            state.finish("vetoed", str(veto))
            return replace(step, refused=str(veto))
        except AgentError as error:
            state.refused += 1
            state.told.append(Told("refused", str(error)))
            return replace(step, refused=str(error))

    def _perform(self, action: Action, step: Step) -> Step:
        """Hand an action to the computer, and return its step with what came of it."""
        state, began = self.state, time.monotonic()
        try:
            if isinstance(action, CallTool) and self._tools is not None:
                used = self._tools.use(action)
                result = self._env.take_note(used, self._env.look(self._env.want))
            else:
                done = self._companions.performed(state, action)
                result = self._env.carry_out(action) if done is None else self._env.take_note(*done)
        except AgentError:
            raise
        except (ComputerError, OSError) as error:
            self._broken_by(error)
            state.steps += 1
            return replace(step, broke=state.error)
        state.steps += 1
        state.result = result
        self._limits.note(action, result.observation)
        state.observation = result.observation
        if result.out_of_steps:
            state.finish("step_limit")
        return self._told(result, step, time.monotonic() - began)

    def _told(self, result: StepResult, step: Step, seconds: float) -> Step:
        """Return a step with what came of its action, which the agent is told as far as it concerns it."""
        state, performed = self.state, result.performed
        if result.trouble:
            state.told.append(Told("refused", result.trouble))
            step = replace(step, trouble=result.trouble)
        if performed is None:
            return step
        state.stale += result.stale > 0
        if performed.result is not None:
            said = performed.result
            state.told.append(Told("output", said.output[:SHOWN_OUTPUT], said.pictures))
        acting = performed.ended - performed.started
        took = Seconds(act=round(acting, 4), see=round(max(seconds - acting, 0.0), 4))
        return replace(step, seconds=took, **outcome(performed, result.stale))

    def _hear(self, signal: SignalAction) -> None:
        """Take note of a signal, or have the user answer."""
        state = self.state
        if not isinstance(signal, AskUser):
            state.signal = signal
            state.finish(STOPS[type(signal)])
        elif len(self._user.asked) >= MOST_QUESTIONS:
            raise AgentError(f"the user has answered {MOST_QUESTIONS} questions and answers no more")
        else:
            state.told.append(Told("reply", self._user.ask(signal.question)))

    # Drivers.

    def _follow(self, driver: Driver) -> None:
        """Let a driver make its turns: it has the same clock, which stands while we carry them out."""
        state = self.state
        if state.stop is not None:
            return
        # One that looks at the computer by itself is not torn out of a request; it is told at its next action.
        time = self._clock.agents_time(rings=not getattr(driver, "looks_by_itself", False))
        with suppress(Over), self._its_own_failures((*NOT_ITS_OWN, ComputerError)), time:
            driver.drive(self.take)
        if self._ours is not None:
            raise self._ours
        state.finish("time_limit" if self._clock.is_up else "done")

    def take(self, turn: Turn) -> Observation:
        """Carry out the turn of a driver and return what is seen then; raises Over when the episode has ended."""
        with self._clock.our_time():
            try:
                self._carry_out(turn)
                self._stand_in()
            except Exception as error:
                self._ours = error
                raise
        if self.state.stop is not None:
            raise Over
        return self.state.observation

    # Whose failure it is.

    @contextmanager
    def _its_own_failures(self, but: tuple[type[Exception], ...] = NOT_ITS_OWN) -> Iterator[None]:
        """Whatever an agent raises ends the episode as its own doing, except that its model could not be asked."""
        state = self.state
        try:
            yield
        except but as error:
            # A request that failed may have cost something all the same.
            if isinstance(call := getattr(error, "call", None), ModelCall):
                state.failed_call = call
                state.calls.append(call.bare())
            raise
        except BudgetSpent as error:
            state.finish(error.limit)
        except Exception as error:
            if self._ours is not None:
                raise self._ours from self._ours.__cause__
            if self._clock.is_up:
                state.finish("time_limit")
                return
            state.trace, state.crashed = trace(), True
            state.finish("agent_error", f"{type(error).__name__}: {error}")

    def _broken_by(self, error: Exception) -> None:
        """End the episode by a failure of the computer, where the agent is to answer for it; raises it otherwise."""
        if self._troubles is None or not self._env.acted:
            raise error
        self._troubles(error, broken=True)
        self._see_whether_it_broke()

    def _see_whether_it_broke(self) -> None:
        if self._troubles is not None and self._troubles.broke:
            self.state.finish_broken(self._troubles.broke)
