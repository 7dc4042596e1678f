"""Commands in an OSWorld guest and its tree, over the server that it brings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from proctor.computers.channels.command_output import CommandOutput
from proctor.computers.channels.osworld.server import OsworldServer
from proctor.computers.channels.remote_shell import Who
from proctor.observations.tree import Node, Tree

RUN = """
cd -- "${1:-$HOME}" || exit 126; shift
become=$1 left=$2; shift 2
while [ "$left" -gt 0 ]; do export "$1"; shift; left=$((left - 1)); done
if ! command -v -- "$1" >/dev/null 2>&1; then exit 199; fi
case $become in
  root) exec sudo -n -E -- "$@" ;;
  reader) exec sudo -n -u nobody -- "$@" ;;
  *) exec "$@" ;;
esac
"""
MISSING = 199


class OsworldTree:
    """The elements that the server reads from the guest."""

    def __init__(self, server: OsworldServer) -> None:
        self._server = server

    def tree(self) -> Tree:
        return self._server.tree()

    def element_at(self, x: float, y: float) -> Node | None:
        """Return the smallest element at a place."""
        # Applications are read one after another and none says which window is in front.
        return self.tree().smallest_at(x, y)

    def focused(self) -> Node | None:
        """Return nothing: reading the whole tree takes seconds in these guests."""
        return None


class OsworldCommands:
    """Commands, run by the user whose desktop it is."""

    def __init__(self, server: OsworldServer) -> None:
        self._server = server

    def command(
        self, argv: Sequence[str], *, who: Who, cwd: str, env: Sequence[str], input: bytes, timeout_sec: float
    ) -> CommandOutput:
        """Run a command to its end, as another user where `sudo` allows it without a question."""
        arguments = [cwd, who, str(len(env)), *env, *argv]
        done = self._server.shell(RUN, *arguments, input=input, timeout_sec=timeout_sec)
        return replace(done, missing=argv[0]) if done.code == MISSING else done
