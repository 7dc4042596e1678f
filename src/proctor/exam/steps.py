"""The steps of an exam: turns and actions taken one by one, with the rules and whoever watches between them."""

from __future__ import annotations

import time
from dataclasses import replace

from proctor.actions.action import Action, AskUser, CallTool, SignalAction
from proctor.agents.agent import Turn, Vetoed
from proctor.computers.computer import Performed
from proctor.errors import AgentError, ComputerError
from proctor.exam.clock import ExamClock
from proctor.exam.limits import LimitCounter
from proctor.exam.lines import outcome
from proctor.exam.rules import Rules
from proctor.exam.state import STOPS, ExamState, StepResult
from proctor.exam.station import Station
from proctor.exam.tools.toolbox import Toolbox
from proctor.exam.trouble import Troubles
from proctor.exam.watcher import AlreadyPerformed, Refusal, Replacement, Watchers
from proctor.observations.observation import Observation, Want
from proctor.records import Seconds, Step, Told
from proctor.tasks.user import MOST_QUESTIONS

SHOWN_OUTPUT = 16_384
"""Characters of a program's output that an agent is shown."""


def show_again(state: ExamState, station: Station) -> None:
    """Have the agent shown the computer as it is now, and told what it was to be told."""
    state.observation = replace(station.look(), told=tuple(state.told))


class Stepper:
    """Takes the steps of one exam that has begun."""

    def __init__(
        self,
        station: Station,
        state: ExamState,
        rules: Rules,
        clock: ExamClock,
        watchers: Watchers,
        troubles: Troubles,
        tools: Toolbox | None,
    ) -> None:
        self._station, self._state, self._clock = station, state, clock
        self._limits = LimitCounter(rules)
        self._watchers, self._troubles, self._tools = watchers, troubles, tools
        self._last = StepResult(observation=state.observation, steps_left=station.brief.max_steps)

    def take(self, turn: Turn, by: str = "") -> StepResult:
        """Carry out a turn, then let others act who have something to do between two turns of the agent."""
        self._clock.take_back()
        try:
            self._carry_out(turn, by)
            if not by:
                self._let_others_act()
        finally:
            self._clock.give()
        return self._report()

    def note(self, performed: Performed, seen: Observation | None) -> StepResult:
        """Take in an action that was carried out already."""
        self._clock.take_back()
        unseen: Exception | None = None
        try:
            try:
                seen = seen or self._station.look()
            except (ComputerError, OSError) as error:
                # It was done all the same, and may be what broke the computer.
                seen, unseen = self._state.observation, error
            self._carry_out(Turn(actions=(performed.action,)), done=AlreadyPerformed(performed, seen))
            if unseen is not None:
                self._broken_by(unseen)
        finally:
            self._clock.give()
        return self._report()

    def _report(self) -> StepResult:
        """Return what the last step led to, with what there is to be seen and told by now."""
        state = self._state
        left = max(self._station.brief.max_steps - state.own_steps, 0)
        return replace(self._last, observation=state.observation, stop=state.stop, steps_left=left)

    # -- turns ----------------------------------------------------------------------------------------------------

    def _carry_out(self, turn: Turn, by: str = "", done: AlreadyPerformed | None = None) -> None:
        """Carry out the actions of a turn, one after the other, as far as they can be and the exam lasts."""
        state = self._state
        state.by = by
        self._last = StepResult(observation=state.observation)
        if self._clock.is_up:
            state.finish("time_limit")
        if state.stop is not None:
            return
        state.turn, state.turns, state.told = turn, state.turns + 1, []
        state.calls += [call.bare() for call in turn.calls]
        if turn.problem:
            state.parse_errors += 1
            state.told.append(Told("refused", turn.problem))
            self._last = replace(self._last, refused=turn.problem)
        before = state.steps
        if turn.look is not None and not turn.actions:
            self._look(turn.look)
        self._carry_out_actions(turn, by, done)
        heard = any(told.kind in ("reply", "feedback") for told in state.told)
        fruitful = state.steps > before or heard or turn.look is not None
        problem = turn.problem or self._last.refused
        limits = self._limits
        if state.stop is None and (
            over := limits.find_limit(turn, fruitful=fruitful, problem=problem, calls=state.calls)
        ):
            state.finish(over.stop, over.why if over.stop in ("agent_error", "refused", "silent") else "")
        if self._clock.is_up:
            state.finish("time_limit")

    def _carry_out_actions(self, turn: Turn, by: str, done: AlreadyPerformed | None) -> None:
        state = self._state
        said = {"reply": turn.reply, "thought": turn.thought, "problem": turn.problem, "calls": turn.calls}
        for action in turn.actions or (None,):
            step = Step(step=state.number, turn=state.turns, at=time.time(), by=by, **said)  # type: ignore[arg-type]
            said, state.result = {}, None
            if action is not None:
                step = self._attempt(action, replace(step, action=action.to_json()), done)
            state.observation = replace(state.observation, told=tuple(state.told))
            step = replace(step, seconds=replace(step.seconds or Seconds(), agent=round(self._clock.lap(), 4)))
            self._watchers.after(state, step)
            state.number += 1
            self._see_whether_it_broke()
            if state.stop is not None or state.result is None:
                break

    def _let_others_act(self) -> None:
        """Let a person act who took over, until they hand back; the agent then sees what they left."""
        state, began = self._state, time.monotonic()
        if state.stop is not None:
            return
        told, acted, last = list(state.told), False, self._last
        for by, turn in self._watchers.between(state):
            self._carry_out(turn, by)
            acted = True
            if self._is_over():
                break
        state.by, self._last = "", last
        said = state.told if acted else state.told[len(told) :]
        if (acted or said) and not self._is_over():
            self._look(self._station.want)
            state.told = [*told, *said]
            state.observation = replace(state.observation, told=tuple(state.told))
        self._clock.put_off(time.monotonic() - began)

    def _is_over(self) -> bool:
        return self._state.stop is not None

    def _look(self, want: Want) -> None:
        """Show the agent the computer as it is now; one that cannot be seen any more ends the exam."""
        try:
            shown = replace(want, screenshot=want.screenshot or self._station.want.screenshot)
            self._state.observation = self._station.look(shown)
        except (ComputerError, OSError) as error:
            self._broken_by(error)

    # -- actions --------------------------------------------------------------------------------------------------

    def _attempt(self, action: Action, step: Step, done: AlreadyPerformed | None = None) -> Step:
        """Carry out one action, unless it is not allowed or a watcher does not let it through."""
        state = self._state
        self._last = StepResult(observation=state.observation, action=action)
        try:
            if not state.by and done is None:
                self._station.allow(action)
            reply = self._watchers.before(state, action)
            if isinstance(reply, Replacement):
                state.told += reply.told
                instead = replace(step, action=reply.action.to_json(), meant=step.meant or step.action)
                return self._attempt(reply.action, instead)
            # What a hand has done already cannot be refused any more.
            if isinstance(reply, Refusal) and done is None:
                return self._refuse(reply, step)
            if state.stop is not None and done is None:
                return step
            if isinstance(action, SignalAction):
                self._hear(action)
                return step
            return self._perform(action, step, reply if isinstance(reply, AlreadyPerformed) else done)
        except Vetoed as veto:
            state.finish("vetoed", str(veto))
            return replace(step, refused=str(veto))
        except AgentError as error:
            return self._refuse(Refusal.because(str(error)), step)

    def _refuse(self, refusal: Refusal, step: Step) -> Step:
        """Tell the agent why an action is not carried out, or what it should know before."""
        state = self._state
        state.told += refusal.told
        refused = " ".join(each.text for each in refusal.told if each.kind == "refused")
        state.refused += bool(refused)
        self._last = replace(self._last, refused=refused)
        return replace(step, refused=refused) if refused else step

    def _perform(self, action: Action, step: Step, done: AlreadyPerformed | None) -> Step:
        """Hand an action to the computer, and return its step with what came of it."""
        state, began = self._state, time.monotonic()
        try:
            result = self._carried_out(action, done)
        except AgentError:
            raise
        except (ComputerError, OSError) as error:
            self._broken_by(error)
            state.steps += 1
            return replace(step, broke=state.error)
        finally:
            state.acted = self._station.acted
        state.steps += 1
        state.result = self._last = result
        self._limits.note(action, result.observation)
        state.observation = result.observation
        if state.own_steps >= self._station.brief.max_steps:
            state.finish("step_limit")
        return self._describe(result, step, time.monotonic() - began)

    def _carried_out(self, action: Action, done: AlreadyPerformed | None) -> StepResult:
        station = self._station
        if isinstance(action, CallTool) and done is None and self._tools is not None:
            done = AlreadyPerformed(self._tools.use(action), station.look())
        if done is not None:
            station.note(done.performed)
            seen = replace(done.seen, steps=station.steps)
            return StepResult(observation=seen, action=action, performed=done.performed)
        stale = station.stale()
        performed, trouble = station.perform(action)
        return StepResult(observation=station.look(), action=action, performed=performed, trouble=trouble, stale=stale)

    def _describe(self, result: StepResult, step: Step, seconds: float) -> Step:
        """Return a step with what came of its action, which the agent is told as far as it concerns it."""
        state, performed = self._state, result.performed
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
        state = self._state
        if not isinstance(signal, AskUser):
            state.signal = signal
            state.finish(STOPS[type(signal)])
        elif len(state.user.asked) >= MOST_QUESTIONS:
            raise AgentError(f"the user has answered {MOST_QUESTIONS} questions and will not answer any more")
        else:
            state.told.append(Told("reply", state.user.ask(signal.question)))

    # -- a computer that breaks -----------------------------------------------------------------------------------

    def _broken_by(self, error: Exception) -> None:
        """End the exam by a failure of the computer, where the agent is to answer for it; raises it otherwise."""
        if not self._state.acted and not self._station.acted:
            raise error
        self._troubles(error, broken=True)
        self._see_whether_it_broke()

    def _see_whether_it_broke(self) -> None:
        if self._troubles.broke:
            self._state.finish_broken(self._troubles.broke)
