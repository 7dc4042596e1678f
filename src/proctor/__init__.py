"""Proctor examines computer-use agents; these are its public names, each loaded when first used."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from proctor.actions.action import (
        Action,
        Answer,
        AskUser,
        Click,
        Done,
        Drag,
        Fail,
        Given,
        KeyDown,
        KeyUp,
        LongPress,
        MouseDown,
        MouseUp,
        Move,
        OpenApp,
        Pinch,
        Press,
        RunCode,
        Scroll,
        Swipe,
        Tap,
        Type,
        Wait,
    )
    from proctor.computers import open_computer
    from proctor.computers.computer import (
        App,
        Change,
        CodeResult,
        CommandResult,
        Computer,
        FileInfo,
        Performed,
        Snapshot,
        Window,
    )
    from proctor.computers.locator import Locator
    from proctor.computers.pool import Pool
    from proctor.errors import (
        AgentError,
        CheckError,
        ComputerError,
        ComputerLost,
        ElementNotFound,
        HostError,
        ImageError,
        MissingExtra,
        ModelError,
        NotReady,
        ProctorError,
        SetupFailed,
        SpecError,
        UnknownName,
    )
    from proctor.exam.exam import Exam
    from proctor.exam.rules import Rules
    from proctor.exam.watcher import Watcher
    from proctor.observations.box import Box
    from proctor.observations.observation import Observation, Want
    from proctor.observations.tree import Node, Tree
    from proctor.records import Brief
    from proctor.runner import run
    from proctor.store.walk import open_run
    from proctor.suites import load_suite
    from proctor.tasks.load import load_task
    from proctor.tasks.task import Task
    from proctor.tasks.verdict import Verdict

__all__ = [
    "Action", "AgentError", "Answer", "App", "AskUser", "Box", "Brief", "Change", "CheckError", "Click", "CodeResult",
    "CommandResult", "Computer", "ComputerError", "ComputerLost", "Done", "Drag", "ElementNotFound", "Exam", "Fail",
    "FileInfo", "Given", "HostError", "ImageError", "KeyDown", "KeyUp", "Locator", "LongPress", "MissingExtra",
    "ModelError", "MouseDown", "MouseUp", "Move", "Node", "NotReady", "Observation", "OpenApp", "Performed", "Pinch",
    "Pool", "Press", "ProctorError", "Rules", "RunCode", "Scroll", "SetupFailed", "Snapshot", "SpecError", "Swipe",
    "Tap", "Task", "Tree", "Type", "UnknownName", "Verdict", "Wait", "Want", "Watcher", "Window", "load_suite",
    "load_task", "open_computer", "open_run", "run",
]  # fmt: skip

_HOMES = {
    "proctor.actions.action": (
        "Action", "Answer", "AskUser", "Click", "Done", "Drag", "Fail", "Given", "KeyDown", "KeyUp", "LongPress",
        "MouseDown", "MouseUp", "Move", "OpenApp", "Pinch", "Press", "RunCode", "Scroll", "Swipe", "Tap", "Type",
        "Wait",
    ),
    "proctor.computers": ("open_computer",),
    "proctor.computers.computer": (
        "App", "Change", "CodeResult", "CommandResult", "Computer", "FileInfo", "Performed", "Snapshot", "Window",
    ),
    "proctor.computers.locator": ("Locator",),
    "proctor.computers.pool": ("Pool",),
    "proctor.errors": (
        "AgentError", "CheckError", "ComputerError", "ComputerLost", "ElementNotFound", "HostError", "ImageError",
        "MissingExtra", "ModelError", "NotReady", "ProctorError", "SetupFailed", "SpecError", "UnknownName",
    ),
    "proctor.exam.exam": ("Exam",),
    "proctor.exam.rules": ("Rules",),
    "proctor.exam.watcher": ("Watcher",),
    "proctor.observations.box": ("Box",),
    "proctor.observations.observation": ("Observation", "Want"),
    "proctor.observations.tree": ("Node", "Tree"),
    "proctor.records": ("Brief",),
    "proctor.runner": ("run",),
    "proctor.store.walk": ("open_run",),
    "proctor.suites": ("load_suite",),
    "proctor.tasks.load": ("load_task",),
    "proctor.tasks.task": ("Task",),
    "proctor.tasks.verdict": ("Verdict",),
}  # fmt: skip
"""The module each public name comes from."""


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return importlib.import_module("proctor.version").VERSION
    for module, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(module), name)
    raise AttributeError(f"module 'proctor' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
