"""`proctor worlds`: list, show, build, check and view the lives that tasks can begin in."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from proctor.cli.plain import escape, tell
from proctor.errors import UnknownName
from proctor.report.terminal import open_console, print_table
from proctor.worlds import layers
from proctor.worlds.check.rules import disagreements
from proctor.worlds.people.load import load, names

MOST_SHOWN = 12


@click.group("worlds")
def worlds() -> None:
    """Build and browse worlds: desktops that people have used for two years.

    A world is the life of one person, told from a seed as a log of events. Mails, calendars, contacts, files,
    photographs, the account, chat and the browser's history are views of these events, written once into the
    applications' own stores. Contradictions and stale facts are planted in pairs; all else agrees.

    \b
    proctor worlds list
    proctor worlds build nora        a quarter of a minute; kept in your data folder
    proctor worlds view nora         browse it as Nora would, and as its author
    proctor worlds build nora-7      another life of the same person, by its seed
    """


@worlds.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
def list_(as_json: bool) -> None:
    """List the people that have worlds, and which are built.

    \b
    proctor worlds list
    """
    built = {each.name: each for each in layers.worlds()}
    rows = []
    for name in sorted({*names(), *built}):
        found = built.get(name)
        state = "not built" if found is None else "ready" if found.current else "out of date"
        rows.append(
            {
                "name": name,
                "state": state,
                "about": load(name.partition("-")[0]).about,
                "counts": found.counts if found else {},
            }
        )
    if as_json:
        click.echo(json.dumps(rows, indent=2))
        return
    table = Table("world", "state", "mails", "files", "entries", "who", box=None, pad_edge=False)
    for row in rows:
        counts = row["counts"]
        assert isinstance(counts, dict)
        figures = [str(counts.get(name, "")) for name in ("mails", "files", "entries")]
        colour = {"ready": "green", "not built": "dim"}.get(str(row["state"]), "yellow")
        table.add_row(escape(str(row["name"])), f"[{colour}]{row['state']}[/]", *figures, escape(str(row["about"])))
    print_table(open_console(), table)
    click.echo(f"\nin {layers.worlds_folder()}")


@worlds.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option("--plants", is_flag=True, help="List the contradictions, with both sides and which one is right.")
def show(name: str, as_json: bool, plants: bool) -> None:
    """Show whose world it is, how much it contains, and what is planted.

    \b
    proctor worlds show nora --plants
    proctor worlds show nora --json
    """
    world = layers.find(name)
    author = json.loads((world.folder / "author.json").read_text())
    if as_json:
        facts = {**asdict(world), "folder": str(world.folder), "current": world.current}
        click.echo(
            json.dumps(
                {**facts, **{key: author[key] for key in ("owner", "from", "to", "preferences", "plants")}}, indent=2
            )
        )
        return
    tell(f"{author['owner']['name']}: {author['owner']['about']}")
    tell(f"from {author['from']} to {author['to']}, seed {world.seed}{'' if world.current else '; out of date'}")
    tell(
        "  ".join(f"{count} {what}" for what, count in world.counts.items() if what != "bytes")
        + f"  {world.counts['bytes'] / 1e6:.0f} MB"
    )
    tell("\nlikes, and never says:")
    for each in author["preferences"]:
        first = f", first in {each['evidence'][0]}" if each["evidence"] else ""
        tell(f"  {each['what']} (shows {len(each['evidence'])} times{first})")
    if plants:
        tell("\ncontradictions:")
        for each in author["plants"]:
            tell(f"  {each['id']} {each['what']}")
            for side in ("old", "new"):
                mark = "right" if each["right"] == side else "wrong"
                tell(f"    {side}: {each[side]['says']} ({mark}) in {each[side]['where']}")
            tell(f"    {each['why']}")
    tell(f"\n{world.folder}")


@worlds.command()
@click.argument("names_", metavar="NAME...", nargs=-1)
@click.option("--all", "everybody", is_flag=True, help="Build the worlds of all people.")
@click.option("--force", is_flag=True, help="Rebuild even if nothing has changed.")
@click.option("--json", "as_json", is_flag=True, help="Print the worlds as JSON when done.")
def build(names_: tuple[str, ...], everybody: bool, force: bool, as_json: bool) -> None:
    """Build worlds; those that are up to date are left alone.

    The same name gives the same world, byte for byte. An interrupted one is rebuilt and never used.

    \b
    proctor worlds build nora harold
    proctor worlds build --all
    proctor worlds build nora-7         another seed
    """
    wanted = [*names_, *(names() if everybody else ())]
    if not wanted:
        raise UnknownName("world", "", names())
    built = []
    for name in dict.fromkeys(wanted):
        with Console(stderr=True).status(f"world {name}") as status:
            world = layers.build(name, force=force, progress=status.update)
        built.append(world)
        if not as_json:
            counts = world.counts
            tell(
                f"world {name}: {counts['mails']} mails, {counts['files']} files, {counts['entries']} "
                f"entries, {counts['bytes'] / 1e6:.0f} MB, {world.folder}"
            )
    if as_json:
        click.echo(json.dumps([{**asdict(each), "folder": str(each.folder)} for each in built], indent=2))


@worlds.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print what disagrees as JSON.")
def check(name: str, as_json: bool) -> None:
    """Read a world from disk and report inconsistencies; there should be none.

    Meetings in mails and in the calendar, invoices and payments, statements and the household book, photographs
    and journeys, days of the week and dates, both sides of every contradiction. The status is 1 if anything disagrees.

    \b
    proctor worlds check nora
    """
    found = disagreements(layers.find(name).folder)
    if as_json:
        click.echo(json.dumps(found, indent=2))
    else:
        for rule, wrong in found.items():
            tell(f"{'ok  ' if not wrong else f'{len(wrong):<4}'} {rule}")
            for each in wrong[:MOST_SHOWN]:
                tell(f"       {each}")
    if any(found.values()):
        raise click.exceptions.Exit(1)


@worlds.command()
@click.argument("name")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where to write the page.  [default: next to the world]",
)
@click.option("--open/--no-open", "browser", default=True, help="Open the page in a browser.")
def view(name: str, out: Path | None, browser: bool) -> None:
    """Write one page to browse a world as its owner would, and as its author.

    \b
    proctor worlds view nora
    proctor worlds view nora --out nora.html --no-open
    """
    from proctor.web.world_page import world_page

    world = layers.find(name)
    target = out or world.folder.with_suffix(".html")
    target.write_text(world_page(world.folder))
    tell(f"{target}: {target.stat().st_size / 1e6:.1f} MB")
    if browser:
        click.launch(target.resolve().as_uri())


@worlds.command()
@click.argument("name")
def remove(name: str) -> None:
    """Delete a world.

    \b
    proctor worlds remove nora-7
    """
    layers.remove(name)
    click.echo(f"world {name} removed")
