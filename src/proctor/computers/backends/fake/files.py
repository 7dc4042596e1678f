"""The files of a fake computer: a dictionary that answers as a small Linux file system would."""

from __future__ import annotations

import base64
import posixpath
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from proctor.computers.entries import Change, FileInfo
from proctor.home import HOME

WRITABLE = (HOME, "/tmp")


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file, or a folder when it has no data."""

    data: bytes | None
    mode: int
    modified: float

    @property
    def kind(self) -> Literal["file", "folder"]:
        """What it is."""
        return "folder" if self.data is None else "file"

    @property
    def size(self) -> int:
        """Bytes; 0 for a folder."""
        return len(self.data or b"")


class FakeFiles:
    """Files by absolute path; entries never change, so copies of the table are cheap."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.entries: dict[str, StoredFile] = {}
        for folder in ("/", "/home", "/tmp", HOME):
            self.entries[folder] = StoredFile(None, 0o755, clock())

    def absolute(self, path: str, cwd: str = HOME) -> str:
        """Return the absolute form of a path, relative ones starting at `cwd`."""
        if "\0" in path:
            raise ValueError("embedded null byte")
        return "/" + posixpath.normpath(posixpath.join(cwd, path)).lstrip("/")

    def get(self, path: str) -> StoredFile:
        """Return what is at a path, or raise as `open` would."""
        absolute = self.absolute(path)
        if absolute not in self.entries:
            raise FileNotFoundError(2, "No such file or directory", path)
        return self.entries[absolute]

    def read(self, path: str, most: int | None = None) -> bytes:
        """Return a file's content, which must not be more than `most` bytes."""
        data = self.get(path).data
        if data is None:
            raise IsADirectoryError(21, "Is a directory", path)
        if most is not None and len(data) > most:
            raise OSError(27, "File too large", path)
        return data

    def write(self, path: str, data: bytes, mode: int = 0o644) -> None:
        """Write a file, making folders as needed."""
        absolute = self.absolute(path)
        if absolute in self.entries and self.entries[absolute].data is None:
            raise IsADirectoryError(21, "Is a directory", path)
        self.make_folder(posixpath.dirname(absolute))
        self._allow(absolute)
        self.entries[absolute] = StoredFile(bytes(data), mode, self._clock())

    def set_mode(self, path: str, mode: int) -> None:
        """Give a file or folder other rights; its time stays."""
        entry = self.get(path)
        self._allow(self.absolute(path))
        self.entries[self.absolute(path)] = replace(entry, mode=mode)

    def make_folder(self, path: str) -> None:
        """Make a folder and those above it."""
        absolute = self.absolute(path)
        if absolute in self.entries:
            if self.entries[absolute].data is not None:
                raise NotADirectoryError(20, "Not a directory", path)
            return
        self.make_folder(posixpath.dirname(absolute))
        self._allow(absolute)
        self.entries[absolute] = StoredFile(None, 0o755, self._clock())

    def listing(self, path: str) -> list[FileInfo]:
        """Return the entries of a folder, sorted by name."""
        absolute = self.absolute(path)
        if self.get(path).data is not None:
            raise NotADirectoryError(20, "Not a directory", path)
        names = [name for name in sorted(self.entries) if posixpath.dirname(name) == absolute and name != absolute]
        return [self.info(name) for name in names]

    def info(self, path: str) -> FileInfo:
        """Return what stands at a path, or raise as `stat` would."""
        entry = self.get(path)
        name = self.absolute(path)
        return FileInfo(path=name, kind=entry.kind, size=entry.size, mode=entry.mode, modified=entry.modified)

    def remove(self, path: str) -> None:
        """Remove a file or a whole folder."""
        absolute = self.absolute(path)
        self.get(path)
        self._allow(absolute, strictly=True)
        for name in [name for name in self.entries if name == absolute or name.startswith(absolute + "/")]:
            del self.entries[name]

    def _allow(self, absolute: str, *, strictly: bool = False) -> None:
        inside = any(absolute.startswith(folder + "/") for folder in WRITABLE)
        if not inside and (strictly or absolute not in WRITABLE):
            raise PermissionError(13, "Permission denied", absolute)

    # -- state ----------------------------------------------------------------------------------------------------

    def changes_since(self, before: Mapping[str, StoredFile]) -> list[Change]:
        """Return how the files differ from an earlier copy of the table, sorted by path."""
        changes = []
        for path in sorted(before.keys() | self.entries.keys()):
            old, new = before.get(path), self.entries.get(path)
            if old is None and new is not None:
                changes.append(Change(path=path, kind="created", file=new.kind, size=new.size, mode=new.mode))
            elif old is not None and new is None:
                changes.append(Change(path=path, kind="deleted", file=old.kind, size=0))
            elif old is not None and new is not None and (old.data, old.mode) != (new.data, new.mode):
                modes = {"mode": new.mode, "old_mode": old.mode}
                changes.append(Change(path=path, kind="changed", file=new.kind, size=new.size, **modes))
        return changes

    def to_json(self) -> dict[str, Any]:
        """Return every entry as plain data."""
        return {
            path: [None if entry.data is None else base64.b64encode(entry.data).decode(), entry.mode, entry.modified]
            for path, entry in self.entries.items()
        }

    def load_json(self, data: Mapping[str, Any]) -> None:
        """Replace every entry by what `to_json` returned."""
        self.entries = {
            path: StoredFile(None if held is None else base64.b64decode(held), mode, modified)
            for path, (held, mode, modified) in data.items()
        }
