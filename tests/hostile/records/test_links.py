"""A run folder from elsewhere holds links: nothing is written through one, and nothing behind one is read."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from proctor.errors import HostError, ProctorError, RecordError
from proctor.store.export import export
from proctor.store.folder import make_room
from proctor.store.read import open_episode
from proctor.store.run import RunRecord
from proctor.store.verify import verify
from tests.hostile.records.foreign import episode_of, foreign_run, proctor
from tests.store.making import DIGEST, TASK, begin, key

SECRET = "the secret of the host"


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "host" / "secret"
    path.parent.mkdir()
    path.write_text(SECRET)
    return path


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return foreign_run(tmp_path / "run")


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("what", ["the page", "its folder", "a dangling link"])
def test_a_report_is_not_written_through_a_link(run: Path, secret: Path, what: str) -> None:
    if what == "its folder":
        (run / "report").symlink_to(secret.parent)
    else:
        (run / "report").mkdir()
        (run / "report" / "index.html").symlink_to(secret if what == "the page" else secret.with_name("new"))
    done = proctor("report", str(run))
    assert contents(secret.parent) == {str(secret): SECRET.encode()}
    assert "Traceback" not in done.stderr
    if what == "its folder":
        assert done.returncode == 1
        assert "is a link to somewhere else" in done.stderr
    else:
        assert done.returncode == 0
        assert not (run / "report" / "index.html").is_symlink()


@pytest.mark.parametrize("name", ["index.jsonl", "lock", "run.json"])
@pytest.mark.parametrize("make", [os.symlink, os.link])
def test_a_run_is_not_gone_on_with_through_a_link(
    run: Path, secret: Path, name: str, make: Callable[[Path, Path], None]
) -> None:
    (run / name).unlink(missing_ok=True)
    make(secret, run / name)
    with pytest.raises((RecordError, HostError)):
        RunRecord.resume(run)
    assert contents(secret.parent) == {str(secret): SECRET.encode()}


@pytest.mark.parametrize("name", ["seal.json", ".seal.json.part", "index.torn-1"])
@pytest.mark.parametrize("make", [os.symlink, os.link])
def test_what_is_written_anew_replaces_a_link(
    run: Path, secret: Path, name: str, make: Callable[[Path, Path], None]
) -> None:
    (run / "seal.json").unlink()
    with (run / "index.jsonl").open("ab") as file:
        file.write(b'{"torn')
    make(secret, run / name)
    if name == "seal.json":
        # A run that says it is sealed has no torn end.
        with pytest.raises(RecordError):
            RunRecord.resume(run)
        return
    with RunRecord.resume(run) as record:
        record.seal()
    assert contents(secret.parent) == {str(secret): SECRET.encode()}


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_no_episode_is_recorded_behind_a_link(run: Path, secret: Path, depth: int) -> None:
    target = RunRecord.open(run).paths.episode(key(5))
    parts = target.relative_to(run).parts
    place = run.joinpath(*parts[: depth + 1])
    if place.exists():
        place.rename(place.with_name("away"))
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(secret.parent)
    with pytest.raises(RecordError, match="is a link to somewhere else"):
        make_room(target)
    with RunRecord.resume(run) as record, pytest.raises(RecordError, match="is a link to somewhere else"):
        begin(record, 5)
    assert contents(secret.parent) == {str(secret): SECRET.encode()}


def test_no_task_is_kept_or_read_behind_a_link(run: Path, secret: Path) -> None:
    (run / "tasks" / f"{DIGEST}.json").rename(secret.with_name(f"{DIGEST}.json"))
    (run / "tasks").rmdir()
    (run / "tasks").symlink_to(secret.parent)
    with RunRecord.resume(run) as record:
        for use in (lambda: record.task(DIGEST), lambda: record.keep_task(DIGEST, TASK)):
            with pytest.raises(RecordError, match="is a link to somewhere else"):
                use()


@pytest.mark.parametrize("form", ["osworld", "sft", "parquet"])
def test_nothing_behind_a_link_is_exported(run: Path, secret: Path, form: str, tmp_path: Path) -> None:
    episode = episode_of(run)
    (episode / "0000.png").unlink()
    (episode / "0000.png").symlink_to(secret)
    with pytest.raises(RecordError, match="cannot read"):
        export(run, form, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_tasks_are_exported_as_what_they_are(run: Path, secret: Path, tmp_path: Path) -> None:
    (run / "tasks" / "stolen.json").symlink_to(secret)
    os.mkfifo(run / "tasks" / "pipe")
    export(run, "sft", tmp_path / "out", with_keys=True)
    assert [path.name for path in (tmp_path / "out" / "tasks").iterdir()] == [f"{DIGEST}.json"]
    (run / "tasks" / f"{DIGEST}.json").unlink()
    (run / "tasks" / f"{DIGEST}.json").symlink_to(secret)
    with pytest.raises(ProctorError):
        export(run, "sft", tmp_path / "again", with_keys=True)


def test_an_episode_behind_a_link_is_not_opened(run: Path, secret: Path) -> None:
    episode = episode_of(run)
    place = str(episode.relative_to(run))
    episode.rename(secret.with_name("episode"))
    episode.symlink_to(secret.with_name("episode"))
    with pytest.raises(RecordError, match="is a link to somewhere else"):
        RunRecord.open(run).paths.at(place)
    with pytest.raises(RecordError):
        open_episode(episode)


@pytest.mark.parametrize("name", ["run.json", "index.jsonl", "seal.json", "tasks", "episodes", "report", "lock"])
def test_verify_names_every_link(run: Path, secret: Path, name: str) -> None:
    kept = secret.with_name("kept")
    if (run / name).exists():
        (run / name).rename(kept)
    else:
        kept.write_text("")
    (run / name).symlink_to(kept)
    assert any(damage.file == name for damage in verify(run))
    done = proctor("runs", "verify", str(run))
    assert done.returncode == 1
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("folder", ["../../../../etc", "/etc/a/b/c/d", "episodes/../../..//x", "episodes/a/b/c/..", ""])
def test_a_place_that_a_record_names_stays_in_it(run: Path, folder: str) -> None:
    with pytest.raises(RecordError, match="not a folder of an episode"):
        RunRecord.open(run).paths.at(folder)


@pytest.mark.parametrize("digest", ["../../etc/passwd", "", "a" * 63, "A" * 64, "a" * 64 + "\n"])
def test_a_digest_that_a_record_names_is_one(run: Path, digest: str) -> None:
    with pytest.raises(RecordError, match="not the digest"):
        RunRecord.open(run).task(digest)
