"""The shelf of computers: one backend per file, opened by name."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from proctor.errors import SpecError
from proctor.registry import Registration, Registry

if TYPE_CHECKING:
    from proctor.computers.computer import Computer
    from proctor.computers.fit import Fit, MachineNeeds

DEFAULT = "sandbox"
"""What is opened unless another kind is named."""
COMPUTERS: Registry[type[Computer]] = Registry(
    "computer backend",
    {
        "android": Registration("proctor.computers.backends.android.computer:AndroidComputer"),
        "browser": Registration("proctor.computers.backends.browser.computer:BrowserComputer"),
        "fake": Registration("proctor.computers.backends.fake.computer:FakeComputer"),
        "local": Registration("proctor.computers.backends.local.computer:LocalComputer"),
        "qemu": Registration("proctor.computers.backends.qemu.computer:QemuComputer"),
        "sandbox": Registration("proctor.computers.backends.sandbox.computer:SandboxComputer"),
        "vnc": Registration("proctor.computers.backends.vnc.computer:VncComputer"),
    },
    group="proctor.computers",
)


def open_computer(backend: str = DEFAULT, **options: Any) -> Computer:
    """Return a computer that starts when it is entered by `with`, or by its `start()`.

    `backend` is a registered name or `module:Class`, `options` what its constructor takes. Raises UnknownName, or
    SpecError for an option that it does not take, or lacks.
    """
    # The contract brings in the imaging library, which whoever only imports this package should not pay for.
    from proctor.computers.computer import Parts

    factory = class_of(backend)
    _check_options(backend, factory, options)
    computer = factory(**options)
    if not isinstance(getattr(computer, "parts", None), Parts):
        raise SpecError(
            f"the computer {backend!r} has no parts",
            remedy="call super().__init__(Parts(screen=..., ...)) in its class",
        )
    return computer


def open_for(backend: str, needs: MachineNeeds, given: Mapping[str, Any] | None = None) -> Computer:
    """Return a computer for a task, opened with what the task needs as the backend takes it.

    `given` are options that count before what the task would like. Raises SpecError that names everything the backend
    lacks for the task.
    """
    found = meet(backend, needs, given)
    if found.lacks:
        raise SpecError(
            f"computer {backend!r} cannot run the task: {'; '.join(found.lacks)}", remedy="choose another computer"
        )
    return open_computer(backend, **found.options)


def meet(backend: str, needs: MachineNeeds, given: Mapping[str, Any] | None = None) -> Fit:
    """Return how a backend meets what a task needs, or everything that it lacks; nothing is started."""
    return class_of(backend).meet(needs, given or {})


def options_of(backend: str) -> Callable[..., object]:
    """Return what declares a backend's options: the dataclass it names, or its constructor."""
    kind = class_of(backend)
    return kind.Options or kind


def class_of(backend: str) -> type[Computer]:
    """Return the class of a backend; raises SpecError for what is no computer."""
    from proctor.computers.computer import Computer

    factory = COMPUTERS.get(backend)
    if not (isinstance(factory, type) and issubclass(factory, Computer)):
        raise SpecError(
            f"{backend!r} is not a computer", remedy="name a class derived from proctor.computers.computer:Computer"
        )
    return factory


def _check_options(backend: str, factory: type[Computer], options: dict[str, Any]) -> None:
    named = inspect.signature(factory).parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in named):
        return
    valid = [parameter.name for parameter in named]
    for option in options:
        if option not in valid:
            near = difflib.get_close_matches(option, valid, n=1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            raise SpecError(
                f"computer {backend!r} takes no option {option!r}",
                remedy=f"{hint}its options are: {', '.join(sorted(valid)) or '(none)'}",
            )
    absent = [
        parameter.name for parameter in named if parameter.default is parameter.empty and parameter.name not in options
    ]
    if absent:
        raise SpecError(f"computer {backend!r} needs the option {absent[0]!r}", remedy=f"pass {absent[0]}=...")
