"""What must not have been done, where some of it cannot be seen; and what GTG needs to start."""

from __future__ import annotations

import pytest

from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.tasks.findings import right, wrong
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import make, run
from proctor.vocabulary.desktop.checks.combine import left_alone


def test_what_was_done_is_not_left_alone() -> None:
    assert left_alone([wrong("no letter"), wrong("no file")], "somebody acted").score == 1.0
    found = left_alone([wrong("no letter"), right()], "somebody acted")
    assert (found.score, found.feedback) == (0.0, ("somebody acted",))


@pytest.mark.sandbox
def test_gtg_finds_a_system_bus() -> None:
    with SandboxComputer(size=(1024, 768)) as computer:
        run(make.todo_at_hand(), SetupContext(computer))
        assert computer.run(["test", "-S", "/run/dbus/system_bus_socket"]).code == 0
