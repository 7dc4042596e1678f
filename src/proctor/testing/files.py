"""What every computer promises about its files, what changes among them, and snapshots."""

from __future__ import annotations

import posixpath
from pathlib import Path

import pytest

from proctor.actions.action import Press
from proctor.computers.computer import Computer, Snapshot
from proctor.errors import SpecError
from proctor.testing.promises import Promises, need, save_gives


class KeepingContract(Promises):
    """What is kept comes back."""

    @pytest.mark.parametrize(
        "name", ["plain.txt", "two words.txt", "naïve 日本 😀.txt", "deep/er/file", "-dash", "q'\"$"]
    )
    def test_files_come_back_byte_for_byte(self, computer: Computer, name: str) -> None:
        need(computer, "files")
        data = bytes(range(256)) * 5
        computer.write_file(name, data)
        assert computer.read_file(name) == data
        computer.write_file(name, b"")
        assert computer.read_file(name) == b""
        listed = computer.list_files(posixpath.dirname(name) or ".")
        assert posixpath.basename(name) in [posixpath.basename(info.path) for info in listed]
        computer.remove_file(name)
        with pytest.raises(FileNotFoundError):
            computer.read_file(name)

    def test_relative_paths_start_at_home(self, computer: Computer) -> None:
        need(computer, "files", "shell")
        computer.write_file("here.txt", b"x")
        home = computer.run(["printenv", "HOME"]).stdout.strip()
        assert computer.read_file(f"{home}/here.txt") == b"x"

    def test_listing_is_sorted_and_complete(self, computer: Computer) -> None:
        need(computer, "files")
        computer.write_file("folder/b.txt", b"12345", mode=0o600)
        computer.write_file("folder/a.txt", b"")
        computer.write_file("folder/inner/c.txt", b"")
        entries = computer.list_files("folder")
        assert [posixpath.basename(info.path) for info in entries] == ["a.txt", "b.txt", "inner"]
        assert [info.kind for info in entries] == ["file", "file", "folder"]
        assert entries[1].size == 5
        assert entries[1].mode & 0o777 == 0o600
        assert entries[1].modified > 0

    def test_missing_files_raise_as_open_would(self, computer: Computer) -> None:
        need(computer, "files")
        computer.write_file("folder/file", b"")
        with pytest.raises(FileNotFoundError):
            computer.read_file("missing")
        with pytest.raises(FileNotFoundError):
            computer.list_files("missing")
        with pytest.raises(FileNotFoundError):
            computer.remove_file("missing")
        with pytest.raises(IsADirectoryError):
            computer.read_file("folder")
        with pytest.raises((NotADirectoryError, FileExistsError)):
            computer.write_file("folder/file/below", b"")

    def test_whole_folders_can_be_removed(self, computer: Computer) -> None:
        need(computer, "files")
        computer.write_file("folder/inner/file", b"x")
        computer.remove_file("folder")
        with pytest.raises(FileNotFoundError):
            computer.list_files("folder")

    def test_changes_since_the_baseline(self, computer: Computer) -> None:
        need(computer, "files", "changes")
        for name in ("kept.txt", "edited.txt", "dropped.txt"):
            computer.write_file(f"work/{name}", b"old")
        computer.baseline()
        assert [change for change in computer.changes() if "/work/" in change.path] == []
        computer.write_file("work/edited.txt", b"longer")
        computer.remove_file("work/dropped.txt")
        computer.write_file("work/fresh.txt", b"new")
        computer.write_file("work/passing.txt", b"new")
        computer.remove_file("work/passing.txt")
        changes = [change for change in computer.changes() if "/work/" in change.path]
        assert [(posixpath.basename(c.path), c.kind, c.file, c.size) for c in changes] == [
            ("dropped.txt", "deleted", "file", 0),
            ("edited.txt", "changed", "file", 6),
            ("fresh.txt", "created", "file", 3),
        ]
        assert all(posixpath.isabs(change.path) for change in changes)
        assert computer.before("work/edited.txt") == b"old"
        assert computer.before("work/dropped.txt") == b"old"
        assert computer.before("work/kept.txt") == b"old"
        assert computer.before("work/fresh.txt") is None

    def test_writing_the_same_bytes_is_no_change(self, computer: Computer) -> None:
        need(computer, "files", "changes")
        computer.write_file("same.txt", b"same")
        computer.baseline()
        computer.write_file("same.txt", b"same")
        assert not [change for change in computer.changes() if change.path.endswith("same.txt")]

    def test_restoring_a_snapshot_brings_back_files_and_applications(self, computer: Computer) -> None:
        need(computer, "snapshot", "files")
        self.open_editor(computer, "before")
        computer.write_file("other.txt", b"other")
        mark = computer.snapshot()
        computer.write_file("notes.txt", b"after")
        computer.remove_file("other.txt")
        computer.write_file("new.txt", b"new")
        computer.perform(Press(keys="ctrl+q"))
        for _ in range(2):
            computer.restore(mark)
            assert computer.read_file("notes.txt") == b"before"
            assert computer.read_file("other.txt") == b"other"
            with pytest.raises(FileNotFoundError):
                computer.read_file("new.txt")
            assert "before" in computer.locate(role="text", app="mousepad", window="notes.txt").text
            computer.write_file("new.txt", b"new")

    def test_forks_start_alike_and_live_apart(self, computer: Computer) -> None:
        need(computer, "snapshot", "files")
        self.open_editor(computer, "shared")
        with computer.fork() as other:
            assert other.read_file("notes.txt") == b"shared"
            other.locate(role="text", app="mousepad").type("theirs", clear=True)
            assert save_gives(other, "theirs")
            assert computer.read_file("notes.txt") == b"shared"
        assert "shared" in computer.locate(role="text", app="mousepad").text

    def test_snapshot_of_another_backend_is_refused(self, computer: Computer) -> None:
        need(computer, "snapshot")
        foreign = Snapshot(backend="another", path=Path("/nowhere"))
        with pytest.raises(SpecError, match="another|other kind"):
            computer.restore(foreign)
        assert computer.screenshot().size == computer.size
