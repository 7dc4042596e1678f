"""Whatever is changed, cut, removed, added or moved in a record is found and named."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from proctor.store.chain import forge
from proctor.store.completeness import fault_of, recorded_result
from proctor.store.folder import conclude
from proctor.store.run import RunRecord
from proctor.store.verify import kept_aside, verify
from tests.store.making import begin, files, finish, in_memory, record, small_run

FEW = settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def run() -> Iterator[Path]:
    with in_memory() as base:
        folder = small_run(Path(base, "run"))
        assert verify(folder) == []
        yield folder


@pytest.fixture
def own(run: Path, tmp_path: Path) -> Path:
    """A copy to spoil."""
    return shutil.copytree(run, tmp_path / "run")


@contextmanager
def instead(path: Path, content: bytes | None) -> Iterator[None]:
    before = path.read_bytes()
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)
    try:
        yield
    finally:
        path.write_bytes(before)


def named(run: Path) -> set[str]:
    return {damage.file.split(":")[0] for damage in verify(run)}


def whats(run: Path, **options: bool) -> set[str]:
    return {damage.what for damage in verify(run, **options)}


@FEW
@given(data=st.data())
def test_a_changed_byte_is_found_wherever_it_is(run: Path, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(files(run)))
    content = path.read_bytes()
    place = data.draw(st.integers(0, len(content) - 1))
    byte = data.draw(st.integers(0, 255))
    assume(content[place] != byte)
    with instead(path, content[:place] + bytes([byte]) + content[place + 1 :]):
        assert str(path.relative_to(run)) in named(run)


def test_a_seal_that_disagrees_with_the_rest_is_what_was_changed(run: Path) -> None:
    path = run / "seal.json"
    seal = path.read_bytes()
    for place, byte in enumerate(seal):
        with instead(path, seal[:place] + (b"1" if byte == ord("0") else b"0") + seal[place + 1 :]):
            assert named(run) == {"seal.json"}, f"byte {place}"


@FEW
@given(data=st.data())
def test_a_file_that_was_cut_is_found(run: Path, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(files(run)))
    content = path.read_bytes()
    with instead(path, content[: data.draw(st.integers(0, len(content) - 1))]):
        assert str(path.relative_to(run)) in named(run)


def test_a_file_that_is_missing_is_found(run: Path) -> None:
    for path in files(run):
        with instead(path, None):
            assert str(path.relative_to(run)) in named(run), path
    assert verify(run) == []


def test_a_line_that_was_removed_doubled_or_moved_is_found(run: Path) -> None:
    index = run / "index.jsonl"
    lines = index.read_bytes().splitlines(keepends=True)
    for number in range(len(lines)):
        with instead(index, b"".join(lines[:number] + lines[number + 1 :])):
            assert "index.jsonl" in named(run)
        with instead(index, b"".join(lines[:number] + [lines[number]] + lines[number:])):
            assert "index.jsonl" in named(run)
    with instead(index, b"".join([lines[1], lines[0], *lines[2:]])):
        assert named(run) & {"index.jsonl", "run.json"}


def test_truncation_is_found_without_a_seal_only_as_that(own: Path) -> None:
    (own / "seal.json").unlink()
    index = own / "index.jsonl"
    index.write_bytes(b"".join(index.read_bytes().splitlines(keepends=True)[:-1]))
    assert whats(own) == {"no line", "unsealed"}
    assert whats(own, partial=True) == set()


@pytest.mark.parametrize(
    "place", ["notes.txt", "tasks/more.txt", "episodes/x.txt", "{episode}/0099.png", "{case}/9x/a"]
)
def test_what_was_added_is_found(own: Path, place: str) -> None:
    episode = next(path.parent for path in files(own) if path.name == "sums.json")
    path = own / place.format(episode=episode.relative_to(own), case=episode.parent.relative_to(own))
    path.parent.mkdir(exist_ok=True)
    path.write_text("smuggled")
    (damage,) = verify(own)
    assert damage.what == "extra"
    assert str(path.relative_to(own)).startswith(damage.file)


def test_a_task_that_was_added_is_found(own: Path) -> None:
    digest = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
    (own / "tasks" / f"{digest}.json").write_text("{}")
    (damage,) = verify(own)
    assert (damage.file, damage.what) == (f"tasks/{digest}.json", "extra")


def test_a_report_is_no_damage(own: Path) -> None:
    (own / "report").mkdir()
    (own / "report" / "index.html").write_text("<p>")
    assert verify(own) == []


def test_a_missing_folder_is_found(own: Path) -> None:
    episode = next(path.parent for path in files(own) if path.name == "sums.json")
    shutil.rmtree(episode)
    (damage,) = verify(own)
    assert (damage.file, damage.what) == (str(episode.relative_to(own)), "no folder")


@pytest.mark.parametrize("make", [os.symlink, lambda target, path: os.mkfifo(path)], ids=["link", "pipe"])
def test_what_is_no_plain_file_is_found(own: Path, make: object, tmp_path: Path) -> None:
    path = next(path for path in files(own) if path.suffix == ".png")
    path.rename(tmp_path / "moved.png")
    assert callable(make)
    make(tmp_path / "moved.png", path)
    (damage,) = verify(own)
    assert damage.file == str(path.relative_to(own))
    assert damage.detail == "is not a plain file"


def test_a_change_with_its_sum_is_found_by_the_index(own: Path) -> None:
    episode = next(path.parent for path in files(own) if path.name == "sums.json")
    result = recorded_result(episode)
    (episode / "verdict.json").write_text("{}")
    (episode / "sums.json").unlink()
    conclude(episode, result)
    assert fault_of(episode) == ""
    (damage,) = verify(own)
    assert (damage.file, damage.what) == (f"{episode.relative_to(own)}/sums.json", "changed")


def test_whoever_rewrites_everything_is_found_out_by_a_published_seal(own: Path, run: Path, tmp_path: Path) -> None:
    with RunRecord.resume(own) as record_:
        published = record_.seal()
    assert verify(own, seal=published) == []
    forged = small_run(tmp_path / "forged", count=2)
    assert verify(forged) == []
    (damage,) = verify(forged, seal=published)
    assert (damage.file, damage.what) == ("seal.json", "changed")


def test_a_line_that_names_a_folder_outside_is_found(tmp_path: Path) -> None:
    with RunRecord.create(tmp_path, {}) as run:
        record(run)
    index = tmp_path / "index.jsonl"
    last = json.loads(index.read_bytes())
    line, _ = forge(last["hash"], {"task": "t", "agent": "a", "folder": "episodes/../../../etc"})
    index.write_bytes(index.read_bytes() + line)
    assert ("index.jsonl:2", "chain") in {(damage.file, damage.what) for damage in verify(tmp_path)}


def test_an_unfinished_run_is_told_from_a_damaged_one(tmp_path: Path) -> None:
    with RunRecord.create(tmp_path, {}) as run:
        record(run, 0)
        finish(begin(run, 1), 1)
        begin(run, 2).close()
    assert whats(tmp_path) == {"no line", "unfinished", "unsealed"}
    assert whats(tmp_path, partial=True) == set()
    with RunRecord.resume(tmp_path) as run:
        assert "being written by process" in verify(tmp_path)[-1].detail
        run.adopt()
        record(run, 2)
        run.seal()
    assert verify(tmp_path) == []
    assert kept_aside(tmp_path) == 1


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"format": 2}', "\0"])
def test_a_foreign_or_broken_run_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(text)
    (damage,) = verify(tmp_path)
    assert (damage.file, damage.what) == ("run.json", "format")
    assert [damage.what for damage in verify(tmp_path / "nowhere")] == ["missing"]
    assert [damage.what for damage in verify(tmp_path.parent)] == ["missing"]


FIELDS = ("format", "files", "lines", "last", "run", "tasks", "folder")
NONSENSE = st.dictionaries(st.sampled_from(FIELDS), st.recursive(st.none() | st.integers(0, 1) | st.text(), st.lists))


@settings(FEW, max_examples=40)
@given(
    name=st.sampled_from(["seal.json", "sums.json", "result.json", "index.jsonl"]),
    text=st.binary(max_size=60) | NONSENSE.map(lambda data: json.dumps({"format": 1, **data}).encode()),
)
def test_nonsense_never_stops_the_search(run: Path, name: str, text: bytes) -> None:
    path = next(path for path in files(run) if path.name == name)
    with instead(path, text):
        assert str(path.relative_to(run)) in named(run)
