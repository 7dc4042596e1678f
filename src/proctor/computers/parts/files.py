"""The files of a computer, read and written from outside."""

from __future__ import annotations

from typing import Protocol

from proctor.computers.entries import FileInfo


class Files(Protocol):
    """Files and folders; relative paths start at the user's home, and errors are those of `open`."""

    def read_file(self, path: str, *, most: int | None, follow: bool) -> bytes:
        """Return a file's content, as `Computer.read_file` describes."""

    def write_file(self, path: str, data: bytes, *, mode: int) -> None:
        """Write a file as the agent's user, making folders as needed."""

    def list_files(self, path: str) -> list[FileInfo]:
        """Return the entries of a folder, sorted by name."""

    def file_info(self, path: str) -> FileInfo:
        """Return what stands at a path, a link as such."""

    def remove_file(self, path: str) -> None:
        """Remove a file, link or whole folder."""
