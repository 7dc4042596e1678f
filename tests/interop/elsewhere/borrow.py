"""The tasks and rules of the contract of doors, for runners that find both by the name of a suite."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from proctor.actions.action import Action, Answer, Fail, SignalAction
from proctor.interop import house
from proctor.suites.suite import Suite
from proctor.tasks.template import fixed_template
from proctor.testing.doors import DoorEnding


@contextmanager
def suite_of(ending: DoorEnding, *modules: object) -> Iterator[str]:
    """Let every suite be the one task of an ending, held under its rules; yields the name of the task."""
    fixed = fixed_template(ending.task)
    template = replace(fixed, name=fixed.name.removesuffix("-v1"))
    suite = Suite("test", 1, "One task.", (template,))
    with pytest.MonkeyPatch.context() as patch:
        for module in (house, *modules):
            patch.setattr(module, "load_suite", lambda name: suite)
        patch.setattr(house, "house_rules", lambda task, steps=None: ending.rules)
        yield template.name


def acts_and_words(ending: DoorEnding) -> tuple[list[Action], str | None]:
    """Return what is done in a script, and the last words; None where whoever acts leaves without any."""
    actions = [step for step in ending.script if isinstance(step, Action)]
    if not actions or not isinstance(last := actions[-1], SignalAction):
        return actions, None
    words = (
        f"ANSWER: {last.text}" if isinstance(last, Answer) else "IMPOSSIBLE: no" if isinstance(last, Fail) else "DONE"
    )
    return actions[:-1], words
