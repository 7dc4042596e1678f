"""A small harvested set that is kept here: its labels are right, and baselines do on it as they should."""

from __future__ import annotations

from pathlib import Path

import pytest

from proctor.offline.loaders.load import load
from proctor.offline.make.audit import audit
from proctor.offline.open_model import WayOfAsking
from proctor.offline.record import OfflineRecord
from proctor.offline.run import run
from proctor.offline.setup import SampleSource, prepare
from proctor.offline.summary import Summary

DATA = Path(__file__).parent / "data/harvested"


def accuracy(model: str, out: Path, data: Path = DATA / "ground.jsonl") -> float:
    found = prepare("ground", SampleSource(data=data, images=DATA), WayOfAsking(model=model))
    record = OfflineRecord.begin(out, found.config, found.samples)
    run(record, found.samples, found.open_answerer)
    return Summary.of(record).accuracy.value


def test_its_labels_are_right() -> None:
    assert sum(path.stat().st_size for path in DATA.rglob("*") if path.is_file()) < 300_000
    data = load("ground", DATA / "ground.jsonl")
    assert len(data.samples) >= 40 and not data.defects
    found = audit(DATA)
    assert found.good and found.unique == found.looked_at == len(data.samples)


def test_who_looks_names_up_finds_them_all(tmp_path: Path) -> None:
    assert accuracy("baseline:tree", tmp_path / "tree") >= 0.95


def test_reading_beats_the_middle_five_times_over(tmp_path: Path) -> None:
    pytest.importorskip("rapidocr_onnxruntime")
    # Of one picture only: reading takes seconds.
    rows = [line for line in (DATA / "ground.jsonl").read_text().splitlines() if '"menu File"' in line]
    data = tmp_path / "one.jsonl"
    data.write_text("\n".join(rows))
    read, middle = (accuracy(f"baseline:{name}", tmp_path / name, data) for name in ("ocr", "centre"))
    assert read >= 0.6
    assert read >= 5 * middle
