"""How fast offline benchmarks are: loading and scoring a large set, making one from episodes, harvesting elements."""

from __future__ import annotations

import json
import random
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from PIL import Image, ImageDraw

from benchmarks.harvest import harvesting
from proctor.bench.measure import Figure
from proctor.bench.terminal import print_figures, progress
from proctor.observations.observation import Observation
from proctor.offline.make.make import make
from proctor.offline.open_model import WayOfAsking
from proctor.offline.record import OfflineRecord
from proctor.offline.run import run
from proctor.offline.setup import SampleSource, prepare
from proctor.offline.summary import Summary
from proctor.records import EpisodeKey, Header, Hit, Result, SetTask, Step
from proctor.store.episode import EpisodeWriter
from proctor.store.run import RunRecord

SIZE = (1280, 720)
PICTURES = 50
STEPS = 10


@click.command("offline")
@click.option("--records", type=click.IntRange(min=100), default=18_000, show_default=True, help="Grounding records.")
@click.option("--episodes", type=click.IntRange(min=10), default=40, show_default=True, help="To make data from.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
def command(records: int, episodes: int, as_json: bool) -> None:
    """How fast offline benchmarks load and score records, make data from recorded episodes, and harvest elements."""
    with progress() as say:
        figures = measure(records=records, episodes=episodes, say=say)
    print_figures(figures, "proctor bench offline", as_json=as_json)


def measure(*, records: int, episodes: int, say: Callable[[str], object], backend: str = "sandbox") -> list[Figure]:
    """Measure all three."""
    with tempfile.TemporaryDirectory(prefix="proctor-bench-") as place:
        folder = Path(place)
        say("loading and scoring")
        figures = _scoring(folder, records)
        say("making data from episodes")
        figures += _making(folder, episodes)
        say("harvesting")
        return [*figures, *harvesting(folder / "elements", backend=backend)]


def _scoring(folder: Path, records: int) -> list[Figure]:
    data = _drawn_set(folder / "set", records)
    began, spent = time.perf_counter(), time.process_time()
    found = prepare("ground", SampleSource(data=data), WayOfAsking(model="baseline:centre"))
    record = OfflineRecord.begin(folder / "out", found.config, found.samples)
    run(record, found.samples, found.open_answerer)
    summary = Summary.of(record).plain()
    seconds, spent = time.perf_counter() - began, time.process_time() - spent
    assert summary["answered"] == records
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    what = f"load, answer, record and sum up {records:,} grounding records"
    return [
        Figure(key="score_s", what=what, value=seconds, unit="s", goal=10, note=f"{spent:.1f} s of processor time"),
        Figure(key="score_mb", what="most memory of the process", value=megabytes, unit="MB", goal=500),
    ]


def _making(folder: Path, episodes: int) -> list[Figure]:
    recorded = _recorded(folder / "run", episodes)
    began, spent = time.perf_counter(), time.process_time()
    made = make([recorded], folder / "made")
    seconds, spent = time.perf_counter() - began, time.process_time() - spent
    count = sum(sum(splits.values()) for splits in made.counts.values())
    rate = count / max(spent, 1e-9)
    note = f"{count} samples of {episodes} episodes with {STEPS} steps each: {rate:.0f} a second and core"
    what = "make one sample from recorded episodes"
    return [Figure(key="make_ms", what=what, value=1000 * seconds / max(count, 1), goal=50, note=note)]


def _drawn_set(folder: Path, records: int) -> Path:
    """Write a set in the form of GroundUI with boxes anywhere."""
    (folder / "images").mkdir(parents=True)
    for number in range(PICTURES):
        _screen(number).save(folder / f"images/{number}.png")
    draw = random.Random(0)
    with (folder / "metadata.jsonl").open("w", encoding="ascii") as file:
        for number in range(records):
            x, y = draw.randrange(SIZE[0] - 100), draw.randrange(SIZE[1] - 40)
            row: dict[str, Any] = {"image": f"images/{number % PICTURES}.png", "instruction": f"Click thing {number}"}
            row |= {"bbox": [x, y, x + 100, y + 40], "source": "bench", "platform": draw.choice(["web", "desktop"])}
            file.write(json.dumps({**row, "resolution": SIZE}) + "\n")
    return folder / "metadata.jsonl"


def _screen(number: int) -> Image.Image:
    image = Image.new("RGB", SIZE, (240, 240, 245))
    draw = ImageDraw.Draw(image)
    for place in range(40):
        x, y = place % 8 * 150 + 20, place // 8 * 120 + 20
        draw.rectangle((x, y, x + 100, y + 40), fill=(200, (place * 7 + number * 13) % 255, 220))
        draw.text((x + 8, y + 12), f"Button {place} {number}", fill="black")
    return image


def _recorded(folder: Path, episodes: int) -> Path:
    """Record a run in which every step clicks a button and the screen changes."""
    with RunRecord.create(folder, {"suite": "bench"}) as record:
        for number in range(episodes):
            key = EpisodeKey(task=f"bench/task-{number % 10}-v1", agent="bench", seed=number)
            place = record.paths.episode(key, 0)
            task = SetTask(id=key.task, instruction="Press all the buttons.")
            writer = EpisodeWriter.begin(place, Header(key=key, task=task))
            for step in range(STEPS + 1):
                writer.step(_step(writer, number, step))
            score = float(number % 2)
            record.add(writer.finish(Result(key=key, score=score, steps=STEPS), {"score": score}, []))
        record.seal()
    return folder


def _step(writer: EpisodeWriter, number: int, step: int) -> Step:
    image = _screen(number * (STEPS + 1) + step)
    saw = writer.see(Observation(at=float(step), desktop=SIZE, screenshot=image), step)
    if step == STEPS:
        return Step(step=step, end=True, saw=saw)
    x, y = step % 8 * 150 + 20, step // 8 * 120 + 20
    hit = Hit(role="push button", name=f"Button {step}", box=(x, y, 100, 40), app="bench")
    return Step(step=step, turn=step + 1, saw=saw, action={"type": "click", "x": x + 50, "y": y + 20}, element=hit)
