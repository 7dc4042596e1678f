"""How soon the replay of a long episode is there."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

from PIL import Image

from proctor.bench.measure import Figure, median_ms
from proctor.observations.observation import Observation
from proctor.records import EpisodeKey, Header, Result, SetTask, Step
from proctor.store.addresses import episode_id, run_id
from proctor.store.episode import EpisodeWriter
from proctor.store.run import RunRecord

STEPS = 500


def measure_replay() -> list[Figure]:
    """Fetch what a browser needs before it shows the first step of a long episode."""
    with tempfile.TemporaryDirectory(prefix="proctor-bench-") as place:
        folder = Path(place) / "run"
        episode = _long(folder)
        argv = [sys.executable, "-P", "-m", "proctor", "view", str(folder), "--port", "0", "--no-open"]
        with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
            assert server.stdout is not None
            try:
                found = urlsplit(server.stdout.readline().split()[-1])
                address = f"{found.scheme}://{found.netloc}"
                record = f"{run_id(folder)}/{episode_id(folder, episode)}"
                value = median_ms(lambda: _fetch(address, record), 5)
            finally:
                server.terminate()
    note = f"page, index of {STEPS} steps and first picture over HTTP, one after the other; median of 5"
    return [Figure(key="replay_ms", what=f"replay of {STEPS} steps", value=value, goal=1000, note=note)]


def _long(folder: Path) -> Path:
    """Write a run with one long episode, and return the folder of that."""
    key = EpisodeKey(task="bench/long-v1", agent="bench")
    with RunRecord.create(folder, {"suite": "bench", "episodes": 1}) as record:
        writer = EpisodeWriter.begin(record.paths.episode(key), Header(task=SetTask(instruction="A long one.")))
        for number in range(STEPS):
            image = Image.new("RGB", (1920, 1080), (number % 256, 90, 140))
            saw = writer.see(Observation(at=float(number), desktop=image.size, screenshot=image), number)
            action = {"type": "click", "x": number, "y": number}
            writer.step(Step(step=number, turn=number, at=float(number), saw=saw, action=action))
        record.add(writer.finish(Result(key=key, score=0.0, steps=STEPS), None, []))
        record.seal()
        return writer.folder


def _fetch(address: str, record: str) -> None:
    for path in (f"replay/{record}", f"data/{record}", f"data/{record}/0000.png"):
        with urllib.request.urlopen(f"{address}/{path}", timeout=30) as answer:
            answer.read()
