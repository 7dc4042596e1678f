"""Commands and scripts in a guest that has QEMU's guest agent."""

from __future__ import annotations

import contextlib
import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace

from proctor.computers.channels.command_output import CommandOutput
from proctor.computers.channels.guest_agent.client import Declined, Endless, GuestAgent
from proctor.computers.channels.remote_files import MOST_BYTES
from proctor.computers.channels.remote_shell import Who
from proctor.errors import CommandLate, ComputerError, SpecError

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
        """Describe it; no `user` means whoever the agent runs as, which is root."""
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
    ) -> CommandOutput:
        """Run a program to its end; ComputerError when it takes too long or cannot be started."""
        agent = self._agent()
        sign = f"proctor-{secrets.token_hex(8)}"
        begun = ["/bin/sh", "-c", f"RUN={_quote(RUN)}; export RUN\n{BECOME}", "sh", user, sign, cwd]
        begun += [str(len(env)), *env, *argv]
        try:
            ran = agent.run(begun, input=input, timeout_sec=timeout_sec)
        except Endless as late:
            with contextlib.suppress(Endless, Declined):
                agent.run(["/bin/sh", "-c", KILLER, "sh", str(late.process)], timeout_sec=KILL_SEC)
            raise CommandLate(
                f"{argv[0]!r} did not finish within {timeout_sec:g} s", remedy="allow more time, or do less"
            ) from late
        except Declined as error:
            raise ComputerError(f"{argv[0]!r} cannot be started: {error.message}") from error
        if ran.cut:
            raise ComputerError(f"{argv[0]!r} said more than the guest agent keeps", remedy="make it print less")
        if ran.code == NO_SUCH_PROGRAM and ran.stderr.startswith(sign.encode()):
            if b" program" in ran.stderr:
                return replace(ran, missing=argv[0])
            raise ComputerError(
                f"{argv[0]!r} cannot be started: the guest has no user {user!r}", remedy="add it to the guest"
            )
        return ran

    def command(
        self, argv: Sequence[str], *, who: Who, cwd: str, env: Sequence[str], input: bytes, timeout_sec: float
    ) -> CommandOutput:
        """Run a command to its end; as root and as a user who owns nothing without any question."""
        user = {"user": self.user, "root": "", "reader": READER}[who]
        return self.run(argv, user=user, cwd=cwd, env=env, input=input, timeout_sec=timeout_sec)

    def shell(
        self, script: str, *arguments: str, input: bytes = b"", timeout_sec: float, most: int = MOST_BYTES
    ) -> CommandOutput:
        """Run a script of the plain shell as the guest's user."""
        argv = ["sh", "-c", script, "sh", *arguments]
        return self.run(argv, user=self.user, input=input, timeout_sec=timeout_sec)


def _quote(script: str) -> str:
    escaped = script.replace("'", "'\\''")
    return f"'{escaped}'"
