"""What an agent prints is kept with its episode, bounded, and reaches neither the terminal nor a program's JSON."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from proctor.models.retry import CallFailed, Patience, announced_to, persist
from proctor.runner.agent_output import KEPT_FIRST, KEPT_LAST, Spoken, catch_output
from proctor.runner.run_episode import run_episode
from proctor.runner.worker_pool import WorkerPool
from proctor.store.completeness import fault_of
from proctor.store.read import open_episode
from tests.runner.jobs import job

LOUD = "tests.runner.loud:Loud"


def test_what_this_process_and_its_children_print_is_caught() -> None:
    with catch_output() as spoken:
        os.write(1, b"to output\n")
        os.write(2, b"to error\n")
        subprocess.run(["sh", "-c", "echo from a child"], check=True)
    assert spoken.text == "to output\nto error\nfrom a child\n"


def test_a_child_that_goes_on_does_not_keep_the_block() -> None:
    with catch_output() as spoken:
        child = subprocess.Popen([sys.executable, "-c", "import time, sys; print('hi', flush=True); sys.stdin.read()"],
                                 stdin=subprocess.PIPE)  # fmt: skip
        while "hi" not in spoken.text:
            os.sched_yield()
    assert child.stdin is not None
    child.stdin.close()
    child.wait(60)


def test_afterwards_the_streams_are_what_they_were() -> None:
    before = [os.fstat(stream).st_ino for stream in (1, 2)]
    opened = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        with catch_output():
            pass
    assert [os.fstat(stream).st_ino for stream in (1, 2)] == before
    assert len(list(Path("/proc/self/fd").iterdir())) == opened


@given(st.lists(st.integers(0, 40_000), max_size=12))
def test_however_much_is_printed_both_ends_are_kept(sizes: list[int]) -> None:
    spoken, data = Spoken(), b""
    for number, size in enumerate(sizes):
        piece = bytes([97 + number]) * size
        spoken.add(piece)
        data += piece
    text = spoken.text
    assert len(text) <= KEPT_FIRST + KEPT_LAST + 50
    assert text.startswith(data[:KEPT_FIRST].decode())
    assert text.endswith(data[-KEPT_LAST:].decode() if len(data) > KEPT_FIRST + KEPT_LAST else data.decode())


def test_prints_and_the_traceback_are_in_the_record(tmp_path: Path) -> None:
    one = job(tmp_path / "run", LOUD)
    result = run_episode(one)
    assert (result.stop, result.error) == ("agent_error", "KeyError: 'nothing of that name'")
    said = open_episode(one.folder).said
    for words in ("written by a child", "raise KeyError", "tests/runner/loud.py"):
        assert words in said
    assert fault_of(one.folder) == ""


def test_an_agent_that_prints_nothing_leaves_no_file(tmp_path: Path) -> None:
    one = job(tmp_path / "run", "idle")
    run_episode(one)
    assert not (one.folder / "agent.txt").exists()
    assert open_episode(one.folder).said == ""


def test_secrets_are_not_kept() -> None:
    spoken = Spoken()
    spoken.add(b"my key is sk-abcdefghijklmnop")
    assert "sk-abc" not in spoken.text


def test_a_program_that_writes_to_its_error_stream_is_heard(tmp_path: Path) -> None:
    program = (
        "import sys\nfor line in sys.stdin:\n    print('I see', file=sys.stderr)\n    print('{\"type\": \"done\"}')"
    )
    path = tmp_path / "agent.py"
    path.write_text(f"{program}\n    sys.stdout.flush()\n")
    one = job(tmp_path / "run", f"cmd:{sys.executable} {path}")
    assert run_episode(one).stop == "done"
    assert "I see" in open_episode(one.folder).said


# Retries are not silent.


def test_each_retry_is_announced() -> None:
    failures = iter([CallFailed("overloaded", "m at http://x: HTTP 500")] * 2)

    def attempt() -> str:
        for failure in failures:
            raise failure
        return "answer"

    heard: list[str] = []
    with announced_to(heard.append):
        tried = persist(attempt, Patience(wait=lambda _: None, jitter=lambda: 1.0))
    assert tried.result == "answer"
    assert heard == [f"m at http://x: HTTP 500; try {n} of 6 in {2 ** (n - 2)} s" for n in (2, 3)]


def test_what_a_worker_says_reaches_its_caller() -> None:
    heard: list[tuple[str, str]] = []
    with WorkerPool("tests.runner.loud:work", 1, patience_sec=60) as pool:
        pool.heard = lambda job, text: heard.append((job, text))
        assert list(pool.do(["a", "b"])) == [("a", "done a"), ("b", "done b")]
    assert heard == [("a", "working on a"), ("b", "working on b")]
