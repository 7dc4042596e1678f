"""A person tries a task: a live desktop, a clock, questions to the simulated user, and the verdict."""

from __future__ import annotations

import time
from pathlib import Path

import click
from rich.console import Console

from proctor.actions.action import Answer, Done, Fail, SignalAction
from proctor.cli.broken import Broken
from proctor.cli.plain import escape
from proctor.computers import open_for
from proctor.computers.channels.rfb.relay import new_password
from proctor.tasks.collateral import Collateral, collateral
from proctor.tasks.judge import judge
from proctor.tasks.prepare import conclude, prepare
from proctor.tasks.probe_context import Ending
from proctor.tasks.task import Task
from proctor.tasks.user import SimulatedUser

HELP = "done | fail REASON | answer TEXT | ask QUESTION"


def try_task(task: Task, assets: Path | None, port: int) -> None:
    """Let a person do a task and tell how it went."""
    console = Console(highlight=False)
    password = new_password()
    with open_for("sandbox", task.needs, {"vnc_password": password}) as computer:
        with console.status("preparing"):
            prepare(task, computer, assets=assets)
        watch = computer.watch(port=port)
        console.print(f"Open it:  [bold]vncviewer {watch.address}[/]   password [bold]{password}[/]\n")
        console.print(escape(task.instruction), style="bold")
        began = time.monotonic()
        user = SimulatedUser(task.user, computer)
        signal = _listen(console, user)
        took = time.monotonic() - began
        broke = Broken(computer)
        with broke.heard():
            conclude(task, computer)
        verdict = judge(task, computer, Ending(signal, tuple(user.asked)), trouble=broke)
        effects: list[Collateral] = []
        with broke.heard():
            effects = list(collateral(task, computer))
    colour = "green" if verdict.passed else "red"
    console.print(f"\n[{colour}]score {verdict.score:g}[/] after {took:.0f} s")
    for line in verdict.feedback:
        console.print(f"  {escape(line)}", soft_wrap=True)
    for trouble in broke.said:
        console.print(f"  [red]the computer broke:[/] {escape(trouble)}", soft_wrap=True)
    for effect in effects:
        console.print(f"  [yellow]besides, {effect.kind}[/] {escape(effect.path)} ({effect.severity})", soft_wrap=True)


def _listen(console: Console, user: SimulatedUser) -> SignalAction:
    """Return the person's last word; questions are answered on the way."""
    while True:
        word, _, rest = click.prompt(f"\nWhen you are through: {HELP}", prompt_suffix="\n> ").strip().partition(" ")
        match word.lower():
            case "done":
                return Done()
            case "fail":
                return Fail(reason=rest)
            case "answer":
                return Answer(text=rest)
            case "ask":
                console.print(escape(user.ask(rest)), style="italic")
            case _:
                console.print(f"{escape(repr(word))} is none of: {HELP}")
