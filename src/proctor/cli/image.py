"""`proctor images`: build, list, show, export, import and remove desktop images."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from proctor.cli.options import preset
from proctor.cli.plain import escape, tell
from proctor.computers.images import archive, folders, recipe, store, vm
from proctor.computers.images import build as building
from proctor.computers.images.progress import BuildStep, Phase
from proctor.computers.images.progress import Progress as Report
from proctor.computers.images.store import Image
from proctor.errors import ProctorError, UnknownName
from proctor.report.terminal import open_console, print_table

_PHASES: dict[Phase, str] = {
    "updating": "reading package lists",
    "downloading": "downloading packages",
    "installing": "installing packages",
}
"""What is shown for phases whose names do not say it."""


@click.group("images")
def image() -> None:
    """Build, list, export, import and remove desktop images.

    An image is the root filesystem that computers start from: a complete Debian with desktop and applications, kept
    in your data folder and never installed on this machine. It is built once from a recipe.

    \b
    proctor images build starter         the desktop of the first start (about 2 minutes, 0.8 GB)
    proctor images build full            with every application (about 8 minutes, 4 GB)
    proctor images build ./mine.toml     a recipe of your own
    proctor images build starter --vm    the same as a virtual machine, for --computer qemu,image=starter
    proctor images list
    """


@image.command()
@click.argument("recipe_name", metavar="NAME|FILE.toml")
@click.option("--vm", "machine", is_flag=True, help="Make a disk for the computer qemu.")
@click.option("--source", multiple=True, metavar="URI", help="Package source instead of the host's; repeatable.")
@click.option("--force", is_flag=True, help="Rebuild, and replace the image that is there.")
@click.option("--if-missing", is_flag=True, help="Do nothing if the image exists, whatever its recipe.")
@click.option("--update", is_flag=True, help="Build only if the image is missing or its recipe has changed.")
@preset("--timeout", default=building.TIMEOUT_SEC, help="Seconds to wait for a package source that does not answer.")
@click.option("--json", "as_json", is_flag=True, help="Print the image as JSON when done.")
def build(
    recipe_name: str,
    machine: bool,
    source: tuple[str, ...],
    force: bool,
    if_missing: bool,
    update: bool,
    timeout: float,
    as_json: bool,
) -> None:
    """Build an image from a recipe.

    \b
    proctor images build starter
    proctor images build full --update      rebuild only if the recipe has changed
    proctor images build ./mine.toml

    NAME is a recipe of Proctor's (starter, full) or one in your recipes folder; FILE.toml is a recipe anywhere.
    Downloads are kept, so an interrupted build continues where it stopped. With --vm, a kernel, QEMU's guest agent and
    a display are added, and the result is a disk image. A recipe looks like this:

    \b
    name = "mine"
    extends = "starter"
    packages = ["gnumeric"]
    commands = ["rm -f /etc/motd"]
    [files]
    "/etc/skel/hello.txt" = "hello"
    """
    wanted = recipe.load(recipe_name)
    wanted = vm.complete(wanted) if machine else wanted
    found = _find_built(wanted.name, machine) if (if_missing or update) and not force else None
    if found and update and found.recipe.hash != wanted.hash:
        click.echo(f"the recipe of image {wanted.name} has changed since it was built")
        found, force = None, True
    if found is None:
        with _show_progress(f"image {wanted.name}") as report:
            found = building.build(
                recipe_name, machine=machine, source=source, force=force, timeout_sec=timeout, progress=report
            )
    if as_json:
        click.echo(json.dumps(_facts(found), indent=2))
    else:
        kind = "virtual machine" if machine else "image"
        click.echo(f"{kind} {found.name}: {_size(found.disk_bytes)}, {len(found.packages)} packages, {found.path}")


@image.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
def list_(as_json: bool) -> None:
    """List images, and the recipes that can be built.

    \b
    proctor images list
    """
    places = (folders.images_folder(), folders.machines_folder())
    names = {path.name for place in places for path in place.glob("*") if path.is_dir() and path.name[0] != "."}
    rows = [_row(name) for name in sorted(names | set(recipe.available()))]
    if as_json:
        click.echo(json.dumps(rows, indent=2))
        return
    table = Table("image", "state", "vm", "disk", "packages", "built", "what it is", box=None, pad_edge=False)
    for row in rows:
        colour = {"ready": "green", "not built": "dim"}.get(row["state"], "red")
        size = _size(row["disk_bytes"]) if row["disk_bytes"] else ""
        packages, machine = str(row["packages"] or ""), "ready" if row["vm"] else ""
        name, built, about = (escape(row[part]) for part in ("name", "built_at", "description"))
        state = f"[{colour}]{escape(row['state'])}[/]"
        table.add_row(name, state, machine, size, packages, built[:10], about)
    print_table(open_console(), table)
    click.echo(f"\nin {folders.images_folder()}")


@image.command()
@click.argument("name")
@click.option("--verify", is_flag=True, help="Compare the files with the digest.")
@click.option("--packages", is_flag=True, help="List every package with its version.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def show(name: str, verify: bool, packages: bool, as_json: bool) -> None:
    """Show what an image is made of.

    \b
    proctor images show starter --packages
    """
    found = _find(name)
    if verify:
        store.verify(found)
    if as_json:
        click.echo(json.dumps(_facts(found), indent=2))
        return
    for key, value in {
        "image": f"{found.name}: {found.recipe.description}",
        "digest": found.digest + (" (verified)" if verify else ""),
        "built": f"{found.built_at} by Proctor {found.proctor_version}",
        "suite": found.recipe.suite,
        "sources": ", ".join(found.sources),
        "disk": f"{_size(found.disk_bytes)} in {found.entries} files and folders",
        "folder": str(found.path),
        "packages": f"{len(found.packages)} (list them with --packages)",
    }.items():
        tell(f"{key:9} {value}")
    if packages:
        for item in found.packages:
            tell(f"  {item.name} {item.version} {item.architecture}")


@image.command()
@click.argument("name")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def export(name: str, file: Path) -> None:
    """Write an image to FILE (.tar, .tar.gz or .tar.zst), to use it on another machine.

    \b
    proctor images export starter starter.tar.zst
    """
    _find(name)
    with _show_progress(f"image {name}") as report:
        archive.export(name, file, progress=report)
    click.echo(f"{file}: {_size(file.stat().st_size)}")


@image.command("import")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Replace an image of the same name.")
def import_(file: Path, force: bool) -> None:
    """Add an image from a FILE that `proctor images export` wrote.

    The file may come from root or from an ordinary user. Import only files you trust: an image is a whole system.

    \b
    proctor images import starter.tar.zst
    """
    with _show_progress(file.name) as report:
        found = archive.import_(file, force=force, progress=report)
    click.echo(f"image {found.name}: {_size(found.disk_bytes)}, {found.path}")


@image.command()
@click.argument("name")
@click.option("--vm", "machine", is_flag=True, help="Delete the virtual machine made from it, not the image.")
def remove(name: str, machine: bool) -> None:
    """Delete an image, unless a computer is using it.

    \b
    proctor images remove full
    """
    (vm if machine else store).remove(name)
    click.echo(f"{'virtual machine' if machine else 'image'} {name} removed")


def _find(name: str) -> Image:
    known = {item.name for item in store.images()} | set(recipe.available())
    if not store.folder_of(name).exists() and name not in known:
        raise UnknownName("image", name, known)
    return store.find(name)


def _find_built(name: str, machine: bool) -> Image | None:
    shelf = vm if machine else store
    return shelf.find(name) if (shelf.folder_of(name) / "image.json").exists() else None


def _facts(found: Image) -> dict[str, Any]:
    return {**json.loads(found.to_json()), "path": str(found.path), "rootfs": str(found.rootfs)}


def _row(name: str) -> dict[str, Any]:
    machine = folders.machines_folder() / name
    row: dict[str, Any] = {
        "name": name, "state": "not built", "disk_bytes": 0, "packages": 0, "built_at": "", "digest": "",
        "description": "", "path": "", "problem": "", "vm": str(machine) if (machine / "image.json").exists() else "",
    }  # fmt: skip
    try:
        if store.folder_of(name).exists():
            row["path"] = str(store.folder_of(name))
            found = store.find(name)
            row |= {
                "state": "ready",
                "disk_bytes": found.disk_bytes,
                "packages": len(found.packages),
                "built_at": found.built_at,
                "digest": found.digest,
                "description": found.recipe.description,
            }
        else:
            row["description"] = recipe.load(name).description
    except ProctorError as error:
        row |= {"state": "damaged" if row["path"] else "faulty recipe", "problem": str(error)}
    return row


def _size(count: int) -> str:
    return f"{count / 1e9:.2f} GB" if count >= 1e9 else f"{count / 1e6:.0f} MB"


@contextmanager
def _show_progress(title: str) -> Iterator[Report]:
    console = Console(stderr=True)
    if not console.is_terminal:
        seen: set[tuple[str, str, int]] = set()

        def tell(step: BuildStep) -> None:
            detail = step.detail if step.phase in ("waiting", "packing") else ""
            quarter = int(4 * (step.done or 0))
            if (step.phase, detail, quarter) not in seen:
                # What is past is told no more, should a share go back.
                seen.update((step.phase, detail, past) for past in range(quarter + 1))
                share = f"{25 * quarter} %" if 0 < quarter < 4 else ""
                words = (_PHASES.get(step.phase, step.phase), detail, share)
                console.print(f"{title}: {' '.join(filter(None, words))}")

        yield tell
        return
    columns = (
        SpinnerColumn(),
        TextColumn("{task.fields[title]}: {task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("[dim]{task.fields[detail]}"),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=None, title=title, detail="")

        def draw(step: BuildStep) -> None:
            bar.update(
                task,
                description=_PHASES.get(step.phase, step.phase),
                total=None if step.done is None else 1.0,
                completed=step.done or 0.0,
                detail=step.detail[:40],
            )

        yield draw
