"""Shell and files of a machine that is reached by ssh, as the parts of a computer."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Mapping, Sequence
from typing import NoReturn, Protocol

from proctor.computers.channels.ssh.client import Ssh
from proctor.computers.channels.ssh.exchange import Done
from proctor.computers.commands import check_words, shell_result
from proctor.computers.entries import FileInfo, kind_of
from proctor.computers.values import CommandResult
from proctor.errors import ComputerError, SpecError

FILES_SEC = 60.0
MOST_BYTES = 64 << 20
MOST_ENTRIES = 10_000

_KNOWN = """
case $1 in /*) path=$1 ;; *) path=$HOME/$1 ;; esac
say() { exit "$1"; }
above() {
  up=$path
  while :; do
    up=${up%/*}; [ -n "$up" ] || return 0
    [ -d "$up" ] && return 0
    [ -e "$up" ] || [ -L "$up" ] && say 120
  done
}
there() { [ -e "$path" ] || [ -L "$path" ] || { above; say 102; }; }
"""
"""Exit statuses from 100 on are the numbers of errors, as `open` would give them."""
_READ = """
there
[ "$2" = no ] && [ -L "$path" ] && say 140
[ -d "$path" ] && say 121
[ -e "$path" ] || say 102
[ -r "$path" ] || say 113
head -c "$3" < "$path" || say 105
"""
_WRITE = """
case $path in */*) mkdir -p -- "${path%/*}" 2>/dev/null || { above; [ -d "${path%/*}" ] || say 113; } ;; esac
[ -d "$path" ] && say 121
umask 077
cat > "$path" || say 113
chmod "$2" "$path" || say 113
"""
_REMOVE = 'there; rm -rf -- "$path" || say 113; '
_ONE = """
if stat -c %s / >/dev/null 2>&1; then
  one() { stat -c '%f %s %Y' -- "$1"; }
else
  one() { stat -f '%Xp %z %m' -- "$1"; }
fi
row() { facts=$(one "$1") && printf '%s %s\\0' "$facts" "$1"; }
"""
_INFO = _ONE + 'there; row "$path"'
_LIST = (
    _ONE
    + """
there
[ -d "$path" ] || say 120
cd -- "$path" || say 113
for entry in * .*; do
  case $entry in .|..) continue ;; esac
  if [ -e "$entry" ] || [ -L "$entry" ]; then row "${path%/}/$entry"; fi
done
exit 0
"""
)


class Scripts(Protocol):
    """Something that runs scripts of the plain shell on a machine, by ssh or by another way."""

    def shell(self, script: str, *arguments: str, input: bytes = ..., timeout_sec: float, most: int = ...) -> Done:
        """Run a script with arguments to its end; raises ComputerError when that takes too long or leaves too much."""


class SshShell:
    """Commands, run by the user who was named."""

    def __init__(self, ssh: Ssh) -> None:
        self._ssh = ssh

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
        become = ["sudo", "-n", "--"] if root else ["sudo", "-n", "-u", "nobody", "--"] if reader else []
        given = ["env", *(f"{name}={value}" for name, value in env.items())] if env else []
        # Looked for by itself: `env` and `sudo` would say in their own words that there is no such program.
        if (become or given) and self._ssh.shell(
            'cd -- "$1" && command -v -- "$2" >/dev/null', cwd or ".", argv[0], timeout_sec=timeout_sec
        ).code:
            raise _no_program(argv[0])
        done = self._ssh.run([*become, *given, *argv], input=input, timeout_sec=timeout_sec, cwd=cwd or "")
        if done.missing:
            raise _no_program("sudo" if become else argv[0])
        return shell_result(done.code, done.stdout, done.stderr)


class SshFiles:
    """Files, read and written by the user who was named; needs nothing but a plain shell on the other side."""

    def __init__(self, ssh: Scripts) -> None:
        self._ssh = ssh

    def read_file(self, path: str, *, most: int | None, follow: bool) -> bytes:
        """Return a file's content; OSError with EFBIG when it is longer than `most`."""
        most = MOST_BYTES if most is None else most
        done = self._ask(_READ, path, "yes" if follow else "no", str(most + 1), most=most + 1)
        if len(done.stdout) > most:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), path)
        return done.stdout

    def write_file(self, path: str, data: bytes, *, mode: int) -> None:
        """Write a file, making folders as needed."""
        self._ask(_WRITE, path, f"{mode & 0o7777:o}", input=data)

    def list_files(self, path: str) -> list[FileInfo]:
        """Return the entries of a folder, sorted by name."""
        rows = [_entry(row) for row in self._ask(_LIST, path).stdout.split(b"\0") if row]
        if len(rows) > MOST_ENTRIES:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), path)
        return sorted(rows, key=lambda entry: entry.path)

    def file_info(self, path: str) -> FileInfo:
        """Return what stands at a path, a link as such."""
        return _entry(self._ask(_INFO, path).stdout.rstrip(b"\0"))

    def remove_file(self, path: str) -> None:
        """Remove a file, link or whole folder."""
        self._ask(_REMOVE, path)

    def _ask(self, script: str, path: str, *arguments: str, input: bytes = b"", most: int = MOST_BYTES) -> Done:
        if "\0" in path or not path:
            raise SpecError(f"path {path!r} cannot be had", remedy="give one without NUL characters")
        done = self._ssh.shell(_KNOWN + script, path, *arguments, input=input, timeout_sec=FILES_SEC, most=most)
        if done.code:
            _fail(done, path)
        return done


def _entry(row: bytes) -> FileInfo:
    mode_text, size, modified, path = row.split(b" ", 3)
    mode = int(mode_text, 16)
    return FileInfo(
        path=os.fsdecode(path), kind=kind_of(mode), size=int(size), mode=stat.S_IMODE(mode), modified=float(modified)
    )


def _fail(done: Done, path: str) -> NoReturn:
    number = done.code - 100
    if number in (errno.ENOENT, errno.EIO, errno.EACCES, errno.ENOTDIR, errno.EISDIR, errno.ELOOP):
        raise OSError(number, os.strerror(number), path)
    said = " ".join(done.stderr.decode(errors="replace").split())[-300:]
    raise ComputerError(f"{path!r} could not be reached: {said or f'status {done.code}'}")


def _no_program(name: str) -> ComputerError:
    return ComputerError(f"{name!r} cannot be started: there is no such program", remedy="install it there")
