"""The `proctor` command; a subcommand is imported when it is used, so that help is instant."""

from __future__ import annotations

import sys
from io import StringIO
from typing import NoReturn

import click

from proctor.cli.lazy import Lazy, LazyGroup
from proctor.cli.old_names import renew
from proctor.errors import ImageMissing, ProctorError
from proctor.version import VERSION

INTERRUPTED = 130


COMMANDS = {
    "run": Lazy("proctor.cli.run:run", "Evaluate agents on tasks."),
    "report": Lazy("proctor.cli.report:report", "Show the results of runs: tables, comparisons, a page to share."),
    "view": Lazy("proctor.cli.view:view", "Replay episodes in the browser."),
    "runs": Lazy("proctor.cli.runs:runs", "Resume, fork, compare, verify and regrade recorded runs."),
    "tasks": Lazy("proctor.cli.tasks:tasks", "List, show, try, write, compose and prove tasks."),
    "agents": Lazy("proctor.cli.agents:agents", "List agents, and show what their models are sent."),
    "computers": Lazy("proctor.cli.computers:computers", "List the kinds of computers; open one to look at."),
    "images": Lazy("proctor.cli.image:image", "Build, list, export, import and remove desktop images."),
    "worlds": Lazy("proctor.cli.worlds:worlds", "Build and browse lived-in desktops that tasks begin in."),
    "studio": Lazy("proctor.cli.studio_data:studio", "Record, try, annotate and review in the browser."),
    "offline": Lazy("proctor.cli.offline:offline", "Test models on screenshots alone: grounding, actions, success."),
    "data": Lazy("proctor.cli.data:data", "Export runs for other tools, and import trajectories."),
    "serve": Lazy("proctor.cli.serve:serve", "Serve computers and tasks: MCP, OpenEnv."),
    "doctor": Lazy("proctor.cli.doctor:doctor", "Check what this machine lacks to run sandboxes, and how to fix it."),
    "bench": Lazy("proctor.cli.bench:bench", "Measure how fast computers are on this machine.", hidden=True),
}
"""In the order in which the help lists them: what is done first comes first."""


class Proctor(LazyGroup):
    """The commands at the top; old names are understood, and a hint names the new ones."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take old names for the new ones."""
        renewed, hints = renew(args)
        for hint in hints:
            click.echo(hint, err=True)
        return super().parse_args(ctx, renewed)


@click.group(cls=Proctor, lazy=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="proctor", message="%(prog)s %(version)s", help="Show the version.")
def cli() -> None:
    """Proctor evaluates computer-use agents on real, isolated desktops.

    \b
    proctor run --suite tour --agent oracle --agent idle     see it work
    proctor view runs                                        replay what happened
    proctor run --suite tour --agent prompted --model openai/gpt-4o
    proctor run --suite tour --agent cmd:./my-agent          your own program

    `proctor COMMAND --help` shows the options of a command, with examples.
    """


def main(args: list[str] | None = None) -> NoReturn:
    """Run the command line and end the process with its status."""
    try:
        try:
            status = cli.main(args, prog_name="proctor", standalone_mode=False)
        except ImageMissing as missing:
            # Images are looked for before anything is begun, so the command can simply be given again.
            if not _build(missing):
                raise
            status = cli.main(args, prog_name="proctor", standalone_mode=False)
    except ProctorError as error:
        _report(error)
        status = 1
    except click.ClickException as error:
        _show(error)
        status = error.exit_code
    except (click.Abort, KeyboardInterrupt) as error:
        # Click also says Abort when a question is answered with no.
        interrupted = isinstance(error, KeyboardInterrupt) or isinstance(error.__cause__, KeyboardInterrupt)
        click.echo("interrupted" if interrupted else "aborted", err=True)
        status = INTERRUPTED if interrupted else 1
    sys.exit(status if isinstance(status, int) else 0)


def _build(missing: ImageMissing) -> bool:
    """Offer to build a missing image where somebody can answer; tell whether it was built."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    click.echo(f"{missing.message[0].upper()}{missing.message[1:]}.", err=True)
    if not click.confirm("Build it now?", default=True, err=True):
        return False
    cli.main(["images", "build", missing.name], prog_name="proctor", standalone_mode=False)
    return True


def _show(error: click.ClickException) -> None:
    from proctor.plain_text import printable

    said = StringIO()
    error.show(said)
    click.echo(printable(said.getvalue()), nl=False, err=True)


def _report(error: ProctorError) -> None:
    from proctor.plain_text import printable

    # Both may quote what an agent, a record or a computer said.
    click.secho(f"error: {printable(error.message)}", fg="red", err=True)
    if error.remedy:
        click.echo(f"remedy: {printable(error.remedy)}", err=True)
