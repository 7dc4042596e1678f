"""`proctor serve`: tasks for other people's trainers, over the network."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import ModuleType

import click

from proctor.actions.action import ACTIONS
from proctor.cli.extras import import_extra
from proctor.cli.options import FOLDER, preset, take_fields
from proctor.computers import meet
from proctor.computers.images import store
from proctor.computers.settle import read_settling
from proctor.errors import SpecError, UnknownName
from proctor.exam.door_run import DoorRun
from proctor.exam.rules import DAY_SEC, Rules
from proctor.interop.catalogue import TRAIN_SEEDS
from proctor.interop.venue import Venue
from proctor.observations.observation import Want
from proctor.runner.computer_spec import ComputerSpec
from proctor.suites import load_suite


@click.group()
def serve() -> None:
    """Serve tasks and computers to other people's trainers."""


@serve.command()
@preset("--suite", default="tour", help="Suite, or folder of tasks, to serve.")
@preset("--host", default="127.0.0.1", help="Address to listen on; there is no password.")
@preset("--port", type=click.IntRange(0, 65535), default=8000, help="0 for any free one.")
@click.option(
    "--allow-host",
    "allowed",
    multiple=True,
    metavar="NAME[:PORT]",
    help="Another name by which clients may call, such as that of a proxy; repeatable.",
)
@preset("--sessions", type=click.IntRange(1, 1024), default=4, help="Clients at once, each with a computer.")
@preset(
    "--computer", default="sandbox", metavar="NAME[,OPTION=VALUE,...]", help="Which computers, as in `proctor run`."
)
@click.option("--tree", is_flag=True, help="Show the accessibility tree too.")
@click.option(
    "--action", "actions", multiple=True, metavar="KIND", help="Only these actions, such as run_code. Repeatable."
)
@click.option("--steps", type=click.IntRange(min=1), help="Actions in an episode; as the task says, otherwise.")
@preset("--settle", default="quick", metavar="quick|careful|SECONDS")
@click.option(
    "--seconds",
    type=click.FloatRange(0, min_open=True),
    help="How long an episode may take; as long as it takes, otherwise.",
)
@click.option(
    "--out",
    type=FOLDER,
    metavar="RUN",
    help="Record every episode in a new run folder, for `proctor view`, `report` and `export`.",
)
@preset("--client", default="openenv", help="What whoever steps is called in the record.")
@preset(
    "--train-seeds",
    type=click.IntRange(min=0),
    default=TRAIN_SEEDS,
    help="Variants of each template in the split `train`.",
)
@click.option(
    "--write",
    type=FOLDER,
    metavar="FOLDER",
    help="Write the same as an OpenEnv package into a new folder, and serve nothing.",
)
def openenv(
    host: str, port: int, allowed: tuple[str, ...], out: Path | None, client: str, write: Path | None, **given: object
) -> None:
    """Serve a suite as an OpenEnv environment: sessions, tasks by split and index, seeds.

    \b
    proctor serve openenv --suite tour --sessions 16
    proctor serve openenv --suite tour --write my_env    a package for `openenv build` and `openenv push`
    openenv validate --url http://127.0.0.1:8000         OpenEnv's own checks
    """
    chosen = take_fields(Served, given)
    served = Served(**{**chosen, "steps": chosen["steps"] or 0, "seconds": chosen["seconds"] or 0.0})
    if write is not None:
        from proctor.interop.openenv.package import write_package

        served.venue()  # refuses at once what could never be served
        for path in write_package(write, load_suite(served.suite), asdict(served)):
            click.echo(path)
        return
    run(served, host=host, port=port, allowed=allowed, out=out, client=client)


@dataclass(frozen=True, kw_only=True)
class Served:
    """What is served, in the words of the command line; what `--write` writes says the same."""

    suite: str
    sessions: int = 4
    computer: str = "sandbox"
    tree: bool = False
    actions: tuple[str, ...] = ()
    steps: int = 0
    settle: str = "quick"
    seconds: float = 0.0
    train_seeds: int = TRAIN_SEEDS

    def venue(self) -> Venue:
        """Return how tasks are set; raises SpecError that names what is wrong."""
        spec = ComputerSpec.parse(self.computer)
        for kind in self.actions:
            if kind not in ACTIONS:
                raise UnknownName("action", kind, ACTIONS)
        read_settling(self.settle)
        return Venue(
            computer=spec.name,
            options=spec.constructor_options(),
            want=Want(tree=self.tree),
            rules=Rules(
                backend=self.computer,
                actions=self.actions,
                steps=self.steps or None,
                seconds=self.seconds or DAY_SEC,
                settle=self.settle,
            ),
            assets=load_suite(self.suite).assets,
        )


def openenv_app(
    served: Served,
    *,
    host: str = "127.0.0.1",
    allowed: Sequence[str] = (),
    run: DoorRun | None = None,
    client: str = "",
) -> object:
    """Return the application of an OpenEnv server; raises MissingExtra without OpenEnv."""
    venue = replace(served.venue(), run=run, agent=client or "openenv")
    suite, seeds = load_suite(served.suite), served.train_seeds
    return _openenv().make_app(suite, venue, sessions=served.sessions, train_seeds=seeds, host=host, allowed=allowed)


def check(served: Served) -> list[str]:
    """Return why some tasks cannot be held on these computers; raises where none can."""
    spec, suite = ComputerSpec.parse(served.computer), load_suite(served.suite)
    given, tasks = spec.constructor_options(), list(suite.tasks())
    if spec.name == "sandbox":
        for image in sorted({str(given.get("image") or task.image) for task in tasks}):
            store.find(image)
    found = [(task.id, meet(spec.name, task.needs, given).lacks) for task in tasks]
    unfit = [f"{id}: {'; '.join(lacks)}" for id, lacks in found if lacks]
    if len(unfit) == len(tasks):
        raise SpecError(
            f"computer {served.computer!r} can hold no task of suite {suite.name!r}; {unfit[0]}",
            remedy="choose other computers with --computer, or another suite",
        )
    return unfit


def run(
    served: Served,
    *,
    host: str,
    port: int,
    allowed: Sequence[str] = (),
    out: Path | None = None,
    client: str = "openenv",
) -> None:
    """Serve until interrupted; with `out`, every episode is recorded in a run of its own."""
    server = _openenv()
    for unfit in check(served):
        click.echo(f"cannot be held here, and is refused when it is asked for: {unfit}", err=True)

    def ready(address: str) -> None:
        click.echo(f"OpenEnv server of suite {served.suite}: {address}\nCtrl-C ends it.")

    with DoorRun(out, served=asdict(served)) if out is not None else nullcontext() as record:
        app = openenv_app(served, host=host, allowed=allowed, run=record, client=client)
        server.serve(app, host=host, port=port, ready=ready)


def _openenv() -> ModuleType:
    return import_extra("proctor.interop.openenv.app", "proctor serve openenv", "openenv")
