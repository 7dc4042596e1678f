"""`runs verify`, `data export` and `data import`: is a record complete, and other formats of it."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

import click

from proctor.agents.load import look_here
from proctor.cli.bar import show_bar
from proctor.cli.options import FOUND_FOLDER, ONLY
from proctor.cli.shelf_help import ShelfCommand
from proctor.plain_text import one_line
from proctor.store.collection import EpisodeFilter, find_runs
from proctor.store.export import export as write_export
from proctor.store.exports import EXPORTS
from proctor.store.files import sum_file
from proctor.store.import_run import import_run
from proctor.store.imports import IMPORTS
from proctor.store.imports.osworld import TRAJECTORY
from proctor.store.paths import RunPaths
from proctor.store.tree import line_count
from proctor.store.verify import kept_aside
from proctor.store.verify import verify as find_damage


@click.command()
@click.argument("run", type=FOUND_FOLDER)
@click.option("--partial", is_flag=True, help="Accept a run that has not finished.")
@click.option("--seal", default="", metavar="HASH", help="The hash of the seal, as you kept it elsewhere.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def verify(run: Path, partial: bool, seal: str, as_json: bool) -> None:
    """Check that the record of a run is complete and unchanged.

    Finds files that were changed, truncated, removed or added, results that were removed or moved, and episodes that
    never finished. Someone who rewrites everything, the seal included, is detected only by a hash of the seal that you
    kept elsewhere (--seal). The exit status is 1 when something is wrong.

    \b
    proctor runs verify RUN
    proctor runs verify RUN --partial      a run that is still running
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
        click.echo(f"\n{count} wrong in {one_line(str(run))}", err=True)
    else:
        remarks = [f"{lines} results", *([f"{aside} interrupted tries set aside"] if aside else [])]
        remarks += [f"seal {found}"] if found else ["not sealed"]
        click.echo(f"good: {', '.join(remarks)}")
    sys.exit(1 if damage else 0)


@click.command(cls=ShelfCommand, shelf=EXPORTS)
@click.argument("runs", type=FOUND_FOLDER, nargs=-1, required=True, metavar="RUN...")
@click.option("--format", "form", metavar="NAME", required=True, help="The format, or module:name for your own.")
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="Folder to write, which must not exist yet."
)
@click.option(
    "--all", "everything", is_flag=True, help="Include episodes that failed or were not judged (agentnet and sft)."
)
@ONLY
@click.option("--with-keys", is_flag=True, help="Include the tasks, with their answer keys.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def export(
    runs: tuple[Path, ...],
    form: str,
    out: Path,
    everything: bool,
    only: tuple[str, ...],
    with_keys: bool,
    as_json: bool,
) -> None:
    """Write runs, as one collection, in a format that other tools read.

    A RUN is a run, a folder of runs, or the folder of a studio: then it is what people recorded there, in the newest
    version that was written out and judged.

    \b
    proctor data export RUN --format osworld --out RESULTS
    proctor data export RUN --format sft --out DATA --all
    proctor data export studio --format agentnet --out DATA --only person=Ann --only review=done
    """
    look_here()
    found, choice = find_runs(runs), EpisodeFilter.parse(only)
    with show_bar("exporting", sum(line_count(RunPaths(run).index) for run in found)) as advance:
        done = write_export(
            found, form, out, choice=choice, everything=everything, with_keys=with_keys, on_episode=advance
        )
    if as_json:
        click.echo(json.dumps({"out": str(out), **asdict(done)}))
    else:
        left = f", {done.left_out} left out" if done.left_out else ""
        click.echo(f"wrote {one_line(str(out))}: {done.episodes} episodes{left}")
        for remark in done.remarks:
            click.echo(one_line(remark))


@click.command("import", cls=ShelfCommand, shelf=IMPORTS)
@click.argument("file", type=click.Path(exists=True, path_type=Path))
@click.option("--format", "form", metavar="NAME", required=True, help="The format, or module:name for your own.")
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="Folder to write, which must not exist yet."
)
@click.option(
    "--pictures",
    "images",
    type=FOUND_FOLDER,
    help="Folder of its pictures.  [default: `images` next to it, or its own folder]",
)
@click.option(
    "--label",
    "client",
    default="",
    metavar="NAME",
    help="What the agent is called in records and reports.  [default: the format]",
)
@click.option("--limit", type=click.IntRange(min=1), help="Only the first N trajectories.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def import_(
    file: Path, form: str, out: Path, images: Path | None, client: str, limit: int | None, as_json: bool
) -> None:
    """Turn other people's trajectories into a run, to replay it, report on it and make data from it.

    Trajectories with missing pictures are skipped and counted. Judgements that came with them are kept; since no check
    made them, every task counts as unproven.

    \b
    proctor data import agentnet.jsonl --format agentnet --out RUN
    proctor data import agentnet.jsonl --format agentnet --out RUN --limit 100 --label opencua
    proctor data import results --format osworld --out RUN
    """
    look_here()
    count = sum(1 for _ in file.rglob(TRAJECTORY)) if file.is_dir() else line_count(file)
    with show_bar("importing", limit or count) as advance:
        found = import_run(file, form, out, images=images, agent=client, limit=limit, on_episode=advance)
    if as_json:
        click.echo(json.dumps({"out": str(out), **asdict(found)}))
        return
    left = found.left_out.total()
    click.echo(f"wrote {one_line(str(out))}: {found.episodes} episodes{f', {left} left out' if left else ''}")
    for reason, count in found.left_out.most_common():
        click.echo(f"{count} left out: {one_line(reason)}")
    if found.unread:
        click.echo(f"{found.unread} steps hold code that cannot be read; they are kept as text")


def _seal_hash(path: Path) -> str:
    try:
        return sum_file(path).sha256
    except OSError:
        return ""
