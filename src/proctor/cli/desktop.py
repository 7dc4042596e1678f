"""`proctor computers open`: open a desktop, say how to watch it, and keep it until Ctrl-C."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from proctor.cli.options import preset
from proctor.cli.plain import escape
from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.computers.channels.rfb.relay import new_password

PICTURES = (".png", ".jpg", ".webp")


@click.command("open")
@click.argument("program", nargs=-1)
@preset("--image", default="starter", help="Desktop image (see `proctor images list`).")
@preset("--look", type=click.Choice(["xfce", "light"]), default="xfce", help="Xfce, or a light window manager.")
@preset("--theme", type=click.Choice(["light", "dark"]), default="light", help="Colours of the desktop.")
@preset("--size", default="1920x1080", metavar="WIDTHxHEIGHT", help="Size of the screen.")
@preset("--locale", default="en_US.UTF-8", help="Language and formats.")
@preset("--timezone", default="Etc/UTC", help="Time zone, such as Europe/Paris.")
@click.option("--clock", help="The time at the start, such as 2026-03-02T09:00:00.  [default: now]")
@click.option("--network", multiple=True, help="`loopback`, or HOST:PORT to allow; repeatable.  [default: off]")
@click.option("--vnc", is_flag=True, help="Let VNC viewers in on a loopback port, with a password.")
@click.option("--port", type=int, default=0, help="Port on this machine for VNC viewers.  [default: any free one]")
@click.option("--socket", "socket_path", type=click.Path(), help="Let VNC viewers in on a Unix socket of yours.")
@click.option("--screenshot", type=click.Path(dir_okay=False, path_type=Path), help="Save a screenshot and exit.")
def desktop(
    program: tuple[str, ...],
    size: str,
    network: tuple[str, ...],
    vnc: bool,
    port: int,
    socket_path: str | None,
    screenshot: Path | None,
    **options: Any,
) -> None:
    """Open a desktop and keep it until Ctrl-C; PROGRAM is started in it.

    \b
    proctor computers open --vnc                      watch and use it with any VNC viewer
    proctor computers open --vnc mousepad notes.txt   with an editor open
    proctor computers open --screenshot now.png       just a screenshot
    """
    if screenshot and screenshot.suffix.lower() not in PICTURES:
        raise click.BadParameter(f"{screenshot} does not end in {', '.join(PICTURES)}", param_hint="--screenshot")
    console = Console(highlight=False)
    password = new_password() if vnc else ""
    began = time.monotonic()
    with SandboxComputer(size=_size(size), network=_network(network), vnc_password=password, **options) as computer:
        took = time.monotonic() - began
        console.print(f"A desktop on image [bold]{escape(options['image'])}[/] is up after {took:.1f} s.")
        if program:
            app = computer.launch(program)
            # Titles come from inside and may hold anything.
            console.print(escape(f"{program[0]} shows {app.window.title if app.window else ''!r}."))
        if screenshot:
            screenshot.parent.mkdir(parents=True, exist_ok=True)
            computer.screenshot().save(screenshot)
            console.print(escape(f"Saved {screenshot.resolve()}."), soft_wrap=True)
            return
        if vnc:
            watch = computer.watch(port=port)
            console.print(f"Watch it: [bold]vncviewer {watch.address}[/]   password [bold]{password}[/]")
        if socket_path:
            watch = computer.watch(path=socket_path)
            console.print(f"Watch it: [bold]vncviewer {escape(str(watch.address))}[/]   (only your user may connect)")
        if not vnc and not socket_path:
            console.print("Nobody can watch it; add --vnc or --socket PATH for that.")
        console.print("Ctrl-C stops it and leaves nothing behind.")
        threading.Event().wait()


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdigit() and height.isdigit()):
        raise click.BadParameter(f"{text!r} is not WIDTHxHEIGHT, such as 1280x720", param_hint="--size")
    return int(width), int(height)


def _network(values: tuple[str, ...]) -> str | list[str]:
    if not values:
        return "off"
    return values[0] if values == ("loopback",) else list(values)
