"""Shell and files of a guest that has QEMU's guest agent, as the parts of a computer."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
from collections.abc import Callable, Mapping, Sequence

from proctor.computers.channels.guest_agent.client import Declined, Endless, GuestAgent, Ran
from proctor.computers.channels.ssh.exchange import Done
from proctor.computers.channels.ssh.parts import MOST_BYTES, SshFiles
from proctor.computers.commands import check_words, shell_result
from proctor.computers.values import CommandResult
from proctor.errors import ComputerError, SpecError

AT_ONCE = 4 << 20
"""Bytes of a file that travel in one message; the agent keeps sixteen million of what a command says."""
KILL_SEC = 10.0
READER = "nobody"
NO_SUCH_PROGRAM = 127

BECOME = """
who=$1; sign=$2; shift 2
PATH=${PATH:-/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin}
if [ -z "$who" ] || [ "$who" = "$(id -un)" ]; then
  export PATH HOME="${HOME:-/root}"
  exec setsid sh -c "$RUN" sh "$sign" "$@"
fi
if ! id -u "$who" >/dev/null 2>&1; then printf '%s user\\n' "$sign" >&2; exit 127; fi
eval "HOME=~$who"
USER=$who LOGNAME=$who
export PATH HOME USER LOGNAME
if setpriv --reuid 0 true 2>/dev/null; then
  exec setsid setpriv --reuid "$who" --regid "$(id -g "$who")" --init-groups -- sh -c "$RUN" sh "$sign" "$@"
fi
exec setsid su -p -s /bin/sh -c 'exec sh -c "$RUN" sh "$@"' -- "$who" sh "$sign" "$@"
"""
"""Becomes a user and a session of its own, which can be ended as a whole, and then RUN."""
RUN = """
sign=$1; shift
cd -- "${1:-$HOME}" || exit 126; shift
left=$1; shift
while [ "$left" -gt 0 ]; do export "$1"; shift; left=$((left - 1)); done
if ! command -v -- "$1" >/dev/null 2>&1; then printf '%s program\\n' "$sign" >&2; exit 127; fi
unset RUN
exec "$@"
"""
KILLER = 'kill -KILL -"$1" 2>/dev/null || kill -KILL "$1" 2>/dev/null || true'

_USER = re.compile(r"[a-z_][a-z0-9_.-]{0,31}", re.ASCII)


def check_user(user: str) -> str:
    """Return a user's name of a guest; raises SpecError where it is none."""
    if user and not _USER.fullmatch(user):
        raise SpecError(f"option user={user!r} is not a user's name", remedy="give such a name as user")
    return user


class AgentCommands:
    """Runs programs in a guest as one of its users."""

    def __init__(self, agent: Callable[[], GuestAgent], user: str) -> None:
        """Describe it; the agent is asked for when something is run.

        Args:
            agent: Returns the agent that there is now.
            user: Who runs what nobody else is named for; empty for whoever the agent runs as, which is root.
        """
        self._agent = agent
        self.user = user

    def run(
        self,
        argv: Sequence[str],
        *,
        user: str,
        cwd: str = "",
        env: Sequence[str] = (),
        input: bytes = b"",
        timeout_sec: float,
    ) -> Ran:
        """Run a program to its end; raises ComputerError when it does not end in time or cannot be started."""
        agent = self._agent()
        sign = f"proctor-{secrets.token_hex(8)}"
        begun = ["/bin/sh", "-c", f"RUN={_quoted(RUN)}; export RUN\n{BECOME}", "sh", user, sign, cwd]
        begun += [str(len(env)), *env, *argv]
        try:
            ran = agent.run(begun, input=input, timeout_sec=timeout_sec)
        except Endless as late:
            with contextlib.suppress(Endless, Declined):
                agent.run(["/bin/sh", "-c", KILLER, "sh", str(late.process)], timeout_sec=KILL_SEC)
            raise ComputerError(
                f"{argv[0]!r} has not ended within {timeout_sec:g} s", remedy="give it more time, or less to do"
            ) from late
        except Declined as error:
            raise ComputerError(f"{argv[0]!r} cannot be started: {error.message}") from error
        if ran.cut:
            raise ComputerError(f"{argv[0]!r} said more than the guest agent keeps", remedy="have it say less")
        if ran.code == NO_SUCH_PROGRAM and ran.stderr.startswith(sign.encode()):
            what = "there is no such program" if b" program" in ran.stderr else f"the guest has no user {user!r}"
            raise ComputerError(f"{argv[0]!r} cannot be started: {what}", remedy="add it to the guest")
        return ran

    def shell(
        self, script: str, *arguments: str, input: bytes = b"", timeout_sec: float, most: int = MOST_BYTES
    ) -> Done:
        """Run a script of the plain shell as the guest's user."""
        argv = ["sh", "-c", script, "sh", *arguments]
        ran = self.run(argv, user=self.user, input=input, timeout_sec=timeout_sec)
        return Done(code=ran.code, stdout=ran.stdout, stderr=ran.stderr)


class AgentShell:
    """Commands, run by the guest's user."""

    def __init__(self, commands: AgentCommands) -> None:
        self._commands = commands

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
        """Run a command to its end; as root and as a user who owns nothing without any question."""
        check_words(argv)
        user = "" if root else READER if reader else self._commands.user
        ran = self._commands.run(
            argv, user=user, cwd=cwd or "", env=variables(env or {}), input=input, timeout_sec=timeout_sec
        )
        return shell_result(ran.code, ran.stdout, ran.stderr)


class AgentFiles(SshFiles):
    """Files, read and written by the guest's user; large ones travel in pieces."""

    def read_file(self, path: str, *, most: int | None, follow: bool) -> bytes:
        """Return a file's content; OSError with EFBIG when it is longer than `most`."""
        most = MOST_BYTES if most is None else most
        content = self._read(path, min(AT_ONCE, most + 1), follow)
        whole = bytearray(content)
        while len(content) == AT_ONCE and len(whole) <= most:
            content = self._ask(_PIECE, path, str(len(whole) + 1), str(AT_ONCE)).stdout
            whole += content
        if len(whole) > most:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), path)
        return bytes(whole)

    def _read(self, path: str, count: int, follow: bool) -> bytes:
        try:
            return super().read_file(path, most=count - 1, follow=follow)
        except OSError as error:
            if error.errno != errno.EFBIG:
                raise
        return self._ask(_PIECE, path, "1", str(count)).stdout

    def write_file(self, path: str, data: bytes, *, mode: int) -> None:
        """Write a file, making folders as needed."""
        super().write_file(path, data[:AT_ONCE], mode=mode)
        for start in range(AT_ONCE, len(data), AT_ONCE):
            self._ask(_APPEND, path, input=data[start : start + AT_ONCE])


_PIECE = 'tail -c +"$2" -- "$path" | head -c "$3"'
_APPEND = 'cat >> "$path" || say 113'


def variables(env: Mapping[str, str]) -> list[str]:
    """Return variables as a shell exports them; raises SpecError for what cannot be one."""
    for name, value in env.items():
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name, re.ASCII) or "\0" in value:
            raise SpecError(f"{name!r} is not the name of a variable", remedy="use letters, digits and underscores")
    return [f"{name}={value}" for name, value in env.items()]


def _quoted(script: str) -> str:
    escaped = script.replace("'", "'\\''")
    return f"'{escaped}'"
