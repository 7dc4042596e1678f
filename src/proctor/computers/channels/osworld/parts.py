"""Tree, shell and files of an OSWorld guest, over the server that it brings, as the parts of a computer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from proctor.computers.channels.guest_agent.parts import AgentFiles, variables
from proctor.computers.channels.osworld.server import OsworldServer
from proctor.computers.commands import check_words, shell_result
from proctor.computers.values import CommandResult
from proctor.errors import ComputerError
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

OsworldFiles = AgentFiles
"""Files go by the same scripts, in the same pieces."""


class OsworldTree:
    """The elements that the server reads from the guest."""

    def __init__(self, server: OsworldServer) -> None:
        self._server = server

    def tree(self) -> Tree:
        """Return the elements of every application."""
        return self._server.tree()

    def element_at(self, x: float, y: float) -> Node | None:
        """Return the smallest element at a place."""
        # Applications are read one after another and none says which window is in front.
        return self.tree().smallest_at(x, y)

    def focused(self) -> Node | None:
        """Return nothing: reading the whole tree takes seconds in these guests."""
        return None


class OsworldShell:
    """Commands, run by the user whose desktop it is."""

    def __init__(self, server: OsworldServer) -> None:
        self._server = server

    def run(
        self,
        argv: Sequence[str],
        *,
        input: bytes,
        timeout_sec: float,
        env: Mapping[str, str] | None,
        cwd: str | None,
        root: bool,
        reader: bool,
    ) -> CommandResult:
        """Run a command to its end; as root or as a user who owns nothing where `sudo` allows it without a question."""
        check_words(argv)
        become = "root" if root else "reader" if reader else ""
        exported = variables(env or {})
        arguments = [cwd or "", become, str(len(exported)), *exported, *argv]
        done = self._server.shell(RUN, *arguments, input=input, timeout_sec=timeout_sec)
        if done.code == MISSING:
            raise ComputerError(
                f"{argv[0]!r} cannot be started: there is no such program", remedy="add it to the guest"
            )
        return shell_result(done.code, done.stdout, done.stderr)
