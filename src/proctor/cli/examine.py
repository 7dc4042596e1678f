"""`proctor examine`: any MCP client on one task; the verdict is an ordinary run's."""

from __future__ import annotations

from pathlib import Path

import click

from proctor.cli.detach import detach
from proctor.cli.mcp_options import ClientOptions, client_options
from proctor.cli.options import take_fields, with_options

_rules = with_options(
    click.option("--steps", type=click.IntRange(1), help="Actions it may take; the task's own limit otherwise."),
    click.option("--seconds", type=click.FloatRange(0, min_open=True),
                 help="How long it may work; the task's own limit otherwise."),
    click.option("--repetition", type=click.IntRange(2), default=10, show_default=True,
                 help="The same action so often in a row, with nothing changing, ends it."),
    click.option("--feedback", type=click.IntRange(0), default=0, show_default=True,
                 help="How often it is told what is missing when it says that it is done."),
    click.option("--action", "actions", multiple=True, metavar="KIND", help="Only these kinds of actions; repeatable."),
    click.option("--settle", default="quick", show_default=True, metavar="quick|careful|SECONDS",
                 help="How long the screen is waited for after each action."),
    click.option("--video", is_flag=True, help="Record a video."),
    click.option("--user-model", default="", metavar="PROVIDER/NAME", help="A model that understands its questions."),
    click.option("--policy", default="", metavar="MODULE:FUNCTION", help="May veto actions before they are performed."),
    click.option("--computer", "backend", default="sandbox", show_default=True, metavar="COMPUTER",
                 help="NAME,option=value,... or module:Class."),
)  # fmt: skip


@click.command()
@click.argument("task", metavar="TASK|FILE.json")
@click.option("--suite", default="", metavar="NAME|FOLDER", help="Where the task comes from.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Which variant of the task.")
@click.option("--mcp", is_flag=True, help="The agent is an MCP client that calls this server.")
@client_options
@click.option("--client", default="", metavar="NAME", help="What the agent is called in the record and in tables.")
@click.option(
    "--patience",
    type=click.FloatRange(1),
    default=300.0,
    show_default=True,
    help="Seconds without a message until a client over HTTP counts as gone.",
)
@click.option("--tell", is_flag=True, help="Tell the client the verdict when it says that it is done.")
@_rules
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the run; a new one in runs/ otherwise.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for a program to read.")
@click.option("--loose-limits", is_flag=True, help="Let it run code also where that could pass some limits.")
def examine(given: ClientOptions, mcp: bool, **asked: object) -> None:
    """Examine any MCP client on one task: calls are recorded, and the computer is judged.

    The client finds its tools at this command's standard input and output, or at an address with --http. The
    examination ends when it calls `done` or `give_up`, at a limit, or when it leaves. The record is that of an ordinary
    run. With standard input and output in use, everything else is printed to standard error. The exit status is that
    of `proctor run`.

    \b
    proctor examine sign-the-letter --mcp                    in a client's list of servers
    proctor examine switch-the-style --mcp --http --client my-agent
    proctor examine sign-the-letter --mcp --names cua --tell
    """  # fmt: skip
    if not mcp:
        raise click.UsageError("say how the agent comes in: --mcp")
    if not given.http:
        # Before anything is loaded or started: a client that leaves ends its servers, and the verdict is still to come.
        detach()
    from proctor.cli.exam_server import ExamRequest, hold

    hold(ExamRequest(**take_fields(ExamRequest, asked), rules=asked), given)
