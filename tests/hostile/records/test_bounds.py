"""What a record from elsewhere holds is bounded and checked before anything is made of it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.errors import RecordError
from proctor.records import EpisodeKey, Result
from proctor.store import bounds, read
from proctor.store.bounds import load_json
from proctor.store.chain import forge
from proctor.store.lines import JsonLines
from proctor.store.read import open_episode
from proctor.store.run import RunRecord
from proctor.web.files import read_json
from tests.hostile.records.foreign import episode_of, foreign_run, proctor

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=30,
)


@given(JSON)
def test_json_of_our_own_is_read_as_it_is(data: Any) -> None:
    for text in (json.dumps(data), json.dumps(data, ensure_ascii=False, indent=1)):
        assert load_json(text.encode("utf-8", "surrogatepass")) == data


@given(st.text('[]{}",:\\1e9 \n', max_size=60))
def test_anything_else_is_refused_as_such(text: str) -> None:
    try:
        found = load_json(text.encode())
    except ValueError:
        return
    assert json.dumps(found, allow_nan=False)


def test_what_is_too_deep_is_refused_also_where_strings_hide_it() -> None:
    assert load_json(b"[" * 200 + b"]" * 200)
    for deep in (b"[" * 201 + b"]" * 201, b'{"a":' * 900 + b"1" + b"}" * 900, b'["]",' * 900 + b"1" + b"]" * 900):
        with pytest.raises(ValueError, match="deep"):
            load_json(deep)
    assert load_json(json.dumps(["[" * 5000]).encode()) == ["[" * 5000]


def test_what_holds_too_many_values_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MOST_VALUES", 1000)
    with pytest.raises(ValueError, match="values"):
        load_json(b"[" + b"[]," * 2000 + b"1]")
    assert load_json(json.dumps("," * 5000).encode()) == "," * 5000


def test_numbers_that_are_none_are_none() -> None:
    data = b'{"a": 1e999, "b": NaN, "c": -Infinity, "d": ' + b"9" * 5000 + b', "e": 1.5e3}'
    assert load_json(data) == {"a": None, "b": None, "c": None, "d": None, "e": 1500.0}
    with pytest.raises(ValueError, match="not a number"):
        load_json(b"[NaN]", strict=True)


@pytest.mark.parametrize(
    "wrong",
    [
        {"score": 2.0}, {"score": "1"}, {"score": True}, {"seconds": 1e300}, {"steps": 2**70}, {"steps": 1.5},
        {"retry": -1}, {"apps": "gedit"}, {"apps": [1]}, {"settings": {"a": 1}}, {"metrics": {"a": "b"}},
        {"collateral": []}, {"folder": ["x"]}, {"task": 3}, {"agent": None}, {"digest": {}}, {"seed": "0"},
        {"feasible": 1}, {"error": ["x"]}, {"cost_usd": float("inf")}, {"modes": {"a": 1}}, {"labels": None},
    ],
)  # fmt: skip
def test_a_result_is_of_its_kinds(wrong: dict[str, Any], tmp_path: Path) -> None:
    good = Result(key=EpisodeKey(task="core/a-v1", agent="idle"), score=1.0).to_json()
    assert Result.from_json(good).passed
    with pytest.raises((TypeError, ValueError)):
        Result.from_json({**good, **wrong})
    run = foreign_run(tmp_path / "run")
    (run / "seal.json").unlink()
    record = RunRecord.open(run)
    try:
        line, _ = forge(record.root, {**good, **wrong, "sums": ""})
    except ValueError:
        return
    (run / "index.jsonl").write_bytes(line)
    for read_all in (lambda: list(record.results()), lambda: list(record.final())):
        with pytest.raises(RecordError, match="no result"):
            read_all()


@pytest.mark.parametrize("bound", ["MAX_STEPS", "MAX_STEPS_BYTES"])
def test_steps_without_end_are_not_read(bound: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = foreign_run(tmp_path / "run")
    monkeypatch.setattr(read, bound, 3)
    with pytest.raises(RecordError, match="more steps"):
        list(open_episode(episode_of(run)).steps())


def test_a_file_without_end_is_not_read(tmp_path: Path) -> None:
    run = foreign_run(tmp_path / "run")
    episode = episode_of(run)
    for name in ("verdict.json", "0000.png", "steps.jsonl"):
        (episode / name).unlink(missing_ok=True)
        with (episode / name).open("wb") as file:
            file.truncate(20 * 2**30)
    record = open_episode(episode)
    for read_it in (lambda: record.verdict, lambda: record.picture("0000.png"), lambda: list(record.steps())):
        with pytest.raises(RecordError):
            read_it()
    assert read_json(episode / "verdict.json") is None


@pytest.mark.parametrize("name", ["run.json", "index.jsonl", "seal.json", "lock"])
def test_a_pipe_or_a_folder_holds_nobody_up(name: str, tmp_path: Path) -> None:
    run = foreign_run(tmp_path / "run")
    (run / name).unlink(missing_ok=True)
    os.mkfifo(run / name)
    for command in (["runs", "verify", str(run)], ["report", str(run)], ["runs", "resume", str(run), "--trust"]):
        done = proctor(*command)
        assert "Traceback" not in done.stderr
    (run / name).unlink()
    (run / name).mkdir()
    assert "Traceback" not in proctor("runs", "verify", str(run)).stderr


def test_pages_show_the_first_of_lines_without_end(tmp_path: Path) -> None:
    path = tmp_path / "steps.jsonl"
    path.write_bytes(b'{"a":1}\n' * 50)
    lines = JsonLines(path, 10)
    assert len(lines.more()) == 10
    assert lines.more() == []
    assert lines.problems == ["steps.jsonl has more than 10 lines; the first ones are shown"]


@pytest.mark.parametrize("config", [{}, {"tasks": 3}, {"tasks": [{}]}, {"tasks": [], "agents": [[]], "suite": 1}])
def test_a_run_without_a_plan_is_refused_in_words(config: dict[str, Any], tmp_path: Path) -> None:
    run = foreign_run(tmp_path / "run", config)
    done = proctor("runs", "resume", str(run), "--trust")
    assert done.returncode == 1
    assert "has no plan" in done.stderr
