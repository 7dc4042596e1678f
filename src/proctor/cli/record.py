"""`proctor verify`, `export` and `import`: whether a record is whole, and other forms of it."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

import click

from proctor.agents.load import look_here
from proctor.cli.bar import show_bar
from proctor.cli.options import FOUND_FOLDER
from proctor.cli.shelf_help import ShelfCommand
from proctor.plain_text import one_line
from proctor.store.export import export as write_export
from proctor.store.exports import EXPORTS
from proctor.store.files import sum_file
from proctor.store.import_run import import_run
from proctor.store.imports import IMPORTS
from proctor.store.paths import RunPaths
from proctor.store.tree import line_count
from proctor.store.verify import kept_aside
from proctor.store.verify import verify as find_damage


@click.command()
@click.argument("run", type=FOUND_FOLDER)
@click.option("--partial", is_flag=True, help="Accept that the run is not done yet.")
@click.option("--seal", default="", metavar="HASH", help="The hash of the seal, as it was published.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def verify(run: Path, partial: bool, seal: str, as_json: bool) -> None:
    """Check that the record of a run is as it was written.

    Finds files that were changed, cut off, removed or added, results that were removed or moved, and episodes that were
    never finished. Somebody who rewrites everything, the seal included, is found out only by a hash of the seal that
    was kept elsewhere (--seal). Exits with 1 when something is wrong.
    """
    paths = RunPaths(run)
    with show_bar("verifying", line_count(paths.index)) as advance:
        damage = find_damage(run, partial=partial, seal=seal, on_episode=advance)
    lines, aside = line_count(paths.index), kept_aside(run)
    found = _seal_hash(paths.seal)
    if as_json:
        report = {"ok": not damage, "results": lines, "kept_aside": aside, "seal": found}
        click.echo(json.dumps({**report, "damage": [asdict(item) for item in damage]}))
    elif damage:
        for item in damage:
            click.echo(one_line(str(item)))
        count = "1 thing is" if len(damage) == 1 else f"{len(damage)} things are"
        click.echo(f"\n{count} wrong with {one_line(str(run))}", err=True)
    else:
        remarks = [f"{lines} results", *([f"{aside} interrupted tries kept aside"] if aside else [])]
        remarks += [f"seal {found}"] if found else ["not sealed"]
        click.echo(f"good: {', '.join(remarks)}")
    sys.exit(1 if damage else 0)


@click.command(cls=ShelfCommand, shelf=EXPORTS)
@click.argument("run", type=FOUND_FOLDER)
@click.option(
    "--to", "--format", "form", metavar="NAME", required=True, help="What to write; module:name for your own."
)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="A folder that does not exist yet.")
@click.option("--all", "everything", is_flag=True, help="For agentnet and sft: also episodes that did not pass.")
@click.option("--with-keys", is_flag=True, help="Also the tasks, which hold their answer keys.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def export(run: Path, form: str, out: Path, everything: bool, with_keys: bool, as_json: bool) -> None:
    """Write a run in a format that others read."""
    look_here()
    with show_bar("exporting", line_count(RunPaths(run).index)) as advance:
        done = write_export(run, form, out, everything=everything, with_keys=with_keys, on_episode=advance)
    if as_json:
        click.echo(json.dumps({"out": str(out), **asdict(done)}))
    else:
        left = f", {done.left_out} left out" if done.left_out else ""
        click.echo(f"wrote {one_line(str(out))}: {done.episodes} episodes{left}")
        for remark in done.remarks:
            click.echo(one_line(remark))


@click.command("import", cls=ShelfCommand, shelf=IMPORTS)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--from", "--format", "form", metavar="NAME", required=True, help="What it holds; module:name for your own."
)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="A folder that does not exist yet.")
@click.option(
    "--images", type=FOUND_FOLDER, help="Where its pictures lie; `images` beside it, or its own folder, otherwise."
)
@click.option("--agent", default="", help="Whom the trajectories are of; as the form is named otherwise.")
@click.option("--limit", type=click.IntRange(min=1), help="Take at most so many trajectories.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def import_(
    file: Path, form: str, out: Path, images: Path | None, agent: str, limit: int | None, as_json: bool
) -> None:
    """Make a run of somebody else's trajectories, to look at, report on and make data from.

    A trajectory whose pictures are not all there is left out, and counted. Judgements that came with it are kept;
    none of them was made by a check, so every task counts as unproven.
    """
    look_here()
    with show_bar("importing", line_count(file) if limit is None else limit) as advance:
        found = import_run(file, form, out, images=images, agent=agent, limit=limit, on_episode=advance)
    if as_json:
        click.echo(json.dumps({"out": str(out), **asdict(found)}))
        return
    left = found.left_out.total()
    click.echo(f"wrote {one_line(str(out))}: {found.episodes} episodes{f', {left} left out' if left else ''}")
    for reason, count in found.left_out.most_common():
        click.echo(f"{count} left out: {one_line(reason)}")
    if found.unread:
        click.echo(f"{found.unread} steps hold code that cannot be read; they are kept as what was said")


def _seal_hash(path: Path) -> str:
    try:
        return sum_file(path).sha256
    except OSError:
        return ""
