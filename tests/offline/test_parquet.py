"""Tables hold pictures in columns, in lists and in records of lists; each is read when it is looked at."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from proctor.errors import RecordError, SpecError
from proctor.offline.loaders.load import load
from proctor.offline.parquet import KEPT_BATCHES, PictureCell, parquet_rows
from proctor.offline.sample import CriticSample, GroundSample, IdmSample, Shot
from tests.offline import sets

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def written(path: Path, rows: list[dict[str, Any]], **more: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(pyarrow.Table.from_pylist(rows), path, **more)
    return path


def held(path: Path) -> dict[str, Any]:
    return {"bytes": path.read_bytes(), "path": path.name}


def episodes(folder: Path) -> list[dict[str, Any]]:
    """Return episodes whose actions hold their pictures themselves."""
    pictures = {
        "a.png": held(sets.picture(folder / "a.png")),
        "b.png": held(sets.picture(folder / "b.png", buttons=["Save"])),
    }
    rows = [
        sets.episode(0, ["click", "type"], success=True),
        sets.episode(1, ["type", "type"], success=False, last=False),
    ]
    for row, action in itertools.chain.from_iterable(((row, each) for each in row["actions"]) for row in rows):
        action |= {name: pictures.get(action[name]) for name in ("obs_before", "obs_after")}
        row["metadata"] = None
    for path in folder.glob("*.png"):
        path.unlink()
    return rows


def test_pictures_in_the_actions_of_a_table(tmp_path: Path) -> None:
    written(tmp_path / "set/data/train-00000-of-00001.parquet", episodes(tmp_path))
    critics = load("critic", tmp_path / "set").samples
    assert [(each.success, len(each.shots)) for each in critics if isinstance(each, CriticSample)] == [
        (True, 3),
        (False, 2),
    ]
    idm = load("idm", tmp_path / "set").samples
    assert [(each.answer, len(each.shots)) for each in idm if isinstance(each, IdmSample)] == [((0, 1), 3), ((1,), 2)]
    first = critics[0]
    assert isinstance(first, CriticSample)
    assert all(shot.load().size == sets.SIZE for shot in first.shots)


def test_pictures_in_a_list_that_actions_name(tmp_path: Path) -> None:
    rows = [sets.episode(0, ["click", "type"], success=True)]
    pictures = [held(sets.picture(tmp_path / name)) for name in ("a.png", "b.png")]
    rows[0] |= {"images": pictures, "metadata": None}
    for name in ("a.png", "b.png"):
        (tmp_path / name).unlink()
    data = load("critic", written(tmp_path / "deep/er/critic.parquet", rows))
    (sample,) = data.samples
    assert isinstance(sample, CriticSample)
    assert [shot.load().size for shot in sample.shots] == [sets.SIZE] * 3


def screenspot(number: int, picture: dict[str, Any]) -> dict[str, Any]:
    box = [0.05, 20 / 300, 0.3, 0.2]
    return {"image": picture, "file_name": f"{number // 2}.png", "bbox": box, "instruction": f"save {number}"}


def test_splits_are_told_by_the_names_of_files(tmp_path: Path) -> None:
    picture = held(sets.picture(tmp_path / "a.png"))
    for place, name in enumerate(("set/default/test/0000.parquet", "set/default/train/0000.parquet")):
        written(tmp_path / name, [screenspot(10 * place + number, picture) for number in range(4)])
    assert len(load("ground", tmp_path / "set").samples) == 8
    found = load("ground", tmp_path / "set", split="train").samples
    assert {sample.instruction for sample in found} == {f"save {number}" for number in range(10, 14)}
    # Samples on one picture are repeats of each other, though each row has a copy of it.
    assert len({sample.cluster for sample in found}) == 2


def test_rows_are_read_in_any_order(tmp_path: Path) -> None:
    count = 16 * (KEPT_BATCHES + 3)
    rows = [{"number": number, "image": {"bytes": b"%d" % number, "path": ""}} for number in range(count)]
    path = written(tmp_path / "a.parquet", rows, row_group_size=100)
    shots = [row.data["image"] for row in parquet_rows(path)]
    assert all(isinstance(shot, Shot) for shot in shots)
    for number in (0, count - 1, 5, 99, 100, 101, 50, count - 1, 0, *range(count), 99):
        assert PictureCell.of_name(shots[number].name) == shots[number].source
        assert shots[number].source.read() == b"%d" % number
    with pytest.raises(RecordError, match="rows"):
        PictureCell(path, count, "image").read()
    with pytest.raises(RecordError, match="cannot be read"):
        PictureCell(path, 0, "nothing").read()
    assert PictureCell.of_name("images/a.png") is None


def test_a_file_that_was_written_anew_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    for text in (b"first", b"second one"):
        written(path, [{"image": {"bytes": text, "path": ""}}])
        assert PictureCell(path, 0, "image").read() == text


def test_a_picture_that_is_not_there_is_said(tmp_path: Path) -> None:
    rows = [screenspot(0, held(sets.picture(tmp_path / "a.png"))), screenspot(1, {"bytes": None, "path": None})]
    data = load("ground", written(tmp_path / "x.parquet", rows))
    assert len(data.samples) == 1 and isinstance(data.samples[0], GroundSample)
    assert [defect.reason for defect in data.defects] == ["a picture cannot be read"]


def test_what_is_no_table_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(SpecError, match="is not Parquet"):
        load("ground", tmp_path / "a.parquet")
