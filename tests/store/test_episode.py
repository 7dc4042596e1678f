"""An episode is written as it happens: what was seen, what was done, and at last the sums that make it whole."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from PIL import Image

from proctor.errors import ProctorError, RecordError, SpecError
from proctor.observations.clip import Clip, ClipFrame
from proctor.observations.marks import mark
from proctor.observations.outline import outline
from proctor.records import ChangedPath, Header, NamedAgent, Result, Saw, Step, Told
from proctor.store.completeness import fault_of, recorded_result
from proctor.store.episode import EpisodeWriter
from proctor.store.folder import conclude
from proctor.store.paths import RunPaths
from proctor.store.pictures import same_pixels
from proctor.store.plain import MAX_LINE
from tests.store.making import files, key, picture, seen, tree


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return RunPaths(tmp_path).episode(key())


def lines(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "steps.jsonl").read_text().splitlines()]


def test_an_episode_is_whole_once_it_is_finished(folder: Path) -> None:
    writer = EpisodeWriter.begin(folder, Header(agent=NamedAgent(name="idle")))
    assert json.loads((folder / "episode.json").read_text())["agent"] == {"name": "idle"}
    writer.step(Step(step=0, saw=writer.see(seen(), 0)))
    assert lines(folder) == [{"step": 0, "saw": {"at": 1_760_000_000.5, "screenshot": "0000.png"}}]
    assert "never finished" in fault_of(folder)
    result = writer.finish(Result(key=key(), score=1.0), {"score": 1.0}, [ChangedPath(path="a")])
    assert folder == folder.parents[4] / result.folder
    assert fault_of(folder) == ""
    assert recorded_result(folder) == result
    names = {path.name for path in files(folder)}
    assert names == {
        "0000.png", "changes.json", "episode.json", "result.json", "steps.jsonl", "sums.json", "verdict.json",
    }  # fmt: skip


def test_sums_are_those_of_the_files(folder: Path) -> None:
    writer = EpisodeWriter.begin(folder, Header())
    writer.note(computer={"image": "starter"})
    for number in range(3):
        writer.step(Step(saw=writer.see(seen(number, tree=tree()), number)))
    (folder / "video.mp4").write_bytes(b"a film by somebody else")
    writer.finish(Result(key=key(), score=0.5), None, [])
    sums = json.loads((folder / "sums.json").read_text())["files"]
    others = [path for path in files(folder) if path.name != "sums.json"]
    assert {path.name for path in others} == set(sums)
    for path in others:
        data = path.read_bytes()
        assert sums[path.name] == {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def test_the_header_can_be_completed(folder: Path) -> None:
    writer = EpisodeWriter.begin(folder, Header(retry=2))
    writer.note(computer={"backend": "c"})
    writer.close()
    assert json.loads((folder / "episode.json").read_text()) == {"retry": 2, "computer": {"backend": "c"}, "format": 1}


def test_pictures_that_did_not_change_are_written_once(folder: Path) -> None:
    writer = EpisodeWriter.begin(folder, Header())
    same = picture(1)
    names = [writer.see(seen(screenshot=shot), n).screenshot for n, shot in enumerate([same, same, picture(1)])]
    assert names == ["0000.png"] * 3
    assert writer.see(seen(2), 3).screenshot == "0003.png"
    assert writer.see(seen(1), 4).screenshot == "0004.png"
    writer.close()
    assert sorted(path.name for path in folder.glob("*.png")) == ["0000.png", "0003.png", "0004.png"]


@pytest.mark.parametrize("size", [(20, 10), (640, 480)], ids=["at once", "in the background"])
def test_pictures_are_lossless_and_as_they_were_when_shown(folder: Path, size: tuple[int, int]) -> None:
    writer = EpisodeWriter.begin(folder, Header())
    shown = picture(7, size)
    wanted = shown.tobytes()
    names = []
    for number in range(12):
        names.append(writer.see(seen(screenshot=shown), number).screenshot)
        # An agent may draw on what it was shown.
        shown = shown.copy()
        shown.putpixel((number, 0), (9, 9, 9))
    writer.finish(Result(key=key(), score=1.0), None, [])
    assert len(set(names)) == 12
    assert Image.open(folder / names[0]).tobytes() == wanted


def test_whoever_draws_on_what_was_shown_does_not_change_the_record(folder: Path) -> None:
    writer = EpisodeWriter.begin(folder, Header())
    shown = picture(7, (640, 480))
    wanted = shown.tobytes()
    name = writer.see(seen(screenshot=shown), 0).screenshot
    shown.paste((1, 2, 3), (0, 0, 640, 480))
    writer.close()
    assert Image.open(folder / name).tobytes() == wanted


def test_everything_an_agent_was_shown_is_kept(folder: Path) -> None:
    writer = EpisodeWriter.begin(folder, Header())
    shot, nodes = picture(3, (200, 100)), tree(count=60)
    marks = mark(shot, outline(nodes, size=shot.size))
    clip = Clip(frames=(ClipFrame(at=1.0, image=picture(1)), ClipFrame(at=2.0, image=picture(250))), end=3.0)
    told = (Told("reply", "the blue one"),)
    observation = seen(
        screenshot=shot, tree=nodes, marks=marks, clip=clip, terminal="$ ls", degraded=("tree: slow",), told=told
    )
    saw = writer.see(observation, 4)
    assert writer.see(observation, 5) == saw
    writer.close()
    assert saw == Saw(
        at=observation.at, screenshot="0004.png", tree="0004.tree.json.gz", marks="0004.marks.png",
        marked="0004.marks.json.gz", clip="0004.clip.webp", terminal="$ ls", degraded=("tree: slow",), told=told,
    )  # fmt: skip
    recorded = json.loads(gzip.decompress((folder / "0004.tree.json.gz").read_bytes()))
    assert len(recorded["nodes"]) == 60
    assert recorded["nodes"][1]["box"] == [1, 2, 3, 4]
    assert json.loads(gzip.decompress((folder / "0004.marks.json.gz").read_bytes()))["table"] == marks.table
    assert Image.open(io.BytesIO((folder / "0004.clip.webp").read_bytes())).n_frames == 2  # type: ignore[attr-defined]


def test_a_number_that_is_taken_gives_the_next(folder: Path) -> None:
    writer = EpisodeWriter.begin(folder, Header())
    assert [writer.see(seen(shade), 2).screenshot for shade in range(3)] == ["0002.png", "0003.png", "0004.png"]
    writer.close()


@given(text=st.text(), number=st.floats())
def test_any_text_is_recorded(text: str, number: float, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("any") / "0"
    writer = EpisodeWriter.begin(folder, Header())
    writer.step(Step(reply=text, at=number))
    writer.step(Step(reply="half a pair: \ud800"))
    writer.close()
    first, second = lines(folder)
    assert first.get("reply", "") == text
    assert first["at"] == pytest.approx(number, nan_ok=True)
    assert second["reply"] == "half a pair: \ud800"


def test_a_reply_beyond_all_measure_is_cut_and_says_so(folder: Path) -> None:
    writer = EpisodeWriter.begin(folder, Header())
    writer.step(Step(step=0, reply="x" * (MAX_LINE + 1), action={"deep": [[["y"]]], "many": list(range(5000))}))
    writer.close()
    (line,) = lines(folder)
    assert (folder / "steps.jsonl").stat().st_size < 1_000_000
    assert str(line["reply"]).endswith("characters left out]")
    assert line["action"]["deep"] == [[["y"]]]  # type: ignore[index]
    assert line["clipped"] is True


def test_an_interrupted_try_is_kept_aside(folder: Path) -> None:
    for number in range(3):
        EpisodeWriter.begin(folder, Header(retry=number)).close()
    kept = {
        path.name: json.loads((path / "episode.json").read_text()).get("retry", 0) for path in folder.parent.iterdir()
    }
    assert kept == {"0.broken-1": 0, "0.broken-2": 1, "0": 2}


def test_a_whole_record_is_never_written_over(folder: Path) -> None:
    EpisodeWriter.begin(folder, Header()).finish(Result(key=key(), score=1.0), None, [])
    with pytest.raises(RecordError, match="already contains the complete record"):
        EpisodeWriter.begin(folder, Header())
    assert fault_of(folder) == ""


def test_nothing_can_be_added_to_a_closed_record(folder: Path) -> None:
    writer = EpisodeWriter.begin(folder, Header())
    writer.close()
    writer.close()
    with pytest.raises(SpecError, match="closed"):
        writer.step(Step())


def test_a_failure_in_the_background_comes_with_the_next_call(folder: Path) -> None:
    writer = EpisodeWriter.begin(folder, Header())
    (folder / ".0000.png.part").mkdir()
    writer.see(seen(screenshot=picture(0, (640, 480))), 0)
    writer.close()
    for _ in range(2):
        with pytest.raises(ProctorError, match=r"cannot record .*0000.png"):
            writer.step(Step())
    with pytest.raises(ProctorError, match=r"cannot record .*0000.png"):
        writer.finish(Result(key=key(), score=1.0), None, [])
    assert "never finished" in fault_of(folder)


def test_a_folder_that_cannot_be_made_is_the_hosts_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ProctorError, match="cannot record") as caught:
        EpisodeWriter.begin(tmp_path / "file" / "0", Header())
    assert caught.value.remedy


def test_the_try_of_a_lost_worker_is_concluded_with_what_it_wrote(folder: Path) -> None:
    writer = EpisodeWriter.begin(folder, Header())
    writer.step(Step(step=0, saw=writer.see(seen(), 0)))
    writer.close()
    (folder / "live.json").write_text("{}")
    (folder / ".0001.png.part").write_bytes(b"half")
    with (folder / "steps.jsonl").open("a") as file:
        file.write('{"step": 1, "sa')
    lost = Result(key=key(), stop="void", cause="worker", error="killed")
    result = conclude(folder, lost)
    assert result.folder
    assert fault_of(folder) == ""
    assert {path.name for path in files(folder)} == {
        "0000.png", "episode.json", "result.json", "steps.jsonl", "sums.json",
    }  # fmt: skip
    assert conclude(folder, lost) == result


def test_a_worker_that_was_lost_after_its_work_has_its_own_result(folder: Path) -> None:
    result = EpisodeWriter.begin(folder, Header()).finish(Result(key=key(), score=1.0), None, [])
    assert conclude(folder, Result(key=key(), stop="void", cause="worker")) == result


def test_a_worker_that_was_lost_before_it_began_leaves_a_record_too(folder: Path) -> None:
    conclude(folder, Result(key=key(), stop="void", cause="worker"))
    assert fault_of(folder) == ""


PIXELS = arrays.arrays(np.uint8, st.sampled_from([(1, 1, 3), (2, 3, 3), (2, 3, 4), (5, 7)]), elements=st.integers(0, 2))


@given(PIXELS, PIXELS)
def test_pictures_are_the_same_exactly_when_every_pixel_is(one: np.ndarray, other: np.ndarray) -> None:
    assert same_pixels(Image.fromarray(one), Image.fromarray(other)) == np.array_equal(one, other)


@given(x=st.integers(0, 399), y=st.integers(0, 299), mode=st.sampled_from(["RGB", "RGBA", "L"]))
def test_one_other_pixel_makes_a_large_picture_another(x: int, y: int, mode: str) -> None:
    one = Image.new(mode, (400, 300), 5)
    other = one.copy()
    assert same_pixels(one, other)
    value = {"RGB": (5, 0, 1), "RGBA": (5, 0, 1, 0), "L": 6}[mode]
    other.putpixel((x, y), value)
    assert not same_pixels(one, other)
