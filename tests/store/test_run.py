"""The record of a run: a chained index, one writer, and nothing lost to a crash."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from proctor.errors import RecordError, SpecError
from proctor.records import Result
from proctor.store.chain import forge
from proctor.store.run import RunRecord
from proctor.store.verify import verify
from tests.store.making import DIGEST, TASK, begin, finish, in_memory, key, record, small_run


def folders(run: RunRecord) -> list[str]:
    return [result.folder for result in run.results()]


def void(number: int) -> Result:
    return Result(key=key(number), stop="void", cause="worker", error="lost")


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_run_gives_back_what_it_was_given(tmp_path: Path) -> None:
    with RunRecord.create(tmp_path / "run", {"plan": [1, 2]}) as run:
        added = [record(run, number, score=number / 4) for number in range(4)]
        assert list(run.results()) == added
    again = RunRecord.open(tmp_path / "run")
    assert again.config == {"plan": [1, 2]}
    assert list(again.results()) == added


def test_the_last_try_of_each_episode_counts(tmp_path: Path) -> None:
    run = RunRecord.open(small_run(tmp_path / "run"))
    assert [(result.key.seed, result.retry, result.score) for result in run.final()] == [
        (0, 0, 1),
        (1, 1, 1),
        (2, 0, 0),
    ]
    assert sum(1 for _ in run.results()) == 4


@pytest.mark.parametrize("inside", ["notes.txt", "run.json"])
def test_a_folder_that_holds_something_is_refused(tmp_path: Path, inside: str) -> None:
    (tmp_path / inside).write_text("{}")
    with pytest.raises(RecordError, match="holds"):
        RunRecord.create(tmp_path, {})
    assert [path.name for path in tmp_path.iterdir()] == [inside]


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    RunRecord.create(tmp_path, {}).close()
    assert list(RunRecord.open(tmp_path).results()) == []


@pytest.mark.parametrize("text", ["", "[]", '{"format": 99}', '{"plan": 1}'])
def test_a_foreign_format_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(RecordError, match=r"run\.json"):
        RunRecord.open(tmp_path)
    with pytest.raises(RecordError, match="contains no run"):
        RunRecord.open(tmp_path / "nowhere")


def test_two_cannot_write_one_run(tmp_path: Path) -> None:
    with RunRecord.create(tmp_path, {}, clock=Clock()) as run:
        with pytest.raises(RecordError, match=f"process {os.getpid()} on "):
            RunRecord.resume(tmp_path)
        script = "import sys; from pathlib import Path; from proctor.store.run import RunRecord\n"
        script += "RunRecord.resume(Path(sys.argv[1]))"
        other = subprocess.run([sys.executable, "-c", script, tmp_path], capture_output=True, text=True, check=False)
        assert f"is being written by process {os.getpid()} on " in other.stderr
        record(run)
        assert folders(RunRecord.open(tmp_path)) == []
        run.commit()
        assert len(folders(RunRecord.open(tmp_path))) == 1
    RunRecord.resume(tmp_path).close()
    assert not (tmp_path / "lock").exists()


def test_a_reader_cannot_write(tmp_path: Path) -> None:
    run = RunRecord.open(small_run(tmp_path / "run"))
    for write in (lambda: run.add(void(9)), run.commit, run.adopt, run.seal, lambda: run.keep_task(DIGEST, TASK)):
        with pytest.raises(SpecError, match="not open for writing"):
            write()


def test_what_is_added_becomes_durable_about_once_a_second(tmp_path: Path) -> None:
    clock = Clock()
    with RunRecord.create(tmp_path, {}, clock=clock) as run:
        run.add(void(0))
        assert (tmp_path / "index.jsonl").read_bytes() == b""
        clock.now = 5.0
        run.add(void(1))
        assert len(list(run.results())) == 2
        run.add(void(2))
    assert len(list(RunRecord.open(tmp_path).results())) == 3


def test_only_whole_episodes_are_added_and_each_once(tmp_path: Path) -> None:
    with RunRecord.create(tmp_path, {}) as run:
        with pytest.raises(RecordError, match="without a record"):
            run.add(Result(key=key(), score=1.0))
        unfinished = begin(run, 1)
        with pytest.raises(RecordError, match="is incomplete"):
            run.add(
                Result(key=key(1), score=1.0, folder=f"episodes/{unfinished.folder.relative_to(run.paths.episodes)}")
            )
        result = record(run, 2)
        with pytest.raises(RecordError, match="already"):
            run.add(result)
        unfinished.close()
    with RunRecord.resume(tmp_path) as run, pytest.raises(RecordError, match="already"):
        run.add(result)


def test_a_number_that_is_none_does_not_enter_the_index(tmp_path: Path) -> None:
    with RunRecord.create(tmp_path, {}) as run:
        with pytest.raises(RecordError, match="cannot be written"):
            record(run, 0, metrics={"coverage": float("nan")})
        kept = record(run, 1)
        assert list(run.results()) == [kept]


@pytest.mark.parametrize("folder", ["/etc", "episodes/../../../etc", "episodes/a/b/c/..", "episodes/a/b/c", "\ud800"])
def test_a_folder_outside_the_run_is_refused(tmp_path: Path, folder: str) -> None:
    with RunRecord.create(tmp_path, {}) as run, pytest.raises(RecordError, match="not a folder of an episode"):
        run.add(Result(key=key(), score=1.0, folder=folder))


def test_a_link_out_of_the_run_is_refused(tmp_path: Path) -> None:
    run = RunRecord.open(small_run(tmp_path / "run"))
    (tmp_path / "elsewhere" / "b" / "c" / "0").mkdir(parents=True)
    (tmp_path / "run" / "episodes" / "a").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(RecordError, match="is a link to somewhere else"):
        run.paths.at("episodes/a/b/c/0")


def test_a_task_is_kept_once_under_its_own_hash(tmp_path: Path) -> None:
    with RunRecord.create(tmp_path, {}) as run:
        run.keep_task(DIGEST, TASK)
        run.keep_task(DIGEST, TASK)
        assert json.loads(run.task(DIGEST)) == TASK
        for digest in ("0" * 64, "../../evil"):
            with pytest.raises(SpecError, match="not that of the task"):
                run.keep_task(digest, TASK)


def test_a_finished_run_that_goes_on_is_unsealed(tmp_path: Path) -> None:
    small_run(tmp_path / "run")
    with RunRecord.resume(tmp_path / "run") as run:
        assert run.sealed
        record(run, 7)
        assert not run.sealed
        run.seal()
    assert verify(tmp_path / "run") == []


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    index = small_run(tmp_path / "run", seal=False) / "index.jsonl"
    lines = index.read_bytes().splitlines(keepends=True)
    lines[1] = lines[1].replace(b"503", b"504")
    index.write_bytes(b"".join(lines))
    run = RunRecord.open(tmp_path / "run")
    place = rf"index\.jsonl, line 2 \(byte {len(lines[0])}\): was changed"
    walk = run.results()
    assert next(walk).key.seed == 0
    with pytest.raises(RecordError, match=place):
        next(walk)
    with pytest.raises(RecordError, match=place):
        RunRecord.resume(tmp_path / "run")
    assert index.read_bytes() == b"".join(lines)
    assert not (tmp_path / "run" / "lock").exists()


@pytest.mark.parametrize("data", [{"task": ["t"], "agent": "a"}, {"task": "t", "agent": "a", "retry": "x"}, {}])
def test_a_well_made_line_that_is_no_result_is_named(tmp_path: Path, data: dict[str, object]) -> None:
    index = small_run(tmp_path / "run", seal=False) / "index.jsonl"
    line, _ = forge(json.loads(index.read_bytes().splitlines()[-1])["hash"], data)
    index.write_bytes(index.read_bytes() + line)
    with pytest.raises(RecordError, match="line 5"):
        list(RunRecord.open(tmp_path / "run").final())


@pytest.mark.parametrize("tail", [b'{"task": "core/w', b"\0" * 700, b'{"task": "x"}\n', b"\0\0\n{}\n\0\0"])
def test_a_torn_end_is_put_aside(tmp_path: Path, tail: bytes) -> None:
    index = small_run(tmp_path / "run", seal=False) / "index.jsonl"
    whole = index.read_bytes()
    index.write_bytes(whole + tail)
    with RunRecord.resume(tmp_path / "run") as run:
        assert len(folders(run)) == 4
        record(run, 8)
    assert index.read_bytes().startswith(whole)
    assert (tmp_path / "run" / "index.torn-1").read_bytes() == tail
    assert verify(tmp_path / "run", partial=True) == []


def test_nothing_is_cut_from_a_sealed_run(tmp_path: Path) -> None:
    index = small_run(tmp_path / "run") / "index.jsonl"
    index.write_bytes(index.read_bytes()[:-3])
    with pytest.raises(RecordError, match="line 4 .* is cut off"):
        RunRecord.resume(tmp_path / "run")
    with pytest.raises(RecordError, match="line 4 .* is cut off"):
        list(RunRecord.open(tmp_path / "run").results())


def test_whole_episodes_that_are_not_in_the_index_are_adopted(tmp_path: Path) -> None:
    with RunRecord.create(tmp_path, {}) as run:
        known = record(run, 0)
        lost = finish(begin(run, 1), 1)
        begin(run, 2).close()
        misplaced = run.paths.episode(key(3))
        shutil.copytree(run.paths.episode(key(1)), misplaced)
    with RunRecord.resume(tmp_path) as run:
        adopted = run.adopt()
        assert adopted.results == (lost,)
        assert [(broken.folder.split("/")[3], broken.reason) for broken in adopted.broken] == [
            ("2-0-0", "sums.json: the episode was never finished"),
            ("3-0-0", "result.json: belongs to another episode"),
        ]
        assert list(run.results()) == [known, lost]
        assert run.adopt().results == ()


KILLED = """
import sys
from pathlib import Path
from proctor.store.run import RunRecord
from tests.store.making import begin, finish, record
run = RunRecord.create(Path(sys.argv[1]), {})
for number in range(3):
    record(run, number)
run.commit()
record(run, 3)
finish(begin(run, 4), 4)
begin(run, 5)
print("ready", flush=True)
sys.stdin.read()
"""


def test_kill_9_loses_no_whole_episode(tmp_path: Path, project: Path) -> None:
    command = [sys.executable, "-c", KILLED, tmp_path / "run"]
    with subprocess.Popen(command, cwd=project, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        with pytest.raises(RecordError, match=f"process {child.pid} "):
            RunRecord.resume(tmp_path / "run")
        assert [damage.what for damage in verify(tmp_path / "run")][-1] == "unsealed"
        child.kill()
    with RunRecord.resume(tmp_path / "run") as run:
        assert len(folders(run)) == 3
        adopted = run.adopt()
        assert sorted(result.key.seed for result in run.results()) == [0, 1, 2, 3, 4]
        assert [broken.folder.split("/")[3] for broken in adopted.broken] == ["5-0-0"]
        record(run, 5)
        run.seal()
    assert verify(tmp_path / "run") == []


EPISODES = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from(["begun", "finished", "added", "committed"])), min_size=1, max_size=5
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.data_too_large])
@given(data=st.data(), plan=EPISODES)
def test_a_crash_anywhere_leaves_exactly_the_whole_episodes(data: st.DataObject, plan: list[tuple[int, str]]) -> None:
    with in_memory() as base:
        crash(data, plan, Path(base))


def crash(data: st.DataObject, plan: list[tuple[int, str]], base: Path) -> None:
    """A crash may cut any file that was not yet committed, and the last lines of the index, at any byte."""
    whole, begun, at_risk = set(), set(), []
    run = RunRecord.create(base / "run", {}, clock=lambda: 0.0)
    for number, (steps, fate) in enumerate(plan):
        writer = begin(run, number, steps=steps)
        begun.add(number)
        at_risk.append(number)
        if fate == "begun":
            writer.close()
            continue
        whole.add(number)
        result = finish(writer, number)
        if fate != "finished":
            run.add(result)
        if fate == "committed":
            run.commit()
            at_risk.clear()
    crashed = shutil.copytree(base / "run", base / "crashed")
    run.close()
    for number in at_risk:
        folder = crashed / run.paths.episode(key(number)).relative_to(base / "run")
        victim = data.draw(st.sampled_from(sorted(folder.iterdir())))
        content = victim.read_bytes()
        cut = data.draw(st.integers(0, len(content)))
        left = content[:cut] + data.draw(st.sampled_from([b"", b"\0"])) * (len(content) - cut)
        victim.write_bytes(left)
        if left != content:
            whole.discard(number)
    index = crashed / "index.jsonl"
    lines = index.read_bytes()
    index.write_bytes(lines[: data.draw(st.integers(0, len(lines)))])
    with RunRecord.resume(crashed) as again:
        adopted = again.adopt()
        recorded = [result.key.seed for result in again.results()]
        assert sorted(recorded) == sorted(whole)
        assert {int(broken.folder.split("/")[3].split("-")[0]) for broken in adopted.broken} == begun - whole
        assert again.adopt().results == ()
        for number in sorted(begun - whole):
            record(again, number)
        assert sorted(result.key.seed for result in again.final()) == sorted(begun)
        again.seal()
    assert verify(crashed) == []


def test_memory_does_not_grow_with_results(tmp_path: Path) -> None:
    with RunRecord.create(tmp_path, {}) as run:
        for number in range(2000):
            run.add(void(number))
    reader = RunRecord.open(tmp_path)
    tracemalloc.start()
    assert sum(1 for _ in reader.results()) == 2000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000
