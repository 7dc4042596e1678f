"""What Inspect imports when it starts: the sandbox provider and the tasks, by their names."""

from __future__ import annotations

from proctor.interop.inspect.sandbox import ProctorSandbox
from proctor.interop.inspect.tasks import clean, core, prepare, score_by_checks, suite, tour

__all__ = ["ProctorSandbox", "clean", "core", "prepare", "score_by_checks", "suite", "tour"]
