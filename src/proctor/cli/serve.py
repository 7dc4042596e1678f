"""`proctor serve`: computers and tasks for other programs, by MCP or over the network."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import ModuleType

import click

from proctor.actions.action import ACTIONS
from proctor.cli.extras import import_extra
from proctor.cli.lazy import Lazy, LazyGroup
from proctor.cli.options import FOLDER, preset, take_fields
from proctor.computers import meet
from proctor.computers.images import store
from proctor.computers.settle import read_settling
from proctor.errors import SpecError, UnknownName
from proctor.exam.door_run import DoorRun
from proctor.exam.rules import DAY_SEC, Rules
from proctor.interop.catalogue import TRAIN_SEEDS
from proctor.interop.elements import TREE_FORMS, tree_form
from proctor.interop.venue import Venue
from proctor.observations.observation import Want
from proctor.runner.computer_spec import ComputerSpec
from proctor.suites import load_suite

COMMANDS = {
    "mcp": Lazy("proctor.cli.mcp:mcp", "Give any MCP client a computer."),
    "exam": Lazy("proctor.cli.examine:examine", "Evaluate any MCP client on tasks."),
    "osworld": Lazy("proctor.cli.osworld:osworld", "Serve a computer as OSWorld's guests do."),
}


@click.group(cls=LazyGroup, lazy=COMMANDS)
def serve() -> None:
    """Serve computers and tasks to other programs.

    \b
    proctor serve mcp                       a computer for an MCP client
    proctor serve exam sign-the-letter      an MCP client evaluated on a task
    proctor serve openenv --suite tour      tasks for a trainer
    proctor serve osworld                   a computer for OSWorld's own harness
    """


@serve.command()
@preset("--suite", default="tour", metavar="NAME|FOLDER", help="Where tasks come from.")
@preset("--host", default="127.0.0.1", help="Address to listen on; there is no password.")
@preset("--port", type=click.IntRange(0, 65535), default=8000, help="Port to listen on; 0 for any free one.")
@click.option(
    "--allow-host",
    "allowed",
    multiple=True,
    metavar="NAME[:PORT]",
    help="Another name by which clients may reach this server, such as that of a proxy; repeatable.",
)
@preset(
    "--sessions",
    type=click.IntRange(1, 1024),
    default=4,
    help="How many clients at the same time, each with a computer.",
)
@preset(
    "--computer",
    default="sandbox",
    metavar="COMPUTER",
    help="NAME,option=value,... or module:Class (see `proctor computers list`).",
)
@click.option(
    "--tree",
    type=click.Choice(TREE_FORMS),
    is_flag=False,
    flag_value="outline",
    default=None,
    help="List the elements on the screen too: with ids and states, or as `--tree osworld` in that paper's table.",
)
@click.option("--action", "actions", multiple=True, metavar="KIND", help="Allow only this kind of action; repeatable.")
@click.option("--steps", type=click.IntRange(min=1), help="Maximum actions in an episode.  [default: the task's limit]")
@preset(
    "--settle",
    default="quick",
    metavar="quick|careful|SECONDS",
    help="How long to wait for the screen after each action.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0, min_open=True),
    help="Maximum seconds for an episode.  [default: no limit]",
)
@click.option(
    "--out",
    type=FOLDER,
    metavar="RUN",
    help="Record every episode in a new run folder, for `proctor view`, `report` and `export`.",
)
@preset("--label", "client", default="openenv", metavar="NAME", help="What the agent is called in records and reports.")
@preset(
    "--train-seeds",
    type=click.IntRange(min=0),
    default=TRAIN_SEEDS,
    help="How many variants of each task are in the split `train`.",
)
@click.option(
    "--write",
    type=FOLDER,
    metavar="FOLDER",
    help="Write an OpenEnv package into a new folder instead of serving.",
)
def openenv(
    host: str, port: int, allowed: tuple[str, ...], out: Path | None, client: str, write: Path | None, **given: object
) -> None:
    """Serve a suite as an OpenEnv environment, with sessions, splits and seeds.

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
    tree: str | None = None
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
            want=Want(tree=bool(self.tree)),
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
    shown = {"tree": tree_form(served.tree or "outline"), "train_seeds": seeds}
    return _openenv().make_app(suite, venue, sessions=served.sessions, host=host, allowed=allowed, **shown)


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
            f"computer {served.computer!r} cannot run any task of suite {suite.name!r}; {unfit[0]}",
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
        click.echo(f"skipped, because it cannot run here: {unfit}", err=True)

    def ready(address: str) -> None:
        click.echo(f"OpenEnv server of suite {served.suite}: {address}\nCtrl-C stops it.")

    with DoorRun(out, served=asdict(served)) if out is not None else nullcontext() as record:
        app = openenv_app(served, host=host, allowed=allowed, run=record, client=client)
        server.serve(app, host=host, port=port, ready=ready)


def _openenv() -> ModuleType:
    return import_extra("proctor.interop.openenv.app", "proctor serve openenv", "openenv")
