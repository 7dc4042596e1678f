"""Files of a machine that is reached from afar, over any way on which scripts of the plain shell travel."""

from __future__ import annotations

import errno
import os
import stat
from typing import NoReturn, Protocol

from proctor.computers.channels.command_output import CommandOutput
from proctor.computers.entries import FileInfo, kind_of
from proctor.errors import ComputerError, SpecError

FILES_SEC = 60.0
MOST_BYTES = 64 << 20
MOST_ENTRIES = 10_000
AT_ONCE = 4 << 20
"""Bytes of a file that travel at once where a way carries only so much."""

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
    """A way on which scripts of the plain shell travel to a machine."""

    def shell(
        self, script: str, *arguments: str, input: bytes = ..., timeout_sec: float, most: int = ...
    ) -> CommandOutput:
        """Run a script to its end; ComputerError when that takes too long or leaves too much."""


class RemoteFiles:
    """Files, read and written by the user who was named through nothing but a plain shell."""

    def __init__(self, scripts: Scripts) -> None:
        self._scripts = scripts

    def read_file(self, path: str, *, most: int | None, follow: bool) -> bytes:
        """Return a file's content; OSError with EFBIG when it is longer than `most`."""
        most = MOST_BYTES if most is None else most
        done = self._ask(_READ, path, "yes" if follow else "no", str(most + 1), most=most + 1)
        if len(done.stdout) > most:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), path)
        return done.stdout

    def write_file(self, path: str, data: bytes, *, mode: int) -> None:
        self._ask(_WRITE, path, f"{mode & 0o7777:o}", input=data)

    def list_files(self, path: str) -> list[FileInfo]:
        rows = [_entry(row) for row in self._ask(_LIST, path).stdout.split(b"\0") if row]
        if len(rows) > MOST_ENTRIES:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), path)
        return sorted(rows, key=lambda entry: entry.path)

    def file_info(self, path: str) -> FileInfo:
        return _entry(self._ask(_INFO, path).stdout.rstrip(b"\0"))

    def remove_file(self, path: str) -> None:
        self._ask(_REMOVE, path)

    def _ask(
        self, script: str, path: str, *arguments: str, input: bytes = b"", most: int = MOST_BYTES
    ) -> CommandOutput:
        if "\0" in path or not path:
            raise SpecError(f"path {path!r} is not possible", remedy="give one without NUL characters")
        done = self._scripts.shell(_KNOWN + script, path, *arguments, input=input, timeout_sec=FILES_SEC, most=most)
        if done.code:
            _fail(done, path)
        return done


class PiecemealFiles(RemoteFiles):
    """The same over a way that carries only so much at once: large files travel in pieces."""

    def read_file(self, path: str, *, most: int | None, follow: bool) -> bytes:
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
        super().write_file(path, data[:AT_ONCE], mode=mode)
        for start in range(AT_ONCE, len(data), AT_ONCE):
            self._ask(_APPEND, path, input=data[start : start + AT_ONCE])


_PIECE = 'tail -c +"$2" -- "$path" | head -c "$3"'
_APPEND = 'cat >> "$path" || say 113'


def _entry(row: bytes) -> FileInfo:
    mode_text, size, modified, path = row.split(b" ", 3)
    mode = int(mode_text, 16)
    return FileInfo(
        path=os.fsdecode(path), kind=kind_of(mode), size=int(size), mode=stat.S_IMODE(mode), modified=float(modified)
    )


def _fail(done: CommandOutput, path: str) -> NoReturn:
    number = done.code - 100
    if number in (errno.ENOENT, errno.EIO, errno.EACCES, errno.ENOTDIR, errno.EISDIR, errno.ELOOP):
        raise OSError(number, os.strerror(number), path)
    said = " ".join(done.stderr.decode(errors="replace").split())[-300:]
    raise ComputerError(f"{path!r} could not be reached: {said or f'status {done.code}'}")
