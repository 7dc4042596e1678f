"""`proctor studio`: its pages, or what comes into and out of annotation sets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from proctor.cli.options import FOLDER, FOUND, FOUND_FOLDER, form_options, preset
from proctor.cli.studio import studio as serve
from proctor.cli.studio_key import key, write
from proctor.errors import RecordError
from proctor.plain_text import json_text, one_line

if TYPE_CHECKING:
    from proctor.studio.annotate.sets import AnnotationSet

WORKSPACE = Path("studio")
"""Where `proctor studio` keeps what is made, unless it is told otherwise."""
SERVE = "serve"


class _Door(click.Group):
    """A group that serves the pages where no subcommand is named, as in `proctor studio work`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the name of the subcommand in where it was left out."""
        named = args and (args[0] in self.commands or args[0] in ctx.help_option_names)
        return super().parse_args(ctx, args if named else [SERVE, *args])

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of the pages too, since nobody has to name their subcommand."""
        shown = [found for each in serve.get_params(ctx) if (found := each.get_help_record(ctx))]
        with formatter.section("Options of the pages"):
            formatter.write_dl(shown)
        self.format_commands(ctx, formatter)


@click.group(cls=_Door, invoke_without_command=False)
def studio() -> None:
    """Record demonstrations, try tasks, annotate and review in the browser.

    \b
    proctor studio work --run runs                          open the pages; the folder `work` keeps what you do
    proctor studio new screens --pictures shots             boxes to draw on every picture of a folder
    proctor studio new steps --run RUN --task idm           which action led from one screen to the next
    proctor studio import old --data metadata.jsonl         a grounding set whose boxes are to be corrected
    proctor studio status screens                           progress, and how well annotators agree
    proctor studio export screens --format groundui --out DATA
    proctor studio key DEMONSTRATION --prove                turn it into an answer key, and prove it
    proctor studio write DEMONSTRATION --revision 4 --out RUN
    """


studio.add_command(serve, SERVE)
studio.add_command(key)
studio.add_command(write)

_IN = preset("--in", "workspace", type=FOLDER, default=WORKSPACE, help="Folder of the studio.")
_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
_ANNOTATORS = preset("--annotators", type=click.IntRange(1, 20), default=1, help="How many people label each item.")


@studio.command("new")
@click.argument("name")
@click.option("--pictures", type=FOUND_FOLDER, help="Folder of pictures to draw on.")
@click.option("--run", "runs", type=FOUND_FOLDER, metavar="RUN", help="Recorded run.")
@preset(
    "--task",
    type=click.Choice(["ground", "idm", "critic"]),
    default="ground",
    help="What to label: boxes on screens, actions between them, or outcomes of attempts.",
)
@_ANNOTATORS
@_IN
@_JSON
def new(
    name: str, pictures: Path | None, runs: Path | None, task: Any, annotators: int, workspace: Path, as_json: bool
) -> None:
    """Make an annotation set from a folder of pictures or from a run.

    Where a run recorded accessibility trees, their elements are offered as boxes to take and to snap to.

    \b
    proctor studio new screens --pictures shots
    proctor studio new outcomes --run RUN --task critic --annotators 2
    """
    from proctor.studio.annotate.make_sets import from_pictures, from_run
    from proctor.studio.annotate.sets import set_folder

    if (pictures is None) == (runs is None):
        raise click.UsageError("give either --pictures FOLDER or --run RUN")
    folder = set_folder(workspace, name)
    if pictures is not None:
        if task != "ground":
            raise click.UsageError("--task goes with --run: pictures alone have no actions")
        filled = from_pictures(folder, pictures, annotators=annotators)
    else:
        assert runs is not None
        filled = from_run(folder, runs, kind=task, annotators=annotators)
    _print_outcome(vars(filled), folder, as_json)


@studio.command("import")
@click.argument("name")
@click.option("--data", type=FOUND, required=True, help="A .jsonl, .json or .parquet file, or a folder of them.")
@form_options
@click.option("--pictures", type=FOUND_FOLDER, help="Folder of the pictures, if not next to the data.")
@_ANNOTATORS
@_IN
@_JSON
def import_(
    name: str, data: Path, form: str, boxes: str, pictures: Path | None, annotators: int, workspace: Path, as_json: bool
) -> None:
    """Make an annotation set from grounding data in any format that `proctor offline` reads.

    Its boxes become the finished labels of an annotator called `imported`, so that others can be compared with them
    and `export` returns them.

    \b
    proctor studio import old --data metadata.jsonl --pictures shots
    """
    from proctor.studio.annotate.make_sets import from_data
    from proctor.studio.annotate.sets import set_folder

    folder = set_folder(workspace, name)
    filled = from_data(folder, data, form=form, boxes=boxes, images=pictures, annotators=annotators)
    _print_outcome(vars(filled), folder, as_json)


@studio.command()
@click.argument("name")
@click.option(
    "--format",
    "form",
    type=click.Choice(["groundui", "screenspot", "parquet", "proctor"]),
    required=True,
    help="The format.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="Folder to write, which must not exist yet."
)
@click.option("--annotator", default="", metavar="NAME", help="Only the labels of this annotator.")
@click.option("--ambiguous", is_flag=True, help="Include boxes marked as ambiguous.")
@_IN
@_JSON
def export(name: str, form: str, out: Path, annotator: str, ambiguous: bool, workspace: Path, as_json: bool) -> None:
    """Write an annotation set as data for `proctor offline run` and others.

    NAME may be the set's folder.

    \b
    groundui    boxes: left, top, right, bottom in pixels; metadata.jsonl and images
    screenspot  boxes: left, top, width, height in pixels; a JSON list and pictures
    proctor     boxes, actions and outcomes in the format of `proctor offline make`
    parquet     the same, and Parquet in the layout of Hugging Face datasets, pictures included

    Items that were resolved, or on which annotators agree, are written; the rest is skipped and counted.

    \b
    proctor studio export screens --format screenspot --out DATA
    """
    from proctor.store.files import folder_at_once
    from proctor.studio.annotate.export import export as write

    opened = _open_set(name, workspace)
    with folder_at_once(out) as folder:
        done = write(opened, form, folder, annotator=annotator, ambiguous=ambiguous)
    _print_outcome(vars(done), out, as_json)


@studio.command()
@click.argument("name")
@_IN
@_JSON
def status(name: str, workspace: Path, as_json: bool) -> None:
    """Show the progress of an annotation set, and how well annotators agree.

    \b
    proctor studio status screens
    """
    from proctor.studio.annotate.agreement import agreement
    from proctor.studio.annotate.queue import progress

    opened = _open_set(name, workspace)
    labels = opened.labels()
    agreed = agreement(opened.about.kind, {item.id: opened.done_labels(labels, item.id) for item in opened.items()})
    found = {"name": opened.name, "kind": opened.about.kind, **progress(opened), "agreement": agreed}
    if as_json:
        click.echo(json_text(found))
        return
    states = ", ".join(f"{count} {state}" for state, count in found["states"].items())
    click.echo(
        one_line(f"{opened.name}: {found['items']} items ({states}), {found['labels']} of {found['wanted']} labels")
    )
    for who, count in found["people"].items():
        click.echo(one_line(f"  {who}: {count} done"))
    for pair in agreed["pairs"]:
        figures = {key: value for key, value in pair.items() if key not in ("first", "second")}
        said = ", ".join(
            f"{key} {value:.2f}" if isinstance(value, float) else f"{key} {value}" for key, value in figures.items()
        )
        click.echo(one_line(f"  {pair['first']} and {pair['second']}: {said}"))


def _open_set(name: str, workspace: Path) -> AnnotationSet:
    from proctor.studio.annotate.sets import HOME
    from proctor.studio.annotate.sets import AnnotationSet as Opened

    for folder in (workspace / HOME / name, Path(name)):
        if (folder / "set.json").is_file():
            return Opened(folder)
    raise RecordError(
        f"there is no annotation set {name!r} in {workspace}", remedy="name its folder, or give --in FOLDER"
    )


def _print_outcome(found: dict[str, Any], place: Path, as_json: bool) -> None:
    if as_json:
        click.echo(json_text({**found, "out": str(place)}))
        return
    counts = ", ".join(f"{count} {what}" for what, count in found.items() if isinstance(count, int))
    click.echo(one_line(f"wrote {place}: {counts}"))
    for reason, count in found["left_out"].items():
        click.echo(one_line(f"left out, {reason}: {count}"))
