"""A file that is changed for a moment and put back: its content, its mode and its time."""

from __future__ import annotations

import errno
from dataclasses import dataclass

from proctor.computers.computer import Computer
from proctor.errors import ComputerError, ProctorError

MOST_BYTES = 16 * 2**20
"""The largest file that is changed."""
CLOSE_SEC = 2.0
"""How near a time must be to count as put back: file systems round."""


class NotPutBack(ProctorError):
    """A file could not be put back: what is judged on this computer from now on means nothing."""


class CannotChange(ComputerError):
    """A file is not there, is too large, or may not be changed; the message says which."""


@dataclass(frozen=True)
class KeptFile:
    """A plain file as it was found."""

    path: str
    data: bytes
    mode: int
    modified: float

    @classmethod
    def take(cls, computer: Computer, path: str) -> KeptFile:
        """Read a file that can be written again; raises CannotChange."""
        try:
            info = computer.file_info(path)
            if info.kind != "file":
                raise CannotChange(f"it is a {info.kind}, not a file")
            data = computer.read_file(path, most=MOST_BYTES, follow=False)
        except OSError as error:
            if error.errno == errno.EFBIG:
                raise CannotChange(f"it has more than {MOST_BYTES:,} bytes") from error
            raise CannotChange(f"it cannot be read: {error.strerror}") from error
        kept = cls(path, data, info.mode, info.modified)
        try:
            computer.write_file(path, data, mode=info.mode)
        except OSError as error:
            # It was opened for writing or not at all, so nothing of it is lost.
            raise CannotChange(f"it is locked: {error.strerror}") from error
        return kept

    def change(self, computer: Computer, data: bytes | None, mode: int | None = None) -> None:
        """Give it another content or mode, or remove it; raises CannotChange where that is not allowed."""
        try:
            if data is None:
                computer.remove_file(self.path)
            else:
                computer.write_file(self.path, data, mode=self.mode)
                self._set_mode(computer, self.mode if mode is None else mode)
        except OSError as error:
            raise CannotChange(f"it is locked: {error.strerror}") from error

    def stands(self, computer: Computer) -> bool:
        """Tell whether it has the content that it had."""
        try:
            return computer.read_file(self.path, most=len(self.data), follow=False) == self.data
        except OSError:
            return False

    def put_back(self, computer: Computer) -> None:
        """Restore its content and mode; raises NotPutBack where that did not work."""
        try:
            computer.write_file(self.path, self.data, mode=self.mode)
            self._set_mode(computer, self.mode)
        except OSError as error:
            raise NotPutBack(f"{self.path} cannot be put back: {error.strerror}") from error
        if not self.stands(computer) or computer.file_info(self.path).mode != self.mode:
            raise NotPutBack(f"{self.path} was put back and is not what it was", remedy="use another computer")

    def put_back_time(self, computer: Computer) -> bool:
        """Restore when it was last modified, once it is done with; tell whether that worked."""
        if abs(computer.file_info(self.path).modified - self.modified) < CLOSE_SEC:
            return True
        try:
            computer.run(["touch", "-m", "-d", f"@{self.modified:.3f}", self._absolute(computer)])
        except ComputerError:
            return False
        return abs(computer.file_info(self.path).modified - self.modified) < CLOSE_SEC

    def _set_mode(self, computer: Computer, mode: int) -> None:
        if computer.file_info(self.path).mode != mode:
            computer.run(["chmod", f"{mode:o}", self._absolute(computer)], root=True)

    def _absolute(self, computer: Computer) -> str:
        return self.path if self.path.startswith("/") else f"{computer.home}/{self.path}"
