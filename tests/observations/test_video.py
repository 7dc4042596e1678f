"""Every frame of a video is on disk, at its time, the moment it is written."""

from __future__ import annotations

import signal
import struct
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from proctor.observations.box import Box
from proctor.observations.video import Pixels, VideoWriter

av = pytest.importorskip("av")


class Shown(NamedTuple):
    at_ms: int
    pixels: Pixels


def played(path: Path) -> list[Shown]:
    with av.open(str(path)) as container:
        frames = list(container.decode(video=0))
        return [Shown(round(frame.time * 1000), frame.to_ndarray(format="rgb24")) for frame in frames]


def length_ms(path: Path) -> int:
    with av.open(str(path)) as container:
        return int(container.duration) // 1000


def grey(level: int, size: tuple[int, int] = (32, 16)) -> Pixels:
    return np.full((size[1], size[0], 4), level, np.uint8)


def fragment_ends(path: Path) -> list[int]:
    """Return where each `mdat` ends."""
    data, place, found = path.read_bytes(), 0, []
    while place < len(data):
        size, kind = struct.unpack_from(">I4s", data, place)
        place += size
        if kind == b"mdat":
            found.append(place)
    return found


def test_frames_times_and_length(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    times = [0, 40, 1000, 61_000, 61_001]
    with VideoWriter(path, (32, 16)) as writer:
        for number, at_ms in enumerate(times):
            assert writer.add(at_ms, grey(number * 50)) == at_ms
        writer.close(70_000)
    shown = played(path)
    assert [frame.at_ms for frame in shown] == times
    assert all(abs(int(frame.pixels.mean()) - number * 50) <= 2 for number, frame in enumerate(shown))
    assert length_ms(path) == 70_000


def test_playable_while_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    with VideoWriter(path, (32, 16)) as writer:
        for number in range(4):
            writer.add(number * 100, grey(number * 60))
            assert [frame.at_ms for frame in played(path)] == [each * 100 for each in range(number + 1)]


def test_cut_at_any_fragment(tmp_path: Path) -> None:
    path, part = tmp_path / "a.mp4", tmp_path / "part.mp4"
    with VideoWriter(path, (32, 16)) as writer:
        for number in range(120):  # beyond the second keyframe
            writer.add(number * 100, grey(number * 2))
    whole, ends = path.read_bytes(), fragment_ends(path)
    assert len(ends) == 120
    for count in (1, 2, 49, 50, 51, 52, 119, 120):
        part.write_bytes(whole[: ends[count - 1]])
        assert len(played(part)) == count


def test_a_frame_broken_off_anywhere_does_not_spoil_those_before(tmp_path: Path) -> None:
    path, part = tmp_path / "a.mp4", tmp_path / "part.mp4"
    with VideoWriter(path, (32, 16)) as writer:
        for number in range(3):
            writer.add(number * 100, grey(number * 90))
    whole, (_, before, end) = path.read_bytes(), fragment_ends(path)
    unfinished = whole[:before] + whole[before:end].replace(b"moof", b"free")
    for cut in range(before, end + 1):
        part.write_bytes(unfinished[:cut])
        assert len(played(part)) == 2, cut - before


def test_a_full_disk_keeps_the_frames_before(tmp_path: Path, project: Path) -> None:
    path = tmp_path / "a.mp4"
    code = (
        "import sys, pathlib, resource, signal, numpy, proctor.observations.video as video\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)\n"
        "writer = video.VideoWriter(pathlib.Path(sys.argv[1]), (64, 64))\n"
        "noise = numpy.random.default_rng(0)\n"
        "try:\n"
        "    for at in range(99): writer.add(at, noise.integers(0, 255, (64, 64, 4), numpy.uint8))\n"
        "except OSError as error: print(writer.frames, error.strerror, flush=True)\n"
        "signal.raise_signal(signal.SIGKILL)"
    )
    for limit in (20_000, 20_033, 20_066):
        command = [sys.executable, "-c", code, str(path), str(limit)]
        done = subprocess.run(command, capture_output=True, env={"PYTHONPATH": str(project / "src")}, timeout=300)
        count, reason = done.stdout.decode().split(" ", 1)
        assert reason == "File too large\n"
        assert len(played(path)) == int(count) > 1


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(1, 40), st.integers(1, 40), st.sampled_from([3, 4]))
def test_any_size(tmp_path: Path, width: int, height: int, channels: int) -> None:
    pixels = np.zeros((height, width, channels), np.uint8)
    pixels[..., 0] = 200
    path = tmp_path / "a.mp4"
    with VideoWriter(path, (width, height)) as writer:
        writer.add(0, pixels)
    (frame,) = played(path)
    assert frame.pixels.shape == (height + height % 2, width + width % 2, 3)
    expected = (200, 0, 0) if channels == 3 else (0, 0, 200)
    # Colour is kept for four pixels at a time, so a padded edge is blurred.
    if width > 4 and height > 4:
        assert np.abs(frame.pixels[1, 1].astype(int) - expected).max() < 25


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data(), st.integers(17, 90), st.integers(17, 90))
def test_where_little_changed_only_that_is_converted(
    tmp_path: Path, data: st.DataObject, width: int, height: int
) -> None:
    pixels = np.full((height, width, 4), 120, np.uint8)
    path = tmp_path / "a.mp4"
    with VideoWriter(path, (width, height), crf=1) as writer:
        writer.add(0, pixels)
        for number in range(1, 4):
            left, top = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1))
            box = Box(left, top, data.draw(st.integers(1, width - left)), data.draw(st.integers(1, height - top)))
            pixels[box.y : box.y + box.height, box.x : box.x + box.width] = data.draw(st.integers(0, 255))
            writer.add(100 * number, pixels, [box])
    last = played(path)[-1].pixels[:height, :width]
    # Edges are blurred by the colours, which four pixels share.
    assert np.abs(last.astype(int) - pixels[..., :3]).mean() < 6


def test_times_never_stand_still(tmp_path: Path) -> None:
    with VideoWriter(tmp_path / "a.mp4", (32, 16)) as writer:
        assert [writer.add(5, grey(0)), writer.add(5, grey(9)), writer.add(2, grey(99))] == [5, 6, 7]
    assert [frame.at_ms for frame in played(tmp_path / "a.mp4")] == [5, 6, 7]


def test_sudden_death_loses_no_frame(tmp_path: Path, project: Path) -> None:
    path = tmp_path / "a.mp4"
    code = (
        "import sys, pathlib, numpy, proctor.observations.video as video\n"
        "writer = video.VideoWriter(pathlib.Path(sys.argv[1]), (32, 16))\n"
        "for at in range(7): writer.add(at * 100, numpy.full((16, 32, 4), at * 30, numpy.uint8))\n"
        "print('ready', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", code, str(path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={"PYTHONPATH": str(project / "src")}
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == b"ready\n"
        process.kill()
        assert process.wait(60) == -signal.SIGKILL
    assert [frame.at_ms for frame in played(path)] == [0, 100, 200, 300, 400, 500, 600]


def test_without_the_extra_it_says_which(tmp_path: Path, project: Path) -> None:
    code = (
        "import sys, pathlib; sys.modules['av'] = None\n"  # as if it were not installed
        "from PIL import Image\n"
        "from proctor.errors import MissingExtra\n"
        "from proctor.observations.clip import Clip, ClipFrame\n"
        "from proctor.observations.video import VideoWriter\n"
        "path = pathlib.Path(sys.argv[1])\n"
        "try: VideoWriter(path, (4, 4))\n"
        "except MissingExtra as error: print(error.remedy)\n"
        "print(Clip(frames=(ClipFrame(at=0.0, image=Image.new('RGB', (4, 4))),), end=1.0).save(path).name)"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "a.mp4")]
    done = subprocess.run(command, capture_output=True, env={"PYTHONPATH": str(project / "src")}, timeout=300)
    assert done.stdout.decode().splitlines() == ["pip install 'proctor[video]'", "a.webp"]
    assert [path.name for path in tmp_path.iterdir()] == ["a.webp"]
