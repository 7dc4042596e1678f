"""What is seen after an action against what is there 1.5 s later: the share of stale views, and what a step takes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click
from PIL import Image

from benchmarks.settle_pictures import side_by_side
from benchmarks.settle_scenes import Scene, opened, scenes
from benchmarks.settle_steps import action_of
from proctor.bench.measure import Figure, Laps
from proctor.bench.terminal import print_figures, progress
from proctor.computers.computer import Computer
from proctor.computers.drift import Place, differences
from proctor.computers.images import store
from proctor.computers.settle import Settling, read_settling
from proctor.errors import UnknownName
from proctor.pause import pause

LATER_SEC = 1.5
GLANCES = 3
GLANCE_SEC = 0.4
"""What differs is looked at again so often: what goes on changing without anybody acting moves by itself."""
STALE_GOAL = 0.3
SAMPLE = 20
"""Lines of each scene that a quick measurement takes."""


@dataclass(frozen=True, kw_only=True)
class Pair:
    """One action in one application."""

    app: str
    step: str
    ms: float
    """From the action to the settled screen."""
    settled: bool
    places: tuple[Place, ...] = ()
    """Where the screen was another one later."""
    pictures: tuple[Image.Image, Image.Image] | None = field(default=None, repr=False)
    """What was seen and what was there, for a stale pair."""

    @property
    def stale(self) -> bool:
        """Whether what was seen is not what was there."""
        return bool(self.places)


@click.command("settle")
@click.option(
    "--settle",
    "policy",
    default="quick",
    show_default=True,
    metavar="quick|careful|SECONDS",
    help="How long the screen is waited for after each action, as in `proctor run`.",
)
@click.option("--app", "apps", multiple=True, metavar="NAME", help="Only these applications. Repeatable.")
@click.option("--quick", is_flag=True, help="A sample: the first actions in the applications of the starter image.")
@click.option(
    "--pictures",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Keep each stale view beside the screen that was there.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
def command(policy: str, apps: tuple[str, ...], quick: bool, pictures: Path | None, as_json: bool) -> None:
    """Whether what is seen after an action is what is there 1.5 s later, over hundreds of actions in applications."""
    with progress() as say:
        figures = measure(
            settling=read_settling(policy),
            quick=quick,
            apps=apps,
            pictures=pictures,
            say=say,
        )
    print_figures(figures, "proctor bench settle", as_json=as_json)


def measure(
    *,
    settling: Settling,
    quick: bool,
    pictures: Path | None,
    say: Callable[[str], None],
    apps: Sequence[str] = (),
) -> list[Figure]:
    """Play the battery on the images there are; stale pairs are kept as pictures where a folder is given."""
    names = [scene.app for scene in scenes()]
    for app in apps:
        if app not in names:
            raise UnknownName("application of the battery", app, names)
    there = {image.name for image in store.images()}
    chosen = [scene for scene in scenes() if scene.image in there and (not apps or scene.app in apps)]
    if quick:
        chosen = [scene for scene in chosen if scene.image == "starter"]
    pairs: list[Pair] = []
    for scene in chosen:
        pairs += play(scene, settling, steps=scene.steps[:SAMPLE] if quick else scene.steps, say=say)
    if pictures is not None:
        keep(pairs, pictures)
    return figures(pairs, [app for app in names if app not in {scene.app for scene in chosen}])


def play(
    scene: Scene, settling: Settling, *, steps: Sequence[str], say: Callable[[str], None] = lambda _: None
) -> list[Pair]:
    """Carry out the lines of a scene, while its application is open, and compare each view with the screen later."""
    say(f"views in {scene.app}")
    pairs: list[Pair] = []
    with opened(scene, settling) as computer:
        for number, line in enumerate(steps, 1):
            say(f"views in {scene.app}: {number} of {len(steps)}, {sum(pair.stale for pair in pairs)} stale")
            if scene.window and not computer.windows():
                break  # what is measured on an empty desktop says nothing about the application
            pairs.append(look_twice(computer, scene.app, line))
    return pairs


def look_twice(computer: Computer, app: str, line: str) -> Pair:
    """Act, look, wait, and look again."""
    action = action_of(line, computer)
    began = time.perf_counter()
    performed = computer.perform(action)
    spent = (time.perf_counter() - began) * 1000
    seen = computer.screenshot(cursor=False)
    pause(LATER_SEC)
    later = computer.screenshot(cursor=False)
    places = differences(seen, later, ignore=computer.parts.rest.restless())
    if places:
        places = _still(computer, places, later)
    pictures = (seen, later) if places else None
    return Pair(app=app, step=line, ms=spent, settled=performed.settled, places=tuple(places), pictures=pictures)


def _still(computer: Computer, places: list[Place], frame: Image.Image) -> list[Place]:
    """Leave out the places that go on changing by themselves."""
    for _ in range(GLANCES):
        pause(GLANCE_SEC)
        now = computer.screenshot(cursor=False)
        moving = [place.box for place in differences(frame, now)]
        places = [place for place in places if not any(place.box.intersect(box) for box in moving)]
        frame = now
    return places


def figures(pairs: Sequence[Pair], left_out: Sequence[str] = ()) -> list[Figure]:
    """Return the share of stale views and what a step takes, of all pairs and for each application."""
    if not pairs:
        return [Figure(key="stale_percent", what="stale views", value=None, unit="%", note="no image is built")]
    missing = f"; without {', '.join(left_out)}" if left_out else ""
    times = [pair.ms for pair in pairs]
    found = [
        Figure(
            key="stale_percent",
            what=f"stale views of {len(pairs)}",
            value=share(pairs),
            unit="%",
            goal=STALE_GOAL,
            note=f"compared with the screen {LATER_SEC:g} s later; load {os.getloadavg()[0]:.1f}{missing}",
        ),
        Figure(
            key="stale_unsaid_percent",
            what="stale views that were said to be settled",
            value=share(pairs, said=True),
            unit="%",
        ),
        Figure(key="settle_ms", what="step in the battery", value=Laps(times).median, note="median"),
        Figure(key="settle_p95_ms", what="step in the battery, 95th percentile", value=percentile(times, 95)),
    ]
    for app in dict.fromkeys(pair.app for pair in pairs):
        mine = [pair for pair in pairs if pair.app == app]
        spent = [pair.ms for pair in mine]
        usual, long = Laps(spent).median, percentile(spent, 95)
        note = f"of {len(mine)}; median {usual:.0f} ms, 95th percentile {long:.0f} ms"
        key = f"stale_{app.replace(' ', '_')}_percent"
        found.append(Figure(key=key, what=f"stale views, {app}", value=share(mine), unit="%", note=note))
    return found


def share(pairs: Sequence[Pair], *, said: bool = False) -> float:
    """Return the stale views in per cent; with `said`, only those that were said to be settled."""
    return 100 * sum(pair.stale and (pair.settled or not said) for pair in pairs) / len(pairs)


def percentile(values: Sequence[float], rank: int) -> float:
    """Return the smallest value that this many per cent of all do not exceed."""
    ordered = sorted(values)
    return ordered[max(-(-len(ordered) * rank // 100) - 1, 0)]


def keep(pairs: Sequence[Pair], folder: Path) -> None:
    """Write each stale pair as one picture: what was seen, what was there, with the difference framed."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, pair in enumerate(pairs):
        if pair.pictures:
            said = "" if pair.settled else "-unsettled"
            name = f"{number:03}-{pair.app}-{pair.step}{said}".replace("/", "_").replace(" ", "-")[:100]
            side_by_side(*pair.pictures, [place.box for place in pair.places]).save(folder / f"{name}.png")
