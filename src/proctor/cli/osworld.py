"""`proctor serve osworld`: a computer behind the routes of OSWorld's guests, until Ctrl-C."""

from __future__ import annotations

import signal
from types import FrameType

import click

from proctor.cli.options import preset


@click.command("osworld")
@preset("--port", type=click.IntRange(0, 65_535), default=5000, help="Loopback port to listen on; 0 for any free one.")
@preset(
    "--computer",
    "backend",
    default="sandbox,image=full,size=1920x1080,network=loopback",
    metavar="COMPUTER",
    help="NAME,option=value,... or module:Class (see `proctor computers list`).",
)
@preset(
    "--forward",
    "forwards",
    type=click.IntRange(1, 65_535),
    multiple=True,
    default=(9222,),
    metavar="PORT",
    help="Loopback port that leads to the same port inside, such as the browser's 9222 or VLC's 8080; repeatable.",
)
def osworld(port: int, backend: str, forwards: tuple[int, ...]) -> None:
    """Serve a computer as OSWorld's guests do, so that OSWorld's own harness drives it.

    It listens on 127.0.0.1 only and has no password, like OSWorld's. Gestures of PyAutoGUI are made from outside;
    everything else is run inside the computer. A POST to /proctor/reset puts a fresh computer in its place. Chromium
    is there as `google-chrome`, and its debugger answers on port 9222 of this machine.

    \b
    proctor serve osworld                                    for PythonController("127.0.0.1", 5000)
    proctor serve osworld --port 5001 --computer sandbox,image=full,size=1920x1080,network=loopback
    """  # fmt: skip
    from proctor.computers import open_computer
    from proctor.interop.osworld.server import GuestServer
    from proctor.runner.computer_spec import ComputerSpec

    spec = ComputerSpec.parse(backend)
    options = spec.constructor_options()
    signal.signal(signal.SIGTERM, _end)
    with GuestServer(lambda: open_computer(spec.name, **options), port=port, forwards=forwards, theirs=True) as server:
        click.echo(f"OSWorld's guest server: {server.address}\nCtrl-C stops it.")
        server.serve()


def _end(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
