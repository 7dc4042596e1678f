"""A task file is checked whole: every fault is named at once, with its line and the nearest right name."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor.errors import SpecError
from proctor.tasks import positions
from proctor.tasks.load import load_files, load_task, task_from_json


def good(**changes: Any) -> dict[str, Any]:
    task = {
        "id": "mine/write-it-down-v1",
        "instruction": "Please write hello into note.txt.",
        "tags": {
            "apps": ["mousepad"],
            "level": 2,
            "domain": "Office",
            "scenario": "Documentation",
            "demand": "Writing",
        },
        "setup": [{"setup": "text_file", "path": "note.txt", "text": ""}],
        "check": {"check": "text_is", "of": {"probe": "text", "path": "note.txt"}, "text": "hello"},
        "solution": [{"move": "type", "text": "hello"}, {"move": "press", "keys": "ctrl+s"}],
    }
    return {**task, **changes}


def written(folder: Path, data: Any, name: str = "task.json") -> Path:
    file = folder / name
    file.write_text(data if isinstance(data, str) else json.dumps(data, indent=1), encoding="utf-8")
    return file


def faults(folder: Path, data: Any) -> list[str]:
    with pytest.raises(SpecError) as caught:
        load_task(written(folder, data))
    return [line.removeprefix(f"{folder}/") for line in caught.value.message.splitlines()]


class TestGood:
    @pytest.mark.parametrize(
        ("given", "whole"),
        [
            ("water-the-plants", "my-tasks/water-the-plants-v1"),
            ("water-the-plants-v2", "my-tasks/water-the-plants-v2"),
            ("garden/water-the-plants", "garden/water-the-plants-v1"),
            ("garden/water-the-plants-v3", "garden/water-the-plants-v3"),
            (None, "my-tasks/plants-v1"),
        ],
    )
    def test_a_short_name_is_enough(self, tmp_path: Path, given: str | None, whole: str) -> None:
        folder = tmp_path / "My Tasks"
        folder.mkdir()
        data = good() if given is None else good(id=given)
        if given is None:
            del data["id"]
        assert load_task(written(folder, data, "plants.json")).id == whole

    def test_file_gives_the_task(self, tmp_path: Path) -> None:
        task = load_task(written(tmp_path, good()))
        assert task == task_from_json(good())
        assert task.tags.level == 2 and task.solution[1].arguments["keys"] == "ctrl+s"

    def test_byte_order_mark_does_not_matter(self, tmp_path: Path) -> None:
        (tmp_path / "task.json").write_bytes(b"\xef\xbb\xbf" + json.dumps(good()).encode())
        assert load_task(tmp_path / "task.json") == task_from_json(good())

    def test_several_files_give_their_tasks(self, tmp_path: Path) -> None:
        for name in "ba":
            written(tmp_path, good(id=f"mine/{name}-v1"), f"{name}.json")
        assert [task.id for task in load_files(sorted(tmp_path.iterdir()))] == ["mine/a-v1", "mine/b-v1"]


class TestFaults:
    def test_all_at_once_with_lines(self, tmp_path: Path) -> None:
        text = """{
  "id": "mine/Letter",
  "instructon": "x",
  "tags": {"apps": ["mousepat"], "level": 2, "domain": "Office",
     "scenario": "Documentation", "demand": "Writng"},
  "setup": [
    {"setup": "text_fil", "path": "a", "text": "b"},
    {"setup": "text_file", "path": 5, "txt": "b"},
    {"stup": "launch", "argv": []}
  ],
  "check": {"check": "all_of", "of": [
     {"check": "text_is", "of": {"prob": "text", "path": "x"}, "text": "a"},
     {"chek": "text_is"},
     {"check": "text_is", "of": {"probe": "txt", "path": "x"}, "text": "a"}
  ]},
  "solution": [{"move": "clik", "name": "OK"}],
  "near_misses": [{"name": "a", "scor": 0,
     "moves": [{"move": "press", "keys": 3}]}],
  "limits": {"steps": "many"}
}"""
        found = faults(tmp_path, text)

        def at(line: int, *words: str) -> None:
            here = [fault for fault in found if fault.startswith(f"task.json:{line}: ")]
            assert any(all(word in fault for word in words) for fault in here), (line, words, found)

        at(1, "lacks the field 'instruction'")
        at(3, "unknown field 'instructon'", "did you mean 'instruction'?")
        at(4, "unknown application 'mousepat'", "did you mean 'mousepad'?")
        at(5, "unknown demand", "'Writng'", "did you mean 'Writing'?")
        at(7, "unknown setup 'text_fil'", "did you mean 'text_file'?")
        at(8, "'path'", "5 is wrong")
        at(8, "unknown argument", "'txt'", "did you mean 'text'?")
        at(8, "lacks the argument 'text'")
        at(9, "setup.2 is not a call", "did you mean 'setup'?")
        at(12, "unknown kind 'prob'", "did you mean 'probe'?")
        at(14, "unknown probe 'txt'", "did you mean 'text'?")
        at(16, "unknown move 'clik'", "did you mean 'click'?")
        at(17, "unknown field 'scor'", "did you mean 'score'?")
        at(18, "'keys'", "3 is wrong")
        at(19, "limits.steps", '"many" is wrong')
        assert any("must hold checks" in fault for fault in found)
        assert found == sorted(found, key=lambda fault: int(fault.split(":")[1]))

    @pytest.mark.parametrize(
        ("text", "line", "words"),
        [
            ("", 1, "a value is missing"),
            ("{\n 'id': 1}", 2, "double quotes"),
            ('{"a": 1,\n}', 2, "double quotes"),
            ('{"a" 1}', 1, "a colon is missing"),
            ('{"a": [1\n 2]}', 2, "a comma or a closing bracket"),
            ('{"a": 1}\n{', 2, "something follows"),
            ('{"a": "\n"}', 1, "Invalid control character"),
            ('{"a": tru}', 1, "a value is missing"),
            ('{"a": NaN}', 1, "a value is missing"),
            ('{"a": ' + "9" * 2000 + "}", 1, "too many digits"),
            ("[" * 5000, 1, "nested too deeply"),
        ],
    )
    def test_syntax(self, tmp_path: Path, text: str, line: int, words: str) -> None:
        (fault,) = faults(tmp_path, text)
        assert fault.startswith(f"task.json:{line}: it is not valid JSON") and words in fault

    def test_double_key(self, tmp_path: Path) -> None:
        text = json.dumps(good(), indent=1).replace('"id"', '"id": "mine/x-v1",\n"id"')
        assert faults(tmp_path, text) == ["task.json:3: 'id' is given twice, first in line 2"]

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"tags": {**good()["tags"], "level": "2"}}, 'tags.level: "2" is wrong'),
            ({"tags": {**good()["tags"], "level": 9}}, "tags.level: 9 is wrong"),
            ({"instruction": ""}, 'instruction: "" is wrong'),
            ({"setup": {}}, "setup: {} is wrong"),
            ({"solution": {}}, "solution: {} is wrong"),
            ({"check": {"move": "done"}}, "a move call is used where a check is expected"),
            ({"check": {"check": "text_is", "of": {"check": "text_is"}, "text": ""}}, "must be a probe"),
            ({"solution": [{"setup": "folder", "path": "a"}]}, "a setup call is used where a move is expected"),
            ({"check": "text_is"}, "check is not a call"),
            ({"tags": {**good()["tags"], "feasible": False}}, "needs a feasible twin"),
            ({"tags": {**good()["tags"], "scenario": "Data"}}, "unknown demand of Data 'Writing'"),
            ({"near_misses": [{"name": "x", "moves": [], "score": 1}]}, "near_misses.0.score: 1 is wrong"),
            ({"other_ways": [{"name": "x", "moves": []}]}, "other_ways.0.moves"),
            ({"other_ways": [{"name": "x", "moves": [{"move": "clik"}]}]}, "clik"),
            (
                {"cheats": [{"name": "x", "moves": [{"check": "text_is"}]}]},
                "a check call is used where a move is expected",
            ),
            ({"cheats": [{"nam": "x", "moves": [{"move": "done"}]}]}, "unknown field 'nam'"),
            ({"may_differ": [{"which": "*"}]}, "lacks the field 'why'"),
            ({"assets": {"a.png": "123"}}, "assets.a.png"),
            ({"clock": "yesterday"}, "'yesterday' is not a time"),
            ({"machine": {"clock": "2026-02-30"}}, "'2026-02-30' is not a time"),
            ({"check": {"check": "text_matches", "of": {"probe": "text", "path": "a"}, "pattern": "("}}, "'pattern'"),
        ],
    )
    def test_what_does_not_fit(self, tmp_path: Path, changes: dict[str, Any], words: str) -> None:
        assert any(words in fault for fault in faults(tmp_path, good(**changes)))
        with pytest.raises(SpecError):
            task_from_json(good(**changes))

    @pytest.mark.parametrize("data", [[], '"x"', None, 3])
    def test_no_task_at_all(self, tmp_path: Path, data: Any) -> None:
        assert "a task is an object" in faults(tmp_path, data)[0]

    def test_not_utf_8(self, tmp_path: Path) -> None:
        (tmp_path / "task.json").write_bytes(b'{"id": "\xff"}')
        with pytest.raises(SpecError, match=r"task\.json:1: it is not a text in UTF-8"):
            load_task(tmp_path / "task.json")

    def test_no_such_file(self, tmp_path: Path) -> None:
        with pytest.raises(SpecError, match="cannot be read: No such file"):
            load_task(tmp_path / "nope.json")

    def test_all_files_are_reported_and_equal_ids(self, tmp_path: Path) -> None:
        written(tmp_path, good(), "a.json")
        written(tmp_path, good(), "b.json")
        written(tmp_path, good(id="?"), "c.json")
        written(tmp_path, "{", "d.json")
        with pytest.raises(SpecError) as caught:
            load_files(sorted(tmp_path.iterdir()))
        lines = caught.value.message.splitlines()
        assert [line.removeprefix(f"{tmp_path}/")[:6] for line in lines] == ["b.json", "c.json", "d.json"]


class TestAssets:
    def task(self, **changes: Any) -> dict[str, Any]:
        return good(setup=[{"setup": "asset_file", "path": "p.png", "asset": "p.png"}], **changes)

    def test_digest_is_filled_in(self, tmp_path: Path) -> None:
        (tmp_path / "p.png").write_bytes(b"picture")
        digest = hashlib.sha256(b"picture").hexdigest()
        task = load_task(written(tmp_path, self.task()))
        assert task.assets == {"p.png": digest}
        assert load_task(written(tmp_path, self.task(assets={"p.png": digest}))) == task

    def test_missing(self, tmp_path: Path) -> None:
        (fault,) = faults(tmp_path, self.task())
        lines = (tmp_path / "task.json").read_text().splitlines()
        line = next(number for number, line in enumerate(lines, start=1) if '"asset"' in line)
        assert fault == f"task.json:{line}: there is no asset 'p.png' next to the task file"

    def test_another_content(self, tmp_path: Path) -> None:
        (tmp_path / "p.png").write_bytes(b"picture")
        (fault,) = faults(tmp_path, self.task(assets={"p.png": "0" * 64}))
        assert "is not the one the task was made with" in fault

    def test_outside_the_folder(self, tmp_path: Path) -> None:
        (tmp_path / "secret").write_bytes(b"")
        (tmp_path / "tasks").mkdir()
        for name in ("../secret", str(tmp_path / "secret")):
            data = good(setup=[{"setup": "asset_file", "path": "p", "asset": name}])
            assert "there is no asset" in faults(tmp_path / "tasks", data)[0]


json_values = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats(allow_nan=False, allow_infinity=False) | some.text(),
    lambda inner: some.lists(inner) | some.dictionaries(some.text(), inner),
    max_leaves=20,
)


class TestPositions:
    @given(json_values, some.sampled_from([None, 1, "\t"]))
    def test_reads_what_json_reads(self, data: Any, indent: Any) -> None:
        assert positions.read(json.dumps(data, indent=indent)).data == data

    @given(some.text(alphabet='{}[]",:0123456789.eE+-truefalsn \n\\u', max_size=40))
    def test_agrees_with_json_on_what_is_wrong(self, text: str) -> None:
        try:
            wanted = json.loads(text, parse_constant=float.fromhex)
        except ValueError:
            with pytest.raises(json.JSONDecodeError):
                positions.read(text)
        else:
            assert positions.read(text).data == wanted

    def test_lines(self) -> None:
        found = positions.read('{\n"a": [\n1,\n{"b":\n2}]\n}')
        assert found.lines == {(): 1, ("a",): 2, ("a", 0): 3, ("a", 1): 4, ("a", 1, "b"): 4}
        assert found.line(("a", 1, "b", "c", 7)) == 4
