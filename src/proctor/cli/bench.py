"""`proctor bench`: measure this machine, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Callable

import click
from click.core import ParameterSource

from proctor.bench import checkout
from proctor.bench.measure import Figure
from proctor.bench.terminal import print_figures, progress
from proctor.cli.options import preset


class Benchmarks(click.Group):
    """What this machine is measured with; a checkout has more, which measure Proctor itself."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a benchmark of the checkout when it is called for."""
        if cmd_name not in checkout.BENCHMARKS:
            return super().get_command(ctx, cmd_name)
        command = checkout.load(cmd_name).command
        assert isinstance(command, click.Command)
        return command


@click.group(
    cls=Benchmarks, epilog=f"A checkout has more, which measure Proctor itself: {', '.join(checkout.BENCHMARKS)}."
)
def bench() -> None:
    """Measure how fast computers are on this machine.

    \b
    proctor bench computer
    proctor bench computer --quick --json
    """


@bench.command()
@preset(
    "--computer",
    "backend",
    type=click.Choice(["sandbox", "browser", "vnc", "qemu"]),
    default="sandbox",
    help="Which kind; browser uses the image full by default, vnc the Xvnc of a sandbox, qemu --disk if given.",
)
@preset("--image", default="starter", help="Image to measure.")
@click.option("--disk", default="", metavar="FILE", help="Disk image that the virtual machine of qemu starts from.")
@click.option("--office", help="Image with LibreOffice and pyatspi, for the tree.  [default: any that is built]")
@preset("--desktops", type=click.IntRange(min=1), default=16, help="How many desktops to open at once.")
@preset("--repeats", type=click.IntRange(min=1), default=5, help="How many times to repeat; medians are shown.")
@click.option("--quick", is_flag=True, help="Only a sample of the screens after actions (see `proctor bench settle`).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
def computer(
    backend: str, image: str, disk: str, office: str | None, desktops: int, repeats: int, quick: bool, as_json: bool
) -> None:
    """Measure start, screenshots, actions, memory and how many fit, each with its baseline.

    The screens after actions take about twenty minutes, a sample of them (--quick) five.

    \b
    proctor bench computer --quick
    proctor bench computer --computer browser --repeats 3
    """
    with progress() as say:
        if backend == "browser":
            from proctor.bench import browser

            given = click.get_current_context().get_parameter_source("image") is not ParameterSource.DEFAULT
            figures = browser.measure(image=image if given else "full", repeats=repeats, say=say)
        elif backend == "qemu":
            from proctor.bench import qemu

            figures = qemu.measure(disk=disk, repeats=repeats, say=say)
        elif backend == "vnc":
            from proctor.bench import vnc

            figures = vnc.measure(image=image, repeats=repeats, say=say)
        else:
            from proctor.bench import computer as sandbox
            from proctor.bench.spreadsheet import office_image

            figures = sandbox.measure(
                image=image, office=office or office_image(), desktops=desktops, repeats=repeats, say=say
            )
            figures += _views(quick, say)
    of = "" if backend == "sandbox" else f" --computer {backend}"
    print_figures(figures, f"proctor bench computer{of}", as_json=as_json)


def _views(quick: bool, say: Callable[[str], None]) -> list[Figure]:
    if not checkout.is_checkout():
        note = "`proctor bench settle` of a checkout measures them"
        return [Figure(key="stale_percent", what="stale views", value=None, unit="%", note=note)]
    figures: list[Figure] = checkout.load("settle").measure(settling="quick", quick=quick, pictures=None, say=say)
    return figures
