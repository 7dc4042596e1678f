"""`proctor serve`: tasks for other people's trainers, over the network."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import ModuleType

import click

from proctor.actions.action import ACTIONS
from proctor.computers import meet
from proctor.computers.images import store
from proctor.computers.settle import read_settling
from proctor.errors import MissingExtra, SpecError, UnknownName
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
@click.option("--suite", default="tour", show_default=True, help="Suite, or folder of tasks, to serve.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; there is no password.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 for any free one.")
@click.option(
    "--allow-host",
    "allowed",
    multiple=True,
    metavar="NAME[:PORT]",
    help="Another name by which clients may call, such as that of a proxy; repeatable.",
)
@click.option(
    "--sessions",
    type=click.IntRange(1, 1024),
    default=4,
    show_default=True,
    help="Clients at once, each with a computer.",
)
@click.option(
    "--computer",
    default="sandbox",
    show_default=True,
    metavar="NAME[,OPTION=VALUE,...]",
    help="Which computers, as in `proctor run`.",
)
@click.option("--tree", is_flag=True, help="Show the accessibility tree too.")
@click.option(
    "--action", "actions", multiple=True, metavar="KIND", help="Only these actions, such as run_code. Repeatable."
)
@click.option("--steps", type=click.IntRange(min=1), help="Actions in an episode; as the task says, otherwise.")
@click.option("--settle", default="quick", show_default=True, metavar="quick|careful|SECONDS")
@click.option(
    "--seconds",
    type=click.FloatRange(0, min_open=True),
    help="How long an episode may take; as long as it takes, otherwise.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="RUN",
    help="Record every episode in a new run folder, for `proctor view`, `report` and `export`.",
)
@click.option("--client", default="openenv", show_default=True, help="What whoever steps is called in the record.")
@click.option(
    "--train-seeds",
    type=click.IntRange(min=0),
    default=TRAIN_SEEDS,
    show_default=True,
    help="Variants of each template in the split `train`.",
)
@click.option(
    "--write",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write the same as an OpenEnv package into a new folder, and serve nothing.",
)
def openenv(
    suite: str,
    host: str,
    port: int,
    allowed: tuple[str, ...],
    sessions: int,
    computer: str,
    tree: bool,
    actions: tuple[str, ...],
    steps: int | None,
    settle: str,
    seconds: float | None,
    out: Path | None,
    client: str,
    train_seeds: int,
    write: Path | None,
) -> None:
    """Serve a suite as an OpenEnv environment: sessions, tasks by split and index, seeds.

    \b
    proctor serve openenv --suite tour --sessions 16
    proctor serve openenv --suite tour --write my_env    a package for `openenv build` and `openenv push`
    openenv validate --url http://127.0.0.1:8000         OpenEnv's own checks
    """
    served = Served(
        suite=suite,
        sessions=sessions,
        computer=computer,
        tree=tree,
        actions=actions,
        steps=steps or 0,
        settle=settle,
        seconds=seconds or 0.0,
        train_seeds=train_seeds,
    )
    if write is not None:
        from proctor.interop.openenv.package import write_package

        served.venue()  # refuses at once what could never be served
        for path in write_package(write, load_suite(suite), served.to_json()):
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

    def to_json(self) -> dict[str, object]:
        """Return it as plain data."""
        return asdict(self)

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
    """Return the application of an OpenEnv server.

    Raises MissingExtra where OpenEnv is not installed.
    """
    venue = replace(served.venue(), run=run, agent=client or "openenv")
    return _openenv().make_app(
        load_suite(served.suite),
        venue,
        sessions=served.sessions,
        train_seeds=served.train_seeds,
        host=host,
        allowed=allowed,
    )


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

    with DoorRun(out, served=served.to_json()) if out is not None else nullcontext() as record:
        app = openenv_app(served, host=host, allowed=allowed, run=record, client=client)
        server.serve(app, host=host, port=port, ready=ready)


def _openenv() -> ModuleType:
    try:
        return importlib.import_module("proctor.interop.openenv.app")
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("proctor"):
            raise
        raise MissingExtra("proctor serve openenv", "openenv") from error
