"""A person tries a task: a live desktop, a clock, questions to the user, and the verdict."""

from __future__ import annotations

import time
from pathlib import Path

import click
from rich.console import Console

from proctor.actions.action import Answer, AskUser, Done, Fail, SignalAction
from proctor.cli.plain import escape
from proctor.computers import open_for
from proctor.computers.channels.rfb.relay import new_password
from proctor.computers.computer import Computer
from proctor.errors import EpisodeVoid
from proctor.exam.candidate import Candidate
from proctor.exam.exam import Exam
from proctor.exam.rules import UNLIMITED
from proctor.tasks.task import Task

HELP = "done | fail REASON | answer TEXT | ask QUESTION"


def try_task(task: Task, assets: Path | None, port: int) -> None:
    """Let a person do a task and tell how it went."""
    console = Console(highlight=False)
    password = new_password()

    def open_desktop() -> Computer:
        return open_for("sandbox", task.needs, {"vnc_password": password})

    with Exam(task, open_desktop, UNLIMITED, candidate=Candidate(name="person"), assets=assets) as exam:
        try:
            with console.status("preparing"):
                exam.begin()
            watch = exam.computer.watch(port=port)
            console.print(f"Open it:  [bold]vncviewer {watch.address}[/]   password [bold]{password}[/]\n")
            console.print(escape(exam.state.brief.instruction), style="bold")
            began = time.monotonic()
            # Whatever becomes of the desktop from now on, the person has it in hand.
            exam.state.acted = True
            with exam.lookout.keep():
                signal = _listen(console, exam)
            took = time.monotonic() - began
        except EpisodeVoid as void:
            raise exam.failure or void from None
        exam.end(signal)
    if exam.failure is not None:
        raise exam.failure
    _tell(console, exam, took)


def _listen(console: Console, exam: Exam) -> SignalAction:
    while True:
        word, _, rest = click.prompt(f"\nWhen you are finished: {HELP}", prompt_suffix="\n> ").strip().partition(" ")
        match word.lower():
            case "done":
                return Done()
            case "fail":
                return Fail(reason=rest)
            case "answer":
                return Answer(text=rest)
            case "ask":
                for told in exam.step(AskUser(question=rest)).observation.told:
                    console.print(escape(told.text), style="italic")
                if exam.over:  # the desktop is gone
                    return Done()
            case _:
                console.print(f"{escape(repr(word))} is none of: {HELP}")


def _tell(console: Console, exam: Exam, took: float) -> None:
    verdict, troubles, found = exam.verdict, exam.account.troubles, exam.account.side_effects
    assert verdict is not None and troubles is not None
    colour = "green" if verdict.passed else "red"
    console.print(f"\n[{colour}]score {verdict.score:g}[/] after {took:.0f} s")
    for line in verdict.feedback:
        console.print(f"  {escape(line)}", soft_wrap=True)
    for trouble in dict.fromkeys(f"{each['error']} ({each['why']})" for each in troubles.kept):
        console.print(f"  [red]the computer broke:[/] {escape(trouble)}", soft_wrap=True)
    if found.unknown:
        console.print(f"  [yellow]side effects unknown:[/] {escape(found.unknown)}", soft_wrap=True)
    for effect in found.effects:
        console.print(f"  [yellow]also {effect.kind}[/] {escape(effect.place)} ({effect.severity})", soft_wrap=True)
