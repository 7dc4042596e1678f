"""Versions that people save: none is lost, none destroys another, and a crash costs at most what was being written."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.errors import HostError
from proctor.store.versions import OutOfDate, VersionLog

SAVES = st.lists(st.tuples(st.sampled_from("abc"), st.text(max_size=20)), min_size=1, max_size=12)


def filled(path: Path, saves: list[tuple[str, str]]) -> list[dict[str, tuple[int, str]]]:
    """Save one after another; return what counts after each."""
    # A clock that stands: how long a line is must not depend on when it was written.
    log, states = VersionLog(path, clock=lambda: 1.5), []
    for key, text in saves:
        found = log.find(key)
        log.save(key, found.number if found else 0, {"text": text}, by="ann")
        states.append({name: (each.number, each.data["text"]) for name, each in log.latest().items()})
    return states


def read(path: Path) -> dict[str, tuple[int, str]]:
    return {name: (each.number, each.data["text"]) for name, each in VersionLog(path).latest().items()}


@settings(deadline=None, max_examples=40)
@given(SAVES, st.data())
def test_a_file_cut_off_at_any_byte_holds_every_save_before_it(
    saves: list[tuple[str, str]], data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.jsonl"
        states = filled(path, saves)
        whole = path.read_bytes()
        cut = data.draw(st.integers(0, len(whole)))
        path.write_bytes(whole[:cut])
        count = whole[:cut].count(b"\n")
        expected = states[count - 1] if count else {}
        assert read(path) == expected
        # Whoever goes on saving loses nothing either, and the torn line disturbs nobody.
        log = VersionLog(path)
        seen = log.find("a")
        log.save("a", seen.number if seen else 0, {"text": "after"}, by="ben")
        assert read(path) == {**expected, "a": ((seen.number if seen else 0) + 1, "after")}


def test_a_save_on_an_old_version_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    first, second = VersionLog(tmp_path / "log.jsonl"), VersionLog(tmp_path / "log.jsonl")
    first.save("item", 0, {"text": "one tab"}, by="ann")
    with pytest.raises(OutOfDate) as refused:
        second.save("item", 0, {"text": "the other tab"}, by="ann")
    assert refused.value.current.data == {"text": "one tab"}
    assert read(tmp_path / "log.jsonl") == {"item": (1, "one tab")}
    second.save("item", 1, {"text": "the other tab"}, by="ann")
    assert read(tmp_path / "log.jsonl") == {"item": (2, "the other tab")}


def test_a_save_that_was_sent_twice_counts_once(tmp_path: Path) -> None:
    log = VersionLog(tmp_path / "log.jsonl")
    once = log.save("item", 0, {"text": "x"}, by="ann", save="s1")
    assert log.save("item", 0, {"text": "x"}, by="ann", save="s1") == once
    assert len((tmp_path / "log.jsonl").read_bytes().splitlines()) == 1


def test_a_save_may_follow_one_whose_answer_was_lost(tmp_path: Path) -> None:
    log = VersionLog(tmp_path / "log.jsonl")
    log.save("item", 0, {"text": "x"}, by="ann", save="s1")
    assert log.save("item", 0, {"text": "y"}, by="ann", save="s2", follows="s1").number == 2
    with pytest.raises(OutOfDate):
        log.save("item", 0, {"text": "z"}, by="ann", save="s3", follows="s1")


def many(path: Path, who: str) -> None:
    log = VersionLog(path)
    for number in range(30):
        log.save(f"{who}{number}", 0, {"text": who}, by=who)


def test_processes_save_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=many, args=(tmp_path / "log.jsonl", who)) for who in "abc"]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(read(tmp_path / "log.jsonl")) == 90


def test_what_is_no_version_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(
        b'{"key": 5, "version": 1, "data": {}}\n[]\nnonsense\n{"key": "a", "version": 0, "data": {}}\n'
        b'{"key": "a", "version": 1, "data": {"text": "good"}, "by": 7, "at": "x", "save": null}\n'
    )
    assert read(path) == {"a": (1, "good")}


def test_a_link_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("precious")
    (tmp_path / "log.jsonl").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(HostError):
        VersionLog(tmp_path / "log.jsonl").save("a", 0, {}, by="ann")
    assert (tmp_path / "elsewhere").read_text() == "precious"
    assert VersionLog(tmp_path / "log.jsonl").latest() == {}


def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    """The process is killed while it saves; whatever it had said was saved is there."""
    program = (
        "import sys; from pathlib import Path; from proctor.store.versions import VersionLog\n"
        "log = VersionLog(Path(sys.argv[1]))\n"
        "for number in range(100000):\n"
        "    log.save('item', number, {'text': 'x' * 5000, 'number': number}, by='ann')\n"
        "    print(number + 1, flush=True)\n"
    )
    path = tmp_path / "log.jsonl"
    with subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(20)]
        process.kill()
        said += process.stdout.read().splitlines()
    found = VersionLog(path).find("item")
    assert found is not None
    assert found.number >= int(said[-1])
    assert VersionLog(path).save("item", found.number, {"text": "after"}, by="ben").number == found.number + 1
