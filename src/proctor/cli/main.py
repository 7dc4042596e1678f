"""The `proctor` command; a subcommand is imported when it is used, so that help is instant."""

from __future__ import annotations

import difflib
import importlib
import sys
from io import StringIO
from typing import NamedTuple, NoReturn

import click

from proctor.errors import ProctorError
from proctor.version import VERSION

INTERRUPTED = 130


class Lazy(NamedTuple):
    """A subcommand that has not been imported yet."""

    target: str
    summary: str


COMMANDS = {
    "agents": Lazy("proctor.cli.agents:agents", "List agents, and show what their models are sent."),
    "bench": Lazy("proctor.cli.bench:bench", "Measure how fast computers are on this machine."),
    "compose": Lazy("proctor.cli.compose:compose", "Compose tasks from subtasks, as many and as complex as asked for."),
    "demo": Lazy("proctor.cli.demo:demo", "Watch a real desktop being operated, from start to end."),
    "desktop": Lazy("proctor.cli.desktop:desktop", "Open a desktop and say how to watch it."),
    "diff": Lazy("proctor.cli.diff:diff", "Show which tasks changed sides between two runs."),
    "doctor": Lazy("proctor.cli.doctor:doctor", "Check what this machine needs to run sandboxes, and how to fix it."),
    "examine": Lazy("proctor.cli.examine:examine", "Examine any MCP client on one task."),
    "export": Lazy("proctor.cli.record:export", "Write a run in the forms that other tools read."),
    "fork": Lazy("proctor.cli.fork:fork", "Go on from the middle of a recorded episode with another agent."),
    "image": Lazy("proctor.cli.image:image", "Build, list, export, import and remove desktop images."),
    "import": Lazy("proctor.cli.record:import_", "Make a run of somebody else's trajectories."),
    "mcp": Lazy("proctor.cli.mcp:mcp", "Give any MCP client a computer."),
    "offline": Lazy(
        "proctor.cli.offline:offline", "Examine one ability at a time on pictures: grounding, IDM, critic."
    ),
    "prove": Lazy("proctor.cli.prove:prove", "Prove on real computers that tasks can be done, and only by doing them."),
    "regrade": Lazy("proctor.cli.regrade:regrade", "Judge a run again from its record, without a computer."),
    "report": Lazy("proctor.cli.report:report", "Tables, comparisons and a page of what came of runs."),
    "resume": Lazy("proctor.cli.run:resume", "Go on with a run that was interrupted."),
    "run": Lazy("proctor.cli.run:run", "Examine agents on a suite."),
    "serve": Lazy("proctor.cli.serve:serve", "Serve tasks and computers to other people's trainers."),
    "studio": Lazy("proctor.cli.studio_data:studio", "Record, try, annotate and review, in the browser."),
    "tasks": Lazy("proctor.cli.tasks:tasks", "List, show, check, scaffold and try tasks."),
    "verify": Lazy("proctor.cli.record:verify", "Find out whether a record is whole and untouched."),
    "view": Lazy("proctor.cli.view:view", "Look at runs and replay episodes in a browser."),
}


class LazyGroup(click.Group):
    """A group that lists its subcommands from a table and imports the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in alphabetical order."""
        return sorted({*COMMANDS, *self.commands})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a subcommand."""
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        module, _, attribute = COMMANDS[cmd_name].target.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the subcommand that was typed, or suggest the nearest."""
        known = self.list_commands(ctx)
        if args[0] not in known and not args[0].startswith("-"):
            near = difflib.get_close_matches(args[0], known, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise click.UsageError(f"No such command {args[0]!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of subcommands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name].summary) for name in sorted(COMMANDS)])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="proctor", message="%(prog)s %(version)s", help="Show the version.")
def cli() -> None:
    """Proctor examines computer-use agents.

    It gives an agent a real, isolated desktop, sets it proven tasks, and judges honestly.
    """


def main(args: list[str] | None = None) -> NoReturn:
    """Run the command line and end the process with its status."""
    try:
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
