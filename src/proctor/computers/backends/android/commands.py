"""Commands and files of an Android device, as its adb user sees them."""

from __future__ import annotations

import errno
import os
import posixpath
import secrets
import shlex
import stat
import time
from collections.abc import Sequence
from dataclasses import replace

from proctor.computers.backends.android.device import AndroidDevice
from proctor.computers.channels.adb.client import LateCommand
from proctor.computers.channels.adb.sync import Sync, SyncEntry
from proctor.computers.channels.command_output import CommandOutput
from proctor.computers.channels.remote_shell import Who
from proctor.computers.entries import FileInfo, kind_of
from proctor.errors import CommandLate, ComputerError, SpecError

MOST_BYTES = 64 << 20
KILL_SEC = 5.0


class AndroidCommands:
    """Commands, run as the user that adb is on the device; nothing but its plain shell is needed."""

    def __init__(self, device: AndroidDevice) -> None:
        self._device = device

    def command(
        self, argv: Sequence[str], *, who: Who, cwd: str, env: Sequence[str], input: bytes, timeout_sec: float
    ) -> CommandOutput:
        """Run a command to its end; as root or as a user who owns nothing only where the device has `su`."""
        self._device.need_started()
        sign = f"proctor-{secrets.token_hex(8)}"
        words = shlex.join(["env", f"HOME={self._device.home}", *env, *argv])
        if who == "reader" or who == "root" and self._device.uid != 0:
            words = f"su {'0' if who == 'root' else 'nobody'} {words}"
        program = "su" if words.startswith("su ") else argv[0]
        # The sign comes once with the number of the process, by which it can be ended, and once when it begins.
        command = (
            f"echo {sign} $$ >&2; cd {shlex.quote(cwd or self._device.home)} && "
            f"command -v {shlex.quote(program)} >/dev/null && echo {sign} >&2 && exec {words}"
        )
        try:
            done = self._device.adb.run(command, input=input, timeout_sec=timeout_sec)
        except LateCommand as late:
            self._end(sign, late.stderr)
            raise CommandLate(
                f"{argv[0]!r} did not finish within {timeout_sec:g} s", remedy="allow more time, or do less"
            ) from late
        said = _without_signs(done, sign)
        if said is None:
            raise _not_begun(done, sign, program, cwd)
        return replace(done, stderr=said)

    def _end(self, sign: str, said: bytes) -> None:
        """End what was begun: adb lets go of it when the connection closes, and does not always end it."""
        words = said.partition(b"\n")[0].decode("ascii", "replace").split()
        if len(words) != 2 or words[0] != sign or not words[1].isdigit():
            return  # it had not even begun
        try:
            self._device.adb.run(f"pkill -9 -P {words[1]}; kill -9 {words[1]}", timeout_sec=KILL_SEC)
        except LateCommand as late:
            raise ComputerError(
                "a command that took too long could not be ended", remedy="restart the device"
            ) from late


def _without_signs(done: CommandOutput, sign: str) -> bytes | None:
    """Return what a command wrote to standard error; None when it did not begin."""
    mark = sign.encode()
    first, _, rest = done.stderr.partition(b"\n")
    second, _, said = rest.partition(b"\n")
    return said if first.startswith(mark) and second.strip() == mark else None


def _not_begun(done: CommandOutput, sign: str, program: str, cwd: str | None) -> ComputerError:
    said = done.stderr.decode(errors="replace").replace(sign, "").strip()
    if "cd:" in said or "can't cd" in said:
        return ComputerError(f"{program!r} cannot be started in {cwd}: there is no such folder", remedy="make it first")
    if program == "su":
        return ComputerError(
            "there is no way to become root on this device: it has no su", remedy="use an emulator, or `adb root`"
        )
    return ComputerError(f"{program!r} cannot be started: there is no such program", remedy="install it there")


class AndroidFiles:
    """Files, carried by adb; relative paths start at the folder that was named as home."""

    def __init__(self, device: AndroidDevice) -> None:
        self._device = device
        self._sync = Sync(device.adb)

    def read_file(self, path: str, *, most: int | None, follow: bool) -> bytes:
        """Return a file's content; OSError with EFBIG when it is longer than `most`."""
        place = self._place(path)
        there = self._sync.look(place)
        if stat.S_ISLNK(there.mode):
            if not follow:
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
            there = self._sync.look(place, follow=True)
        if stat.S_ISDIR(there.mode):
            raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        if not stat.S_ISREG(there.mode) and not stat.S_ISLNK(there.mode):
            raise OSError(errno.EINVAL, "not a plain file", path)  # a pipe would never end
        return self._sync.read(place, most=MOST_BYTES if most is None else most)

    def write_file(self, path: str, data: bytes, *, mode: int) -> None:
        place = self._place(path)
        self._sync.write(place, data, mode=mode & 0o7777, modified=int(time.time()))
        # The service gives a new file the rights of its folder's kind; not every file system keeps more.
        self._device.do(f"chmod {mode & 0o7777:o} {shlex.quote(place)}")

    def list_files(self, path: str) -> list[FileInfo]:
        place = self._place(path)
        there = self._sync.look(place, follow=True)
        if not stat.S_ISDIR(there.mode) and not stat.S_ISLNK(there.mode):
            raise OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
        entries = sorted(self._sync.entries(place), key=lambda entry: entry.name)
        return [_info(posixpath.join(place, entry.name), entry) for entry in entries]

    def file_info(self, path: str) -> FileInfo:
        place = self._place(path)
        return _info(place, self._sync.look(place))

    def remove_file(self, path: str) -> None:
        place = self._place(path)
        self._sync.look(place)
        done = self._device.do(f"rm -rf -- {shlex.quote(place)}")
        if done.code:
            number = errno.EACCES if "ermi" in done.said else errno.EIO
            raise OSError(number, done.said or os.strerror(number), path)

    def _place(self, path: str) -> str:
        if "\0" in path or not path:
            raise SpecError(f"path {path!r} is not possible", remedy="give one without NUL characters")
        self._device.need_started()
        return posixpath.normpath(posixpath.join(self._device.home, path))


def _info(path: str, entry: SyncEntry) -> FileInfo:
    return FileInfo(
        path=path, kind=kind_of(entry.mode), size=entry.size, mode=stat.S_IMODE(entry.mode), modified=entry.modified
    )
