"""Records on their way between machines: whole, in bounded pieces, and never outside their folder."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from proctor.errors import HostError, RecordError
from proctor.runner.workers.parcels import LARGEST, LAST, Arrival, Parcel, Piece, pack
from proctor.runner.workers.scratch import scratch_folder

NAMES = some.text(some.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=40).filter(
    lambda name: name not in (".", "..")
)
SIZES = some.one_of(some.integers(0, 2000), some.sampled_from([LARGEST - 1, LARGEST, LARGEST + 1, 2 * LARGEST + 7]))


@settings(max_examples=40)
@given(some.dictionaries(NAMES, SIZES, max_size=6))
def test_every_file_arrives_as_it_was(files: dict[str, int]) -> None:
    with tempfile.TemporaryDirectory() as place:
        there, here = Path(place) / "there", Path(place) / "run" / "0"
        there.mkdir()
        for number, (name, size) in enumerate(files.items()):
            (there / name).write_bytes(bytes([number]) * size)
        (there / LAST).write_bytes(b"{}")
        arrival = Arrival(here)
        for parcel in pack(there):
            assert sum(len(piece.data) for piece in parcel.pieces) <= LARGEST
            arrival.take(parcel)
            last = parcel.pieces[-1].name
        assert last == LAST
        assert {path.name: path.read_bytes() for path in here.iterdir()} == {
            path.name: path.read_bytes() for path in there.iterdir()
        }


def test_small_files_travel_together(tmp_path: Path) -> None:
    for number in range(50):
        (tmp_path / f"{number:04d}.png").write_bytes(b"x" * 1000)
    (parcel,) = pack(tmp_path)
    assert len(parcel.pieces) == 50


@pytest.mark.parametrize("name", ["", ".", "..", "/etc/passwd", "../1/result.json", "a/b", "a\0b"])
def test_a_file_outside_its_folder_is_refused(tmp_path: Path, name: str) -> None:
    arrival = Arrival(tmp_path / "run" / "0")
    with pytest.raises(RecordError, match="a file named"):
        arrival.take(Parcel((Piece(name, b"x"),)))
    assert [path.name for path in tmp_path.rglob("*")] == ["run", "0"]


def test_nothing_is_written_through_what_lies_there(tmp_path: Path) -> None:
    arrival = Arrival(tmp_path / "run" / "0")
    outside = tmp_path / "outside"
    outside.write_bytes(b"mine")
    (tmp_path / "run" / "0" / "result.json").symlink_to(outside)
    with pytest.raises(HostError, match="cannot record"):
        arrival.take(Parcel((Piece("result.json", b"yours"),)))
    assert outside.read_bytes() == b"mine"


def test_an_interrupted_record_is_moved_aside(tmp_path: Path) -> None:
    folder = tmp_path / "0"
    Arrival(folder).take(Parcel((Piece("steps.jsonl", b"half"),)))
    Arrival(folder).take(Parcel((Piece("steps.jsonl", b"new"),)))
    assert (folder / "steps.jsonl").read_bytes() == b"new"
    assert (tmp_path / "0.broken-1" / "steps.jsonl").read_bytes() == b"half"


def test_the_folder_of_an_episode_is_its_own_and_goes(tmp_path: Path) -> None:
    with scratch_folder(tmp_path) as one, scratch_folder(tmp_path) as two:
        (one / "file").touch()
        assert one != two
        assert one.stat().st_mode & 0o777 == 0o700
        with pytest.raises(ZeroDivisionError), scratch_folder(tmp_path):
            raise ZeroDivisionError
        assert {*tmp_path.iterdir()} == {one, two}
    assert [*tmp_path.iterdir()] == []


def test_the_folder_of_a_killed_process_is_swept(tmp_path: Path) -> None:
    program = (
        "import os, sys; from pathlib import Path; from proctor.runner.workers.scratch import scratch_folder\n"
        "with scratch_folder(Path(sys.argv[1])) as folder: (folder / 'file').touch(); os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], timeout=300, check=False)
    assert done.returncode == -9
    (left,) = tmp_path.iterdir()
    with scratch_folder(tmp_path) as folder:
        assert [*tmp_path.iterdir()] == [folder]
        assert folder != left


def test_what_is_no_folder_of_ours_stays(tmp_path: Path) -> None:
    (tmp_path / "proctor-episode-file").touch()
    target = tmp_path / "target"
    target.mkdir()
    (tmp_path / "proctor-episode-link").symlink_to(target)
    with scratch_folder(tmp_path):
        pass
    assert {path.name for path in tmp_path.iterdir()} == {"proctor-episode-file", "proctor-episode-link", "target"}
