"""What Inspect imports when it starts: the sandbox provider and the tasks, by their names."""

from __future__ import annotations

from proctor.interop.inspect.sandbox import ProctorSandbox
from proctor.interop.inspect.tasks import core, judged, prepared, suite, tour

__all__ = ["ProctorSandbox", "core", "judged", "prepared", "suite", "tour"]
