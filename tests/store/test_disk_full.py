"""A disk that is full while recording: a clear error, and nothing that was recorded is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from proctor.errors import HostError
from proctor.records import Result, Step
from proctor.store.run import RunRecord
from proctor.store.verify import verify
from tests.store.making import begin, finish, key, picture, record, seen


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of half a megabyte."""
    if os.geteuid() != 0:
        pytest.skip("needs root to mount a small file system")
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=512k,nr_inodes=500", "proctor-test", place]
    if (done := subprocess.run(mount, capture_output=True, text=True, check=False)).returncode:
        pytest.skip(f"cannot mount a small file system: {done.stderr.strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


def fill(place: Path) -> Path:
    ballast = place / "ballast"
    with ballast.open("wb", buffering=0) as file:
        for size in (4096, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue
    return ballast


def test_a_full_disk_is_the_hosts_fault_and_loses_nothing(small_disk: Path) -> None:
    run = RunRecord.create(small_disk / "run", {})
    kept = record(run, 0)
    run.commit()
    writer = begin(run, 1)
    ballast = fill(small_disk)
    with pytest.raises(HostError, match="No space left") as caught:
        for number in range(3, 100_000):
            writer.step(Step(step=number, reply="x" * 200))
    assert "make room" in caught.value.remedy
    with pytest.raises(HostError, match="No space left"):
        writer.see(seen(77), 7)
    with pytest.raises(HostError, match="No space left"):
        finish(writer, 1)
    with pytest.raises(HostError, match="No space left"):
        begin(run, 2).close()
    ballast.unlink()
    again = record(run, 3)
    run.close()
    assert list(RunRecord.open(small_disk / "run").results()) == [kept, again]
    assert verify(small_disk / "run", partial=True) == []
    with RunRecord.resume(small_disk / "run") as resumed:
        assert len(resumed.adopt().broken) == 2
        record(resumed, 1)


def test_a_picture_that_finds_no_room_fails_the_episode(small_disk: Path) -> None:
    run = RunRecord.create(small_disk / "run", {})
    writer = begin(run, 0)
    fill(small_disk)
    writer.see(seen(screenshot=picture(3, (640, 480))), 5)
    writer.close()
    with pytest.raises(HostError, match=r"0005\.png: No space left"):
        finish(writer, 0)
    run.close()


def test_results_wait_until_there_is_room(small_disk: Path) -> None:
    run = RunRecord.create(small_disk / "run", {})
    first = record(run, 0)
    run.commit()
    whole = run.paths.index.read_bytes()
    ballast = fill(small_disk)
    lost = [Result(key=key(n), stop="void", cause="worker", error="e" * 500) for n in range(1, 40)]
    for result in lost:
        run.add(result)
    with pytest.raises(HostError, match="No space left"):
        run.commit()
    assert run.paths.index.read_bytes() == whole
    ballast.unlink()
    run.commit()
    assert list(run.results()) == [first, *lost]
    run.close()


LIMITED = """
import resource, sys
from pathlib import Path
from proctor.errors import HostError
from proctor.store.run import RunRecord
from tests.store.making import begin, record
run = RunRecord.create(Path(sys.argv[1]), {})
record(run, 0)
run.commit()
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
try:
    writer = begin(run, 1, steps=40)
except HostError as error:
    print(error)
"""


def test_a_file_that_may_not_grow_is_the_hosts_fault(tmp_path: Path, project: Path) -> None:
    command = [sys.executable, "-c", LIMITED, tmp_path / "run"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert "steps.jsonl: File too large" in done.stdout, done.stderr
    assert "make room" in done.stdout
    with RunRecord.resume(tmp_path / "run") as run:
        assert len(run.adopt().broken) == 1
        assert len(list(run.results())) == 1
