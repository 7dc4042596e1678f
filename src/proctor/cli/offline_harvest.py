"""`proctor offline harvest` and `audit`: elements of applications, and whether labels hold."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from proctor.cli.bar import show_bar
from proctor.cli.options import FOUND_FOLDER, preset
from proctor.plain_text import json_text, one_line

if TYPE_CHECKING:
    from proctor.computers.computer import Computer
    from proctor.offline.harvest.catalogue import Looks, Visit, VisitedProgram


@click.command()
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="Folder to write; an unfinished one is continued."
)
@click.option(
    "--app", "apps", multiple=True, metavar="NAME", help="Only this application, as the menu names it; repeatable."
)
@click.option("--limit", "samples", type=click.IntRange(1), help="Only the first N samples.")
@preset(
    "--rounds",
    type=click.IntRange(1, 100),
    default=1,
    help="How many times each program is visited, each time with other settings.",
)
@preset("--seed", type=int, default=0, help="What random choices are drawn from.")
@click.option("--size", "sizes", multiple=True, metavar="WIDTHxHEIGHT", help="Size of the screen; repeatable.")
@click.option(
    "--theme", "themes", multiple=True, type=click.Choice(["light", "dark"]), help="Colours of the desktop; repeatable."
)
@click.option("--scale", "scales", multiple=True, type=click.FloatRange(0.5, 3), help="Scale of text; repeatable.")
@click.option(
    "--locale",
    "locales",
    multiple=True,
    metavar="LOCALE",
    help="Language and formats, such as de_DE.UTF-8; repeatable.",
)
@click.option(
    "--look",
    "looks",
    multiple=True,
    type=click.Choice(["light", "xfce"]),
    help="Xfce, or a light window manager; repeatable.",
)
@preset("--image", default="full", help="Desktop image (see `proctor images list`).")
@preset("--computer", "backend", default="sandbox", metavar="COMPUTER", help="sandbox, or fake to try it out.")
@preset("-n", "--workers", type=click.IntRange(1, 64), default=1, help="How many computers at the same time.")
@click.option(
    "--parquet", is_flag=True, help="Also write Parquet in the layout of Hugging Face datasets, pictures included."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")  # fmt: skip
def harvest(
    out: Path,
    apps: tuple[str, ...],
    samples: int | None,
    rounds: int,
    seed: int,
    image: str,
    backend: str,
    workers: int,
    parquet: bool,
    as_json: bool,
    **given: tuple[Any, ...],
) -> None:
    """Collect elements of applications as grounding samples, without any agent.

    Every program in the menu is opened with a suitable document, and with a screen size, theme, text scale and language
    that the seed draws. Its menus, tabs and (in English) dialogs are opened; nothing is pressed that does more than
    show something. Elements are kept that are entirely visible, would receive a click, and share role and name with no
    other. Repeat the command to continue an interrupted one; the result does not depend on --workers.

    \b
    proctor offline harvest --out ELEMENTS --limit 5000 --rounds 4 -n 2
    proctor offline harvest --out ELEMENTS --app org.xfce.mousepad --size 1280x720 --theme dark
    """
    from proctor.offline.harvest.harvest import begin
    from proctor.offline.harvest.harvest import harvest as make_visits
    from proctor.offline.make.export import write_parquet

    looks = _looks(given)
    planned = begin(out, _programs(backend, image, apps), looks, seed=seed, rounds=rounds)
    with _progress(len(planned), samples) as on_visit:
        found = make_visits(
            out,
            planned,
            lambda visit: _computer(backend, image, visit),
            samples=samples,
            workers=workers,
            on_visit=on_visit,
        )
    if parquet and found.samples:
        write_parquet(out)
    if as_json:
        click.echo(json_text({**vars(found), "out": str(out)}))
    else:
        click.echo(
            f"{found.samples} samples on {found.pictures} pictures of {found.applications} applications, "
            f"{found.visits} visits"
        )
        for key, why in found.failed.items():
            click.echo(one_line(f"no samples, {key}: {why}"))
        click.echo(f"wrote {one_line(str(out))}")
    if not found.samples:
        sys.exit(1)


def _looks(given: dict[str, tuple[Any, ...]]) -> Looks:
    from proctor.offline.answers.spaces import read_size
    from proctor.offline.harvest.catalogue import Looks

    chosen = {name: values for name, values in given.items() if values}
    if "sizes" in chosen:
        chosen["sizes"] = tuple(map(read_size, chosen["sizes"]))
    return Looks(**chosen)


def _programs(backend: str, image: str, apps: tuple[str, ...]) -> list[VisitedProgram]:
    from proctor.computers import open_computer
    from proctor.errors import UnknownName
    from proctor.offline.harvest.catalogue import VisitedProgram, programs_of

    if backend != "sandbox":
        return [VisitedProgram(name, (name,), "notes.txt") for name in apps or ("mousepad",)]
    with open_computer(backend, image=image, look="light", size=(800, 600)) as computer:
        known = {program.name: program for program in programs_of(computer)}
    for name in apps:
        if name not in known:
            raise UnknownName("program of the menu", name, known)
    return [known[name] for name in apps or known]


def _computer(backend: str, image: str, visit: Visit) -> Computer:
    from proctor.computers import open_computer

    options: dict[str, Any] = {"size": visit.size}
    if backend == "sandbox":
        # WebKit reserves much address space and never uses it.
        options |= {"image": image, "look": visit.look, "theme": visit.theme, "locale": visit.locale}
        options |= {"memory_mb": 20_000, "clock": "2026-03-12T09:30:00"}
    return open_computer(backend, **options)


@contextmanager
def _progress(total: int, samples: int | None) -> Iterator[Callable[[Visit, int, str], None]]:
    enough = f" of {samples}" if samples else ""
    with show_bar("visiting", total) as advance:
        yield lambda visit, samples, failed: advance(
            f"{samples}{enough} samples; {visit.program.name}{' failed' if failed else ''}"
        )


@click.command()
@click.argument("data", type=FOUND_FOLDER)
@preset("--sample", "count", type=click.IntRange(1), default=200, help="Only N samples, drawn at random.")
@preset("--seed", type=int, default=0, help="What random choices are drawn from.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def audit(data: Path, count: int, seed: int, as_json: bool) -> None:
    """Check the labels of a data set that was made or harvested.

    Grounding samples, drawn at random: the box must contain the point that was clicked, or the middle of the element,
    and lie within the picture; the element must be among those that were visible, and no other may share its role and
    name unless the words say which is meant. Transitions, sequences and trajectories: every picture must exist, every
    action must be among those offered, and each transition must show a change. No picture and no task may be in two
    splits. The exit status is 1 when something is wrong.

    \b
    proctor offline audit DATA --sample 500
    """
    from proctor.offline.make.audit import audit as look_at

    found = look_at(data, count=count, seed=seed)
    if as_json:
        click.echo(json_text(found.plain()))
    else:
        if found.looked_at:
            click.echo(
                f"{found.looked_at} grounding samples checked: {found.unique} unique, {found.told_apart} told apart "
                f"by words, {found.unchecked} without a list of elements"
            )
        if found.steps_looked_at:
            click.echo(f"{found.steps_looked_at} transitions, sequences and trajectories checked")
        click.echo(f"{len(found.wrong)} wrong, {len(found.leaks)} in two splits")
        for id, why in found.wrong.items():
            click.echo(one_line(f"wrong, {id}: {why}"))
        for leak in found.leaks:
            click.echo(one_line(f"in two splits: {leak}"))
    sys.exit(0 if found.good else 1)
