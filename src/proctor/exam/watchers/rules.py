"""The watchers that the rules of an exam and its task ask for."""

from __future__ import annotations

from proctor.exam.recorder import Recorder
from proctor.exam.rules import Rules
from proctor.exam.stage import Stage
from proctor.exam.trouble import Troubles
from proctor.exam.watcher import Watcher
from proctor.exam.watchers.critic import critics
from proctor.exam.watchers.events import events_of
from proctor.exam.watchers.feedback import FeedbackWatcher, Missing
from proctor.exam.watchers.flag import FlagWatcher
from proctor.exam.watchers.graph import watcher_of
from proctor.exam.watchers.record import RecordWatcher
from proctor.exam.watchers.sight import sights
from proctor.exam.watchers.veto import vetoes
from proctor.tasks.day_watch import Looking
from proctor.tasks.task import Task


def rule_watchers(
    rules: Rules,
    recorder: Recorder,
    troubles: Troubles,
    stage: Stage,
    *,
    task: Task,
    watch: Looking | None,
    missing: Missing,
    token: str,
) -> list[Watcher]:
    """Return them in their order: the recording goes last.

    Args:
        rules: What was asked for.
        recorder: Where the exam is written down.
        troubles: Hears of a computer that cannot be looked at.
        stage: Brings about what happens by itself.
        task: What is asked; its check may want to know what the agent was shown.
        watch: Looks on at a composed task or a day.
        missing: Judges the computer as it is.
        token: What canaries hold.
    """
    events = events_of(task, rules, stage, recorder)
    looking = watcher_of(watch, troubles)
    # What happens after a step is seen with it.
    watching = [each for each in (events, *sights(task.check), looking) if each is not None]
    # After the judge's own feedback, the critic's: an agent is told one thing at a time.
    talking = [*vetoes(rules), FeedbackWatcher(missing, rules.feedback), *critics(rules, recorder)]
    return [*watching, *talking, FlagWatcher(recorder, token), RecordWatcher(recorder)]
