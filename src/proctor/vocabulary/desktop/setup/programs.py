"""Setup steps that start what runs without a window of its own."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from proctor.computers.computer import Computer
from proctor.errors import NotReady, SetupFailed
from proctor.home import absolute
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP

ATTEMPTS = 6


@SETUP.register
def process(context: SetupContext, argv: Annotated[list[str], Field(min_length=1)]) -> None:
    """Start a program of the user in the background and wait until it is running.

    It can be ended like any other.
    """
    # What starts programs inside may ignore signals, and a process inherits that.
    app = context.computer.launch(["env", "--default-signal", *argv], wait=False)

    def is_running(computer: Computer) -> bool:
        found = computer.run(["cat", f"/proc/{app.pid}/cmdline"])
        if found.code != 0:
            raise SetupFailed(f"the program {argv[0]!r} ended at once")
        return found.stdout.split("\0")[0] == argv[0]

    context.computer.wait_for(is_running, what=f"the start of {argv[0]!r}")
    # One that ends at once may have been caught in the act.
    context.computer.settle()
    is_running(context.computer)


@SETUP.register
def terminal(context: SetupContext, folder: str = ".") -> None:
    """Open a terminal in a folder and wait for its prompt."""
    path = absolute(folder).removesuffix("/.")
    context.command(["test", "-d", path])
    context.computer.launch(["lxterminal", f"--working-directory={path}"], window="user@")
    context.computer.wait_for(lambda computer: "$" in (computer.terminal() or ""), what="the prompt of the terminal")


@SETUP.register
def text_changed_meanwhile(context: SetupContext, path: str, text: str, notice: str) -> None:
    """Rewrite a file that is open in an application, and wait until it reports that in these words."""
    for _ in range(ATTEMPTS):
        # In one stroke: an application that sees a file grow asks once per step.
        context.computer.write_file("/tmp/meanwhile", text.encode())
        context.command(["mv", "--force", "/tmp/meanwhile", path])
        try:
            context.computer.locate(name=notice).wait(timeout_sec=1.5)
        except NotReady:
            continue  # applications begin to watch a file a moment after they show it
        context.computer.settle()
        return
    raise SetupFailed(f"no application said {notice!r} when {path} changed")


@SETUP.register
def element_shown(context: SetupContext, name: str, role: str | None = None) -> None:
    """Wait until an element is on the screen, after the window of its application is up."""
    context.computer.locate(name=name, role=role, nth=0).wait()
    context.computer.settle()
