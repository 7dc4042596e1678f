"""`proctor serve exam`: any MCP client on tasks; the verdicts are an ordinary run's."""

from __future__ import annotations

from pathlib import Path

import click

from proctor.cli.detach import detach
from proctor.cli.mcp_options import ClientOptions, client_options
from proctor.cli.options import take_fields, with_options

_rules = with_options(
    click.option("--steps", type=click.IntRange(1), help="Maximum actions.  [default: the task's limit]"),
    click.option("--seconds", type=click.FloatRange(0, min_open=True),
                 help="Maximum seconds.  [default: the task's limit]"),
    click.option("--repetition", type=click.IntRange(2), default=10, show_default=True,
                 help="End an episode when the same action is repeated this often and nothing changes."),
    click.option("--feedback", type=click.IntRange(0), default=0, show_default=True,
                 help="How many times it is told what is missing when it says that it is done."),
    click.option("--action", "actions", multiple=True, metavar="KIND",
                 help="Allow only this kind of action; repeatable."),
    click.option("--settle", default="quick", show_default=True, metavar="quick|careful|SECONDS",
                 help="How long to wait for the screen after each action."),
    click.option("--video", is_flag=True, help="Record a video of every episode."),
    click.option("--user-model", default="", metavar="PROVIDER/NAME",
                 help="A model that interprets questions to the user; the answers are always the task's own."),
    click.option("--policy", default="", metavar="MODULE:FUNCTION",
                 help="A function that may veto actions before they are performed."),
    click.option("--computer", "backend", default="sandbox", show_default=True, metavar="COMPUTER",
                 help="NAME,option=value,... or module:Class (see `proctor computers list`)."),
)  # fmt: skip


@click.command("exam")
@click.argument("tasks", nargs=-1, metavar="[TASK|FILE.json|FOLDER]...")
@click.option(
    "--suite",
    default="",
    metavar="NAME|FOLDER",
    help="Where tasks come from; all of it without a TASK.  [default: core]",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Which variant of each task.")
@click.option("--mcp", is_flag=True, hidden=True, help="The only protocol so far, so it can be left out.")
@client_options
@click.option("--label", "client", default="", metavar="NAME", help="What the agent is called in records and reports.")
@click.option(
    "--patience",
    type=click.FloatRange(1),
    default=300.0,
    show_default=True,
    help="Seconds of silence after which an HTTP client counts as gone.",
)
@click.option("--tell", is_flag=True, help="Tell the client the verdict when it says that it is done.")
@_rules
@click.option("--out", type=click.Path(path_type=Path), help="Folder for the run.  [default: a new one in runs/]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for a program to read.")
@click.option(
    "--loose-limits", is_flag=True, help="Let agents run code even where it can exceed some limits of this machine."
)
def examine(given: ClientOptions, mcp: bool, **asked: object) -> None:
    """Evaluate any MCP client on tasks: its calls are recorded, and the computer is judged.

    The client finds its tools at this command's standard input and output, or at an address with --http. An episode
    ends when it calls `done` or `give_up`, at a limit, or when it leaves. The record is that of an ordinary run.
    With several tasks, it begins each with `next_task` or `choose_task`, on a fresh computer.

    Standard input and output belong to the client, so everything else is printed to standard error. The exit status is
    that of `proctor run`.

    \b
    proctor serve exam sign-the-letter                           in a client's list of servers
    proctor serve exam switch-the-style --http --label my-agent
    proctor serve exam sign-the-letter --names cua --tell
    proctor serve exam --suite tour                              a whole suite, one task after another
    """  # fmt: skip
    if not given.http:
        # Before anything is loaded or started: a client that leaves ends its servers, and the verdict is still to come.
        detach()
    from proctor.cli.exam_server import ExamRequest, hold

    hold(ExamRequest(**take_fields(ExamRequest, asked), rules=asked), given)
