"""Reading files that grow, are damaged, or are not what they seem."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as some

from proctor.store.lines import JsonLines
from proctor.web.files import read_json, read_object

OBJECTS = some.dictionaries(some.text(max_size=5), some.integers() | some.text(max_size=20), max_size=3)


@given(some.lists(OBJECTS, max_size=8), some.lists(some.integers(0, 400), max_size=6))
def test_each_line_comes_once_however_the_file_grows(objects: list[dict[str, object]], cuts: list[int]) -> None:
    text = "".join(json.dumps(each) + "\n" for each in objects).encode()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "steps.jsonl"
        lines = JsonLines(path, 100)
        assert lines.more() == []
        found = []
        for end in [*sorted(cuts), len(text)]:
            path.write_bytes(text[:end])
            found += lines.more()
        assert [line.data for line in found] == objects
        assert [lines.again(line) for line in found] == objects
        assert lines.problems == []


def test_a_damaged_line_is_named_and_the_rest_is_read(tmp_path: Path) -> None:
    path = tmp_path / "steps.jsonl"
    path.write_bytes(b'{"step": 0}\n{"step": \n[1]\n\xff\xfe\n' + b"[" * 200_000 + b'\n{"step": NaN}\n{"half": ')
    lines = JsonLines(path, 100)
    assert [line.data for line in lines.more()] == [{"step": 0}, {"step": None}]
    assert [problem.split()[1] for problem in lines.problems] == ["2", "3", "4", "5"]


def test_what_is_no_plain_file_is_not_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text("{}\n")
    link, pipe = tmp_path / "link.json", tmp_path / "pipe.json"
    link.symlink_to(secret)
    os.mkfifo(pipe)
    for path in (link, pipe, tmp_path, tmp_path / "absent.json"):
        assert read_json(path) is None
        assert JsonLines(path, 100).more() == []


def test_an_object_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("[1]")
    assert read_json(path) == [1]
    assert read_object(path) is None
