"""A machine reached by OpenSSH's own client."""

from __future__ import annotations

import contextlib
import errno
import re
import secrets
import shlex
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from proctor.computers.channels.command_output import CommandOutput
from proctor.computers.channels.remote_shell import Who
from proctor.computers.channels.ssh.exchange import Late, converse
from proctor.errors import CommandLate, ComputerError, ComputerLost, HostError, SpecError

CONNECT_SEC = 15
MOST_OUTPUT = 64 << 20
KILL_SEC = 10.0
MOST_WAYS = 200
"""Sockets of the machine that are led here; each stays until the end."""
MOST_REASON = 4096
CLIENT_FAILED = 255
"""With this status the client itself ends; none of our scripts does."""

_TARGET = re.compile(
    r"(?:(?P<user>[\w.][\w.+-]*)@)?(?P<host>\[[0-9A-Fa-f:.]+\]|[\w.][\w.-]*)(?::(?P<port>[0-9]{1,5}))?", re.ASCII
)

RUNNER = """
printf '%s %s\\n' "$1" "$$" >&2; shift
cd -- "${1:-.}" || exit 126; shift
if ! command -v -- "$1" >/dev/null 2>&1; then printf 'cannot be started: %s\\n' "$1" >&2; exit 127; fi
exec "$@"
"""
"""Says which process the command will be, so that it can be ended, and then becomes the command."""
KILLER = """
group=$(ps -o pgid= -p "$1" 2>/dev/null | tr -d ' ')
kill -KILL "-${group:-$1}" 2>/dev/null || kill -KILL "$1" 2>/dev/null || true
"""


@dataclass(frozen=True, kw_only=True)
class SshTarget:
    """Whom to call, as whom."""

    host: str
    user: str = ""
    port: int = 0
    known_hosts: str = ""
    """File with the keys of hosts that are trusted; the user's own when empty."""
    identity: str = ""
    """File with the key to show; what the client finds by itself when empty."""

    def __str__(self) -> str:
        return f"{self.user}@{self.host}" if self.user else self.host


def parse_target(text: str, *, known_hosts: str = "", identity: str = "") -> SshTarget:
    """Return what `user@host:port` means; raises SpecError."""
    found = _TARGET.fullmatch(text)
    port = int(found["port"] or 0) if found else 0
    if found is None or port > 65535:
        raise SpecError(f"ssh={text!r} does not name a machine", remedy="write user@host or user@host:port")
    for name, path in (("known_hosts", known_hosts), ("identity", identity)):
        if path and not Path(path).expanduser().is_file():
            raise SpecError(f"{name}={path} is not a file", remedy="name one that exists")
    return SshTarget(
        host=found["host"].strip("[]"),
        user=found["user"] or "",
        port=port,
        known_hosts=str(Path(known_hosts).expanduser()) if known_hosts else "",
        identity=str(Path(identity).expanduser()) if identity else "",
    )


class Ssh:
    """One connection that all commands share; whoever opens it closes it."""

    def __init__(self, target: SshTarget) -> None:
        self.target = target
        self._folder: str = ""
        self._ways: dict[str, str] = {}
        """Sockets here that lead to sockets there, by the path there."""

    @property
    def name(self) -> str:
        """What the machine is called in an error."""
        return str(self.target)

    def open(self) -> None:
        """Connect; raises ComputerError with what the client says, HostError where there is no client."""
        if self._folder:
            return
        if shutil.which("ssh") is None:
            raise HostError("ssh is not installed", remedy="as an administrator: apt-get install openssh-client")
        # Short, because the name of a socket may have a hundred characters only.
        self._folder = tempfile.mkdtemp(prefix="pssh-")
        argv = [*self._client(), "-o", "ControlMaster=yes", "-f", "-N", "--", str(self.target)]
        with Path(self._folder, "said").open("w+b") as said:  # not a pipe: the connection keeps it
            try:
                opened = subprocess.run(
                    argv, stdin=subprocess.DEVNULL, stdout=said, stderr=said, timeout=2 * CONNECT_SEC, check=False
                )
                failed = opened.returncode != 0
            except subprocess.TimeoutExpired:
                failed = True
            said.seek(0)
            why = said.read(MOST_REASON)
        if failed:
            self.close()
            raise _unreachable(self.target, why)

    def close(self) -> None:
        """End the connection and every command on it; closing twice has no effect."""
        if not self._folder:
            return
        ending = [*self._client(), "-O", "exit", "--", str(self.target)]
        with contextlib.suppress(subprocess.TimeoutExpired, OSError):
            subprocess.run(ending, stdin=subprocess.DEVNULL, capture_output=True, timeout=CONNECT_SEC, check=False)
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder = ""
        self._ways.clear()

    def dial(self, path: str) -> socket.socket:
        """Connect to a Unix socket of the machine as its user; OSError also where it is none."""
        if not path.startswith("/") or not path.isprintable() or ":" in path or not self._folder:
            raise OSError(errno.EINVAL, "there is no such socket at the other end of ssh", path)
        way = self._ways.get(path)
        if way is None:
            if len(self._ways) >= MOST_WAYS:
                raise OSError(errno.EMFILE, "too many sockets of the machine are in use", path)
            way = f"{self._folder}/{len(self._ways)}"
            argv = [*self._client(), "-O", "forward", "-L", f"{way}:{path}", "--", str(self.target)]
            done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=CONNECT_SEC, check=False)
            if done.returncode:
                said = " ".join(done.stderr.decode(errors="replace").split())[-300:]
                raise OSError(errno.ECONNREFUSED, f"ssh does not forward sockets: {said}", path)
            self._ways[path] = way
        sock = socket.socket(socket.AF_UNIX)
        try:
            sock.settimeout(CONNECT_SEC)
            sock.connect(way)
        except BaseException:
            sock.close()
            raise
        return sock

    def command(
        self, argv: Sequence[str], *, who: Who, cwd: str, env: Sequence[str], input: bytes, timeout_sec: float
    ) -> CommandOutput:
        """Run a command to its end, as another user where `sudo` allows it without a question."""
        words = {"user": [], "root": ["sudo", "-n", "--"], "reader": ["sudo", "-n", "-u", "nobody", "--"]}[who]
        words += ["env", *env] if env else []
        # Looked for by itself: `env` and `sudo` would say in their own words that there is no such program.
        look = 'cd -- "$1" && command -v -- "$2" >/dev/null'
        if words and self.shell(look, cwd or ".", argv[0], timeout_sec=timeout_sec).code:
            return CommandOutput(code=127, stdout=b"", stderr=b"", missing=argv[0])
        return self.run([*words, *argv], input=input, timeout_sec=timeout_sec, cwd=cwd)

    def run(
        self, argv: Sequence[str], *, input: bytes, timeout_sec: float, cwd: str = "", most: int = MOST_OUTPUT
    ) -> CommandOutput:
        """Run a command to its end; ComputerError when it is late (and ended), too much or unheard."""
        sign = f"proctor-{secrets.token_hex(8)}"
        command = shlex.join(["sh", "-c", RUNNER, "sh", sign, cwd, *argv])
        try:
            done = self._run(command, input, timeout_sec, most, first_sec=2 * CONNECT_SEC)
        except Late as late:
            self._end(sign, late.stderr)
            kind = ComputerError if late.too_long else CommandLate
            raise kind(f"{argv[0]!r} {late.why}", remedy="allow more time, or do less") from late
        begun, _, said = done.stderr.partition(b"\n")
        if not begun.startswith(sign.encode()):
            raise self._loss(done.stderr)
        missing = argv[0] if done.code == 127 and said.startswith(b"cannot be started: ") else ""
        return CommandOutput(code=done.code, stdout=done.stdout, stderr=said, missing=missing)

    def shell(
        self, script: str, *arguments: str, input: bytes = b"", timeout_sec: float, most: int = MOST_OUTPUT
    ) -> CommandOutput:
        """Run a script of the plain shell; ComputerError when it is late, ComputerLost when unheard."""
        try:
            done = self._run(shlex.join(["sh", "-c", script, "sh", *arguments]), input, timeout_sec, most)
        except Late as late:
            raise ComputerError(f"the machine at {self.target.host} {late.why}") from late
        if done.code == CLIENT_FAILED:
            raise self._loss(done.stderr)
        return done

    def why_lost(self) -> str:
        """Return why the machine cannot be called any more; empty where it answers."""
        try:
            self.shell(":", timeout_sec=2 * CONNECT_SEC)
        except ComputerError as error:
            return error.message
        return ""

    def _loss(self, stderr: bytes) -> ComputerLost:
        failed = _unreachable(self.target, stderr)
        return ComputerLost(failed.message, remedy=failed.remedy)

    def _end(self, sign: str, stderr: bytes) -> None:
        words = stderr.partition(b"\n")[0].decode("ascii", "replace").split()
        if len(words) == 2 and words[0] == sign and words[1].isdigit():
            with contextlib.suppress(ComputerError):  # whoever cannot be reached cannot be ended
                self.shell(KILLER, words[1], timeout_sec=KILL_SEC)

    def _client(self) -> list[str]:
        target = self.target
        options = {
            "BatchMode": "yes",
            # A host that is not known, or shows another key than before, is not spoken with.
            "StrictHostKeyChecking": "yes",
            "ControlPath": f"{self._folder}/c",
            "ConnectTimeout": str(CONNECT_SEC),
            "ServerAliveInterval": "10",
            "ServerAliveCountMax": "3",
            "ForwardAgent": "no",
            "ForwardX11": "no",
            "LogLevel": "ERROR",
            **(
                {"UserKnownHostsFile": target.known_hosts, "GlobalKnownHostsFile": "/dev/null"}
                if target.known_hosts
                else {}
            ),
            **({"IdentityFile": target.identity, "IdentitiesOnly": "yes"} if target.identity else {}),
        }
        port = ["-p", str(target.port)] if target.port else []
        return ["ssh", "-T", *port, *(word for name, value in options.items() for word in ("-o", f"{name}={value}"))]

    def _run(self, command: str, input: bytes, timeout_sec: float, most: int, first_sec: float = 0.0) -> CommandOutput:
        if not self._folder:
            raise ComputerError("the connection by ssh is closed", remedy="start the computer")
        argv = [*self._client(), "--", str(self.target), command]
        with subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
        ) as process:
            try:
                return converse(process, input, timeout_sec, most, first_sec=first_sec)
            finally:
                process.kill()


def _unreachable(target: SshTarget, stderr: bytes) -> ComputerError:
    said = " ".join(stderr.decode(errors="replace").split())[-300:] or "the client gave no reason"
    known = "verification failed" in said or "No host key" in said or "host key" in said.lower()
    remedy = (
        f"check whose key it is, then add it: ssh-keyscan {target.host} >> ~/.ssh/known_hosts, or give known_hosts="
        if known
        else f"see that `ssh -o BatchMode=yes {target} true` works, with a key and no questions"
    )
    return ComputerError(f"no connection to {target} by ssh: {said}", remedy=remedy)
