"""A folder appears with all that belongs into it, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from proctor.errors import HostError, SpecError
from proctor.store.files import folder_at_once


def test_it_appears_in_the_end(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "folder"
    with folder_at_once(out) as folder:
        (folder / "a.txt").write_text("all of it")
        assert not out.exists()
    assert (out / "a.txt").read_text() == "all of it"
    assert [path.name for path in out.parent.iterdir()] == ["folder"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, SpecError, OSError])
def test_nothing_is_left_when_it_is_broken_off(error: type[BaseException], tmp_path: Path) -> None:
    with pytest.raises(HostError if error is OSError else error), folder_at_once(tmp_path / "deep" / "out") as folder:
        (folder / "a.txt").write_text("half of it")
        raise error("no more")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["folder", "file", "link"])
def test_what_is_there_already_stays(kind: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    {"folder": out.mkdir, "file": out.touch, "link": lambda: out.symlink_to("nowhere")}[kind]()
    with pytest.raises(SpecError, match="exists already"), folder_at_once(out):
        raise AssertionError("not reached")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_one_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(HostError, match="cannot write to .*below"), folder_at_once(tmp_path / "file" / "below"):
        raise AssertionError("not reached")
