"""Text is read off each picture once on a machine; it beats pointing at the middle by far."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont

from proctor.offline.match_text import TextCandidate, best_match, run_together, windows
from proctor.offline.ocr import TEXTS, PictureTexts
from proctor.offline.open_model import WayOfAsking
from proctor.offline.record import OfflineRecord
from proctor.offline.run import run
from proctor.offline.sample import PictureFile, Shot
from proctor.offline.setup import SampleSource, prepare
from proctor.offline.summary import Summary
from tests.offline.sets import lines, picture

pytest.importorskip("rapidocr_onnxruntime")

NAMES = (
    "File", "Edit", "View", "Insert", "Format", "Tools", "Save As", "Page Setup", "Find and Replace", "Preferences",
    "Print Preview", "Track Changes", "Zoom In", "Full Screen", "New Folder", "Sort by Name",
)  # fmt: skip
THEMES = (("#f5f6f7", "#2e3436", "#dfe3e8"), ("#2b2b2b", "#dddddd", "#44474a"), ("#1e3a5f", "#ffffff", "#2d5a8a"))


def screens(folder: Path, count: int, *, size: tuple[int, int] = (960, 540)) -> Path:
    """Draw screens of several themes and sizes of letters, in the form of ScreenSpot-v2."""
    rows: list[dict[str, Any]] = []
    for number in range(count):
        draw_lots = random.Random(number)
        back, ink, button = THEMES[number % len(THEMES)]
        image = Image.new("RGB", size, back)
        draw = ImageDraw.Draw(image)
        places = [(x, y) for x in range(10, size[0] - 210, 220) for y in range(10, size[1] - 50, 60)]
        draw_lots.shuffle(places)
        for name, (x, y) in zip(NAMES, places, strict=False):
            box = (x, y, x + 200, y + 40)
            if draw_lots.random() < 0.5:
                draw.rectangle(box, fill=button, outline=ink)
            draw.text(
                (x + 10, y + 10), name, fill=ink, font=ImageFont.load_default(size=draw_lots.choice([14, 16, 20]))
            )
            rows.append(
                {
                    "img_filename": f"{number}.png",
                    "bbox": [x, y, 200, 40],
                    "instruction": name.lower(),
                    "data_type": "text",
                    "data_source": "drawn",
                }
            )
        folder.mkdir(parents=True, exist_ok=True)
        image.save(folder / f"{number}.png")
    path = folder / "screenspot_desktop_v2.json"
    path.write_text(json.dumps(rows))
    return path


def score(data: Path, model: str, out: Path) -> float:
    found = prepare("ground", SampleSource(data=data), WayOfAsking(model=model))
    record = OfflineRecord.begin(out, found.config, found.samples)
    run(record, found.samples, found.open_answerer)
    return Summary.of(record).accuracy.value


def test_reading_beats_the_middle_five_times_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROCTOR_DATA", str(tmp_path / "data"))
    data = screens(tmp_path / "set", 3)
    read, middle = (score(data, f"baseline:{name}", tmp_path / name) for name in ("ocr", "centre"))
    assert read > 0.8
    assert read >= 5 * middle


def test_a_picture_is_read_once_for_all_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROCTOR_DATA", str(tmp_path / "data"))
    data = screens(tmp_path / "set", 2)
    first = score(data, "baseline:ocr", tmp_path / "a")
    kept = tmp_path / "data/cache/texts" / TEXTS
    read = kept.read_bytes()
    assert len(read.splitlines()) == 2

    def look(*_: object) -> None:
        raise AssertionError("a picture is read again")

    monkeypatch.setattr(PictureTexts, "_look_at", look)
    moved = (tmp_path / "set").rename(tmp_path / "elsewhere") / data.name
    assert score(moved, "baseline:ocr", tmp_path / "b") == first
    assert kept.read_bytes() == read


def test_what_was_read_is_kept_in_a_folder(tmp_path: Path) -> None:
    shot = Shot(PictureFile(picture(tmp_path / "a.png")))
    first = PictureTexts(tmp_path)
    found = first.of(shot)
    assert {"Save", "Open", "Quit"} <= {each.text for each in found}
    assert first.of(shot) is found
    assert first.read == 1
    again = PictureTexts(tmp_path)
    # The same picture under another name is the same picture.
    copied = Shot(PictureFile(picture(tmp_path / "b.png")))
    assert [each.text for each in again.of(copied)] == [each.text for each in found]
    assert again.read == 0


def test_a_torn_line_is_read_again(tmp_path: Path) -> None:
    shot = Shot(PictureFile(picture(tmp_path / "a.png")))
    PictureTexts(tmp_path).of(shot)
    whole = (tmp_path / TEXTS).read_bytes()
    lines(tmp_path / TEXTS, [{"picture": "x"}, {"picture": "y", "lines": [["a", 1]]}])
    with (tmp_path / TEXTS).open("ab") as file:
        file.write(whole[:-20])
    again = PictureTexts(tmp_path)
    assert {"Save", "Open", "Quit"} <= {each.text for each in again.of(shot)}
    assert again.read == 1


def test_large_pictures_are_read_at_their_full_size(tmp_path: Path) -> None:
    image = Image.new("RGB", (4200, 800), "white")
    ImageDraw.Draw(image).text((3900, 700), "Export", fill="black", font=ImageFont.load_default(size=20))
    image.save(tmp_path / "wide.png")
    (found,) = PictureTexts().of(Shot(PictureFile(tmp_path / "wide.png")))
    assert found.text == "Export"
    assert 3880 < found.box[0] < found.box[2] < 4000


@pytest.mark.parametrize(
    ("instruction", "line", "found"),
    [
        ("Click on General", "Gene ral", "general"),
        ("open the Privacy tab", "GeneralPrivacyAppearance", "privacy"),
        ('Click "Save every 5 minutes"', "Saveevery 5minutes", "save every 5 minutes"),
        ("Download", "Down load", "download"),
    ],
)
def test_words_that_were_read_as_one_or_as_several(instruction: str, line: str, found: str) -> None:
    lines_read = windows(line, (100.0, 10.0, 100.0 + 10 * len(line), 30.0))
    best = best_match(instruction, [*lines_read, *run_together(instruction, lines_read)])
    assert best is not None and best.text == found
    at = line.lower().replace(" ", "").find(found.replace(" ", ""))
    assert best.box[0] <= 100 + 10 * (at + 3) <= best.box[2]


def test_an_empty_screen_has_no_text(tmp_path: Path) -> None:
    Image.new("RGB", (300, 200), "grey").save(tmp_path / "empty.png")
    assert PictureTexts(tmp_path).of(Shot(PictureFile(tmp_path / "empty.png"))) == []


@pytest.mark.parametrize(
    ("instruction", "role"),
    [
        ('Click the button "Help"', "push button"),
        ('Click the menu "Help"', "menu"),
        ('Click the menu item "Help"', "menu item"),
        ('Click the toggle button "Help"', "toggle button"),
    ],
)
def test_of_one_name_the_role_decides(instruction: str, role: str) -> None:
    roles = ("menu", "menu item", "push button", "toggle button")
    listed = [TextCandidate("Help", (place, 0, place + 1, 1), role=each) for place, each in enumerate(roles)]
    found = best_match(instruction, listed)
    assert found is not None and found.role == role


def test_the_same_words_in_another_order_are_another_name() -> None:
    listed = [TextCandidate(text, (0, 0, 1, 1)) for text in ("Sort A-Z", "Sort Z-A")]
    for each in listed:
        assert best_match(f'Click the menu item "{each.text}"', listed) is each
