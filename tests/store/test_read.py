"""Reading an episode: whole, torn, going on, or made by somebody who means harm."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.errors import RecordError
from proctor.records import ChangedPath, Header, RecordedVerdict, Step
from proctor.store import files as store_files
from proctor.store.episode import EpisodeWriter
from proctor.store.read import open_episode
from proctor.store.run import RunRecord
from tests.store.making import begin, finish, seen, tree


@pytest.fixture
def run(tmp_path: Path) -> RunRecord:
    return RunRecord.create(tmp_path / "run", {})


def test_a_whole_episode_is_read_back(run: RunRecord) -> None:
    writer = begin(run, 3)
    result = finish(writer, 3, score=0.5)
    episode = open_episode(writer.folder)
    assert episode.finished
    assert episode.header.key == result.key
    assert episode.instruction == "Wave at everyone."
    assert episode.result == result
    assert episode.verdict == RecordedVerdict(score=0.5, evidence={"file": "waved"})
    assert episode.changes == [ChangedPath(path="/home/user/a.txt", kind="created")]
    steps = list(episode.steps())
    assert [step.step for step in steps] == [0, 1, 9, 9]
    assert [turn.reply for turn in episode.turns()] == ["I click 0", "I click 1", ""]
    assert [turn.actions[0]["type"] for turn in episode.turns()] == ["click", "click", "done"]
    assert episode.picture(steps[0].saw.screenshot).startswith(b"\x89PNG")
    assert episode.video is None


def test_an_episode_that_goes_on_is_read_as_far_as_it_is(run: RunRecord) -> None:
    writer = begin(run)
    episode = open_episode(writer.folder)
    assert not episode.finished
    assert (episode.result, episode.verdict, episode.changes) == (None, None, [])
    assert len(list(episode.steps())) == 2
    writer.step(Step(step=2, turn=2, action={"type": "wait"}))
    assert [len(turn.steps) for turn in episode.turns()] == [1, 2]
    with (writer.folder / "steps.jsonl").open("a") as file:
        file.write('{"step": 3, "action": {"ty')
    assert len(list(episode.steps())) == 3
    writer.close()


def test_a_try_that_was_stopped_at_once_is_empty(tmp_path: Path) -> None:
    episode = open_episode(tmp_path)
    assert (episode.header, list(episode.steps()), episode.instruction) == (Header(), [], "")
    (tmp_path / "episode.json").write_text('{"age')
    assert open_episode(tmp_path).header == Header()
    with pytest.raises(RecordError, match="contains no episode"):
        open_episode(tmp_path / "nowhere")


def test_a_damaged_line_is_named(run: RunRecord) -> None:
    writer = begin(run)
    finish(writer)
    steps = writer.folder / "steps.jsonl"
    lines = steps.read_bytes().splitlines(keepends=True)
    steps.write_bytes(lines[0] + b"{oops}\n" + lines[1])
    with pytest.raises(RecordError, match=r"steps\.jsonl, line 2"):
        list(open_episode(writer.folder).steps())
    (writer.folder / "episode.json").write_text("{oops")
    with pytest.raises(RecordError, match=r"episode\.json is not the JSON"):
        open_episode(writer.folder).header  # noqa: B018


def test_trees_are_read_back(tmp_path: Path) -> None:
    writer = EpisodeWriter.begin(tmp_path / "0", Header())
    saw = writer.see(seen(tree=tree("Öffnen")), 0)
    writer.close()
    assert open_episode(tmp_path / "0").read_packed(saw.tree)["nodes"][1]["name"] == "Öffnen"


@pytest.mark.parametrize(
    "name",
    [
        "../0/0000.png",
        "/etc/passwd",
        "result.json",
        "0000.png/",
        "0000.png\n",
        ".",
        "",
        None,
        7,
        ["0000.png"],
        "٠٠٠٠.png",
    ],
)
def test_no_other_file_is_a_picture(run: RunRecord, name: object) -> None:
    writer = begin(run)
    writer.close()
    with pytest.raises(RecordError, match="not a file of a record"):
        open_episode(writer.folder).picture(name)
    with pytest.raises(RecordError, match="not a file of a record"):
        open_episode(writer.folder).read_packed(name)


@given(st.text())
def test_no_name_leads_elsewhere(name: str) -> None:
    with pytest.raises(RecordError):
        open_episode(Path("/")).picture(name)


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text('{"key": "secret"}')
    for name in ("0000.png", "episode.json", "steps.jsonl", "sums.json", "verdict.json"):
        (tmp_path / "e").mkdir(exist_ok=True)
        (tmp_path / "e" / name).symlink_to(tmp_path / "secret")
    episode = open_episode(tmp_path / "e")
    for read in (lambda: episode.picture("0000.png"), lambda: list(episode.steps()), lambda: episode.verdict):
        with pytest.raises(RecordError, match="cannot read"):
            read()


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    (tmp_path / "0000.tree.json.gz").write_bytes(gzip.compress(b"0" * (store_files.MAX_UNPACKED + 1), 1))
    with pytest.raises(RecordError, match="unpacks to more"):
        open_episode(tmp_path).read_packed("0000.tree.json.gz")
    for data, match in [
        (b"garbage", "damaged"),
        (gzip.compress(b"{}")[:-4], "incomplete"),
        (gzip.compress(b"{"), "not the JSON"),
    ]:
        (tmp_path / "0000.tree.json.gz").write_bytes(data)
        with pytest.raises(RecordError, match=match):
            open_episode(tmp_path).read_packed("0000.tree.json.gz")


def test_what_is_too_large_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "0000.png").open("wb") as file:
        file.truncate(10**12)
    with pytest.raises(RecordError, match="more than"):
        open_episode(tmp_path).picture("0000.png")


def test_deep_nesting_is_an_error_and_no_crash(tmp_path: Path) -> None:
    (tmp_path / "steps.jsonl").write_text("[" * 200_000 + "\n" + json.dumps({"a": 1}) + "\n")
    with pytest.raises(RecordError, match="line 1"):
        list(open_episode(tmp_path).steps())
