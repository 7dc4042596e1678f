"""OSWorld's own task dictionaries, handed over by its run loops as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from proctor.errors import SpecError
from proctor.interop.osworld.tasks import read_task
from tests.foreign.files import URL, osworld


def test_a_task_of_osworld_is_one_of_ours(tmp_path: Path) -> None:
    (tmp_path / "7").mkdir()
    (tmp_path / "7/start.txt").write_text("first\n")
    given = read_task(osworld(), None, suite="core", assets=tmp_path)
    assert given.asked
    assert given.task.instruction == "Add a line."
    assert given.task.id == "osworld/os-a-1-v1"
    assert given.assets == tmp_path.resolve()
    assert list(given.task.assets) == ["7/start.txt"]


def test_what_it_lacks_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"needs asset.*start.txt") as caught:
        read_task(osworld(), None, suite="core", assets=tmp_path)
    assert URL in caught.value.message
    with pytest.raises(SpecError, match="needs application.*Zotero"):
        read_task(osworld(config=[], related_apps=["Zotero"]), None, suite="core", assets=None)


@pytest.mark.parametrize("changes", [{"evaluator": 3}, {"id": None}, {"config": [{"type": "lunch"}]}])
def test_what_is_wrong_with_it_is_said(changes: dict[str, object]) -> None:
    with pytest.raises(SpecError, match="malformed"):
        read_task({**osworld(), **changes}, None, suite="core", assets=None)
