"""`proctor computers demo`: operate a real desktop, each step checked and timed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console

from proctor.actions.action import Press, RunCode, Type
from proctor.cli.options import FOLDER, preset
from proctor.cli.plain import escape
from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.errors import ComputerError, MissingExtra

LETTER = "Dear reader,\n\nnaïve café, 5 < 7 > 3, Ελληνικά, 日本語, 🎉: typed key by key, exactly.\n"


@click.command()
@preset("--image", default="starter", help="Desktop image (see `proctor images list`).")
@preset("--look", type=click.Choice(["xfce", "light"]), default="xfce", help="Xfce, or a light window manager.")
@preset(
    "--out", type=FOLDER, default=Path("proctor-demo"),
    help="Folder for the screenshot and the video.",
)  # fmt: skip
def demo(image: str, look: str, out: Path) -> None:
    """Start a real, isolated desktop, write a letter, calculate, run code, and show what changed.

    \b
    proctor computers demo
    proctor computers demo --out my-demo
    """
    console = Console(highlight=False)
    out.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    with SandboxComputer(image=image, look="light" if look == "light" else "xfce") as computer:
        _say(console, "a complete desktop, isolated from this machine", time.monotonic() - began)
        with _video(computer, out / "demo.mp4") as video:
            for title, act in STEPS:
                started = time.monotonic()
                result = act(computer)
                _say(console, f"{title}: [green]{escape(result)}[/]", time.monotonic() - started)
            computer.screenshot().save(out / "screen.png")
        changes = [change for change in computer.changes() if "/." not in change.path]
        for change in changes:
            console.print(escape(f"         {change.kind} {change.path} ({change.size} bytes)"))
        element = next(done.element for done in computer.history if done.element)
        console.print(escape(f"         every action knows what it hit, e.g. {element.describe()}"))
    _say(console, "closed; nothing is left behind", time.monotonic() - began)
    shown = [f"[bold]{escape(str(path))}[/]" for path in (out / "screen.png", video) if path]
    console.print(f"\nSee {' and '.join(shown)}", soft_wrap=True)
    console.print("Next:  [bold].venv/bin/proctor computers open --vnc[/]   open one and use it yourself")
    console.print("       [bold].venv/bin/proctor doctor[/]                 what this machine offers")
    console.print("       [bold]examples/hello_desktop.py[/]                the same in ten lines of Python")


def _say(console: Console, text: str, seconds: float) -> None:
    console.print(f"[dim]{seconds:6.2f} s[/]  {text}")


@contextmanager
def _video(computer: SandboxComputer, path: Path) -> Iterator[Path | None]:
    try:
        recorder = computer.record(path)
    except MissingExtra:
        yield None
        return
    try:
        yield path
    finally:
        recorder.stop()


def _write_letter(computer: SandboxComputer) -> str:
    computer.launch(["mousepad", "letter.txt"])
    computer.perform(Type(text=LETTER))
    computer.perform(Press(keys="ctrl+s"))
    saved = computer.wait_for(lambda c: _content(c, "letter.txt"), what="the letter on disk")
    if saved.rstrip("\n") != LETTER.rstrip("\n"):
        raise ComputerError(f"the letter on disk differs from what was typed: {saved!r}")
    return f"{len(LETTER)} characters on disk, all equal"


def _content(computer: SandboxComputer, path: str) -> str | None:
    try:
        return computer.read_file(path).decode()
    except FileNotFoundError:
        return None


def _use_dialog(computer: SandboxComputer) -> str:
    computer.locate(role="menu", name="Search", app="mousepad").click()
    computer.locate(role="menu item", name="Find and Replace").click()
    dialog = computer.locate(role="dialog", name="Find and Replace")
    computer.locate(role="text", within=dialog, nth=0).type("reader")
    computer.locate(role="text", within=dialog, nth=1).type("visitor")
    computer.locate(role="check box", name="Replace all in", within=dialog).click()
    computer.locate(role="push button", name="Replace", within=dialog).click()
    computer.locate(role="push button", name="Close", within=dialog).click()
    computer.perform(Press(keys="ctrl+s"))
    return computer.wait_for(_changed_line, what="the change on disk")


def _changed_line(computer: SandboxComputer) -> str | None:
    first = (_content(computer, "letter.txt") or "").partition("\n")[0]
    return first if "visitor" in first else None


def _calculate(computer: SandboxComputer) -> str:
    computer.launch(["galculator"])
    computer.perform(Type(text="6*7\n"))
    display = computer.wait_for(lambda c: c.locate(app="galculator", text="42").all(), what="42 on the display")
    return f"6 x 7 = {display[0].text.strip().splitlines()[0]}"


def _run_code(computer: SandboxComputer) -> str:
    done = computer.perform(RunCode(code="import os, platform\nf'{os.getuid()=} on {platform.node()}'"))
    return done.result.output.strip() if done.result else ""


STEPS: tuple[tuple[str, Callable[[SandboxComputer], str]], ...] = (
    ("an editor, a letter typed and saved", _write_letter),
    ("a dialog operated by names, not by pixels", _use_dialog),
    ("a calculator", _calculate),
    ("code run inside as the agent's user", _run_code),
)
