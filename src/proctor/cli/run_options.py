"""The options of `proctor run` and `proctor runs resume`, in groups as their help lists them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import click

from proctor.cli.config_file import read_config
from proctor.cli.options import Command, take_fields, with_options
from proctor.cli.run_progress import RunSettings
from proctor.exam.rules import CONFIRM, Rules
from proctor.exam.tools.server import read_servers

GROUPS: Mapping[str, Sequence[str]] = {
    "Tasks": (
        "suite", "app", "category", "level", "domain", "service", "feasible", "seeds", "first_seed", "hidden_seeds",
        "begin_after", "limit",
        "paraphrases", "assets", "faithful",
    ),
    "Agents": ("agents", "model", "base_url", "varied", "attempts", "actions", "feedback", "critic",
               "critic_feedback", "user_model", "tool_servers", "tool_sec", "policy",
               "confirm", "disturb", "time"),
    "Limits": ("steps", "seconds", "tokens", "cost_usd", "most_usd", "repetition", "retries"),
    "Computers": ("backend", "settle", "video", "size", "on", "address", "skip_unfit"),
    "Run": ("config", "like", "trust", "loose_limits", "out", "no_preflight", "as_json"),
}  # fmt: skip
"""By the title of each group, the parameters in it."""


class GroupedCommand(click.Command):
    """A command with so many options that its help lists them in groups."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; what follows a bare `--confirm` may as well be the name of a task."""
        after = [*args[1:], ""]
        bare = [arg == "--confirm" and not CONFIRM.fullmatch(then) for arg, then in zip(args, after, strict=True)]
        return super().parse_args(
            ctx, [f"{arg}=terminal" if is_bare else arg for arg, is_bare in zip(args, bare, strict=True)]
        )

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options group by group, and those of no group last."""
        options = [parameter for parameter in self.get_params(ctx) if isinstance(parameter, click.Option)]
        left = {option.name: record for option in options if (record := option.get_help_record(ctx))}
        for title, names in GROUPS.items():
            if records := [left.pop(name) for name in names if name in left]:
                with formatter.section(title):
                    formatter.write_dl(records)
        if left:
            with formatter.section("Options"):
                formatter.write_dl(list(left.values()))


RULES = (
    click.option("--steps", type=click.IntRange(1), help="Maximum actions in an episode.  [default: the task's limit]"),
    click.option("--seconds", type=click.FloatRange(0, min_open=True),
                 help="Maximum seconds for an episode.  [default: the task's limit]"),
    click.option("--episode-tokens", "tokens", type=click.IntRange(1), help="Maximum tokens in one episode."),
    click.option("--episode-cost", "cost_usd", type=click.FloatRange(0, min_open=True),
                 help="Maximum cost of one episode in US dollars."),
    click.option("--repetition", type=click.IntRange(2), default=10, show_default=True,
                 help="End an episode when the same action is repeated this often and nothing changes."),
    click.option("--feedback", type=click.IntRange(0), default=0, show_default=True,
                 help="How many times an agent is told what is missing when it says that it is done."),
    click.option("--action", "actions", multiple=True, metavar="KIND",
                 help="Allow only this kind of action; repeatable.  [default: all but run_code]"),
    click.option("--retries", type=click.IntRange(0), default=2, show_default=True,
                 help="How many times a void episode is tried again."),
    click.option("--settle", default="quick", show_default=True, metavar="quick|careful|SECONDS",
                 help="How long to wait for the screen after each action; a number is the minimum."),
    click.option("--video", is_flag=True, help="Record a video of every episode."),
    click.option("--user-model", default="", metavar="PROVIDER/NAME",
                 help="A model that interprets questions to the user; the answers are always the task's own."),
    click.option("--critic", default="", metavar="PROVIDER/NAME",
                 help="A model that judges every episode by its screenshots; the report compares it with the checks."),
    click.option("--critic-feedback", type=click.IntRange(0), default=0, show_default=True,
                 help="How many times an agent that says it is done is told if the critic disagrees."),
    click.option("--tools", "tool_servers", multiple=True, metavar="FILE.json|NAME=COMMAND|NAME=URL",
                 callback=lambda _context, _option, texts: read_servers(texts),
                 help="MCP servers whose tools agents may call; repeatable. They run on this machine with your rights, "
                 "outside the sandbox."),
    click.option("--tool-seconds", "tool_sec", type=click.FloatRange(0, min_open=True), default=60.0, show_default=True,
                 help="Maximum seconds for a tool to answer."),
    click.option("--faithful", is_flag=True,
                 help="Score tasks of other systems as those do where Proctor's verdict differs (see "
                 "docs/compatibility.md); results always give both."),
    click.option("--disturb", default="", metavar="KIND[+KIND...]|all[,rate=R][,seed=N]",
                 help="Disturb agents while they work, such as with a dialog or by moving a window: each kind once, or "
                 "after a share R of the actions."),
    click.option("--time", default="1", show_default=True, metavar="SECONDS|real",
                 help="How many seconds of a task's events an action counts for; thinking counts for none. With real, "
                 "the seconds that pass count."),
    click.option("--policy", default="", metavar="MODULE:FUNCTION",
                 help="A function that may veto actions before they are performed."),
    click.option("--confirm", is_flag=False, flag_value="terminal", default="", metavar="[terminal|page|page:PORT]",
                 help="Ask you before each action, in the terminal or in a page where you can also take over."),
    click.option("--computer", "backend", default="sandbox", show_default=True, metavar="COMPUTER",
                 help="NAME,option=value,... or module:Class (see `proctor computers list`)."),
)  # fmt: skip
"""What holds for every episode; each is a field of `Rules`."""


def _size(_context: click.Context, _parameter: click.Parameter, text: str) -> int | None:
    if text == "auto":
        return None
    if not text.isdigit() or int(text) < 1:
        raise click.BadParameter(f"{text!r} is neither a number (1 or more) nor auto")
    return int(text)


_WHERE = (
    click.option("-n", "--workers", "size", default="auto", show_default=True, metavar="N|auto", callback=_size,
                 help="How many episodes at the same time; auto adds more while the machine has room."),
    click.option("--on", type=click.Choice(["local", "ray"]), default="local", show_default=True,
                 help="Where episodes run: this machine, or a Ray cluster."),
    click.option("--address", default="", help="Address of the Ray cluster.  [default: a new one on this machine]"),
    click.option("--max-cost", "most_usd", type=click.FloatRange(0, min_open=True),
                 help="Maximum total cost in US dollars; needs a model whose price is known."),
    click.option("--no-preflight", is_flag=True, help="Do not send each model a short request before the run."),
    click.option("--trust", is_flag=True,
                 help="Start agents and programs named by a run from elsewhere without asking."),
    click.option("--loose-limits", is_flag=True,
                 help="Let agents run code even where it can exceed some limits of this machine."),
    click.option("--json", "as_json", is_flag=True, help="Print one JSON object for a program to read."),
)  # fmt: skip

_PLAN = (
    click.option("--agent", "agents", multiple=True, metavar="AGENT",
                 help="Agent to evaluate: NAME,option=value,..., module:Class, cmd:COMMAND or http://...; repeatable. "
                 "With ,as=LABEL at its end, results call it LABEL."),
    click.option("--model", metavar="PROVIDER/NAME", help="Model for agents that need one and name none."),
    click.option("--base-url", metavar="URL", help="Server of the model, if not the provider's own."),
    click.option("--vary", "varied", metavar="OPTION=A|B|C", help="Evaluate each agent once per value of this option."),
    click.option("--seeds", type=click.IntRange(1), default=1, show_default=True,
                 help="How many variants of each task."),
    click.option("--seed", "first_seed", type=click.IntRange(0), default=0, show_default=True,
                 help="Which variant comes first."),
    click.option("--hidden-seeds", metavar="FILE|env",
                 help="Draw the variants by a secret, so that nobody can prepare for them: a file with it, or env for "
                 "the variable PROCTOR_SEED_SECRET. Results have its fingerprint."),
    click.option("--from-checkpoint", "begin_after", metavar="NUMBER|NAME",
                 help="Begin each task where its solution has reached this checkpoint, and score what comes after."),
    click.option("-k", "--attempts", type=click.IntRange(1), default=1, show_default=True,
                 help="Independent attempts at each episode."),
    click.option("--paraphrases", is_flag=True, help="Use every wording of each instruction."),
    click.option("--limit", type=click.IntRange(1), help="Only the first N tasks."),
    click.option("--skip-unfit", is_flag=True,
                 help="Skip episodes that cannot run here; the report says how many."),
    click.option("--out", type=click.Path(file_okay=False, path_type=Path),
                 help="Folder for the run.  [default: a new one in runs/]"),
    click.option("--config", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.toml", is_eager=True,
                 expose_value=False, callback=read_config,
                 help="File with any of these options, such as `steps = 15`; the command line wins."),
    click.option("--like", type=click.Path(file_okay=False, path_type=Path), metavar="RUN",
                 help="Repeat a run with the same tasks, agents and rules; an error if any of them has changed."),
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class WantedRun:
    """What is to be examined, and how, as it was typed."""

    agents: tuple[str, ...]
    model: str | None
    base_url: str | None
    varied: str | None
    seeds: int
    first_seed: int
    hidden_seeds: str | None
    begin_after: str | None
    limit: int | None
    attempts: int
    paraphrases: bool
    rules: Mapping[str, Any]


def plan_options(command: Command) -> Command:
    """Give a command the options that say what is examined, and how, gathered in `wanted`."""

    @wraps(command)
    def gather(**given: object) -> object:
        wanted = WantedRun(**take_fields(WantedRun, given), rules=take_fields(Rules, given))
        return command(wanted=wanted, **given)

    return with_options(*_PLAN, *RULES)(gather)


def where_options(command: Command) -> Command:
    """Give a command the options on where and how a run is carried out, gathered in `settings`."""

    @wraps(command)
    def gather(*, no_preflight: bool, **given: object) -> object:
        return command(settings=RunSettings(**take_fields(RunSettings, given), preflight=not no_preflight), **given)

    return with_options(*_WHERE)(gather)
