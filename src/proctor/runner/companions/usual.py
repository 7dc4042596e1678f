"""The companions that the rules of a run and its task ask for."""

from __future__ import annotations

from proctor.env import Env
from proctor.runner.canaries import token_of
from proctor.runner.companion import Companion
from proctor.runner.companions.criticising import critics
from proctor.runner.companions.feedback import Feedback
from proctor.runner.companions.flagging import Flagging
from proctor.runner.companions.recording import Recording
from proctor.runner.companions.veto import vetoes
from proctor.runner.companions.watching_a_graph import WatchingAGraph
from proctor.runner.job import Job
from proctor.runner.recorder import Recorder
from proctor.runner.trouble import Troubles
from proctor.tasks.judge import judge
from proctor.tasks.probe_context import Ending
from proctor.tasks.watch import Watch


def usual(job: Job, env: Env, recorder: Recorder, watch: Watch | None, troubles: Troubles) -> list[Companion]:
    """Return them in their order: the recording goes last."""

    def missing(ending: Ending) -> tuple[str, ...]:
        verdict = judge(job.task, env.computer, ending, watch, troubles if env.acted else None)
        return () if verdict.passed else verdict.feedback

    watching = [WatchingAGraph(watch, troubles)] if watch else []
    rules = job.rules
    talking: list[Companion] = [*vetoes(rules), Feedback(missing, rules.feedback)]
    # After the judge's own feedback: an agent is told one thing at a time.
    talking += critics(rules, recorder)
    return [*watching, *talking, Flagging(recorder, token_of(job)), Recording(recorder)]
