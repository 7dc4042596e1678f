"""`proctor offline make`: data from recorded runs, and the large sets from nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from proctor.cli.offline_sets import WantedSet, make_large_set, make_set
from proctor.cli.options import FOUND, ONLY, preset
from proctor.plain_text import json_text, one_line

if TYPE_CHECKING:
    from proctor.offline.make.make import MadeSet


@click.command()
@click.option(
    "--run",
    "runs",
    type=FOUND,
    multiple=True,
    metavar="RUN",
    help="Recorded run, folder of runs, or folder of a studio; repeatable.",
)
@click.option(
    "--set", "large", type=click.Choice(["ground", "idm", "critic"]), help="Make a large set that needs no run."
)
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="Folder to write, which must not exist yet."
)
@click.option(
    "--task",
    "tasks",
    type=click.Choice(["ground", "idm", "critic"]),
    multiple=True,
    help="Only for this ability; repeatable.  [default: all]",
)
@ONLY
@click.option("--checked", is_flag=True, help="Only grounding samples that fit exactly one element of the tree.")
@click.option(
    "--as-is", is_flag=True, help="Critic: every attempt as it happened; none shortened, none left out for balance."
)
@click.option(
    "--parquet", is_flag=True, help="Also write Parquet in the layout of Hugging Face datasets, pictures included."
)
@preset("--suite", default="core", metavar="NAME|FOLDER", help="--set: where tasks come from.")
@click.option(
    "--seeds",
    type=click.IntRange(1),
    help="--set: how many variants of each task.  [default: as many as core needs, 1 for idm and 2 for critic]",
)
@click.option("--limit", type=click.IntRange(1), help="--set: only the first N tasks.")
@preset("--rounds", type=click.IntRange(1), default=4, help="--set ground: how many times each program is visited.")
@preset("--seed", type=int, default=0, help="--set ground: what random choices are drawn from.")
@preset(
    "--computer",
    "backend",
    default="sandbox",
    metavar="COMPUTER",
    help="--set: NAME,option=value,... or module:Class (see `proctor computers list`).",
)
@click.option("-n", "--workers", type=click.IntRange(1), help="--set: how many episodes at the same time.")
@click.option("--sft", is_flag=True, help="Also write the train split as conversations for fine-tuning (sft.jsonl).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def make(runs: tuple[Path, ...], out: Path, large: str | None, as_json: bool, **given: Any) -> None:
    """Make a data set from recorded runs, without annotating anything.

    Every recorded action names the element it hit, and every episode has a verdict. So clicks become grounding samples,
    steps that changed the screen become transitions and sequences, and attempts become trajectories for critics, as
    many successes as failures. Samples are split by task, no picture is in two splits, and the README.md of the set
    says what was skipped and why.

    \b
    proctor run --suite tour --agent oracle,tree=on --out RUN
    proctor offline make --run RUN --out DATA
    proctor offline run ground --data DATA --model baseline:ocr

    Large sets need no run: `--set ground` harvests 5,000 elements of the desktop's programs, `--set idm` and `--set
    critic` first run the answer keys and near misses of a suite (in OUT.run, which you may delete later).

    \b
    proctor offline make --set ground --out GROUND
    proctor offline make --set critic --out CRITIC -n 8

    Does a model agree with the checks of a run? Kappa says:

    \b
    proctor offline make --run RUN --task critic --as-is --out ATTEMPTS
    proctor offline run critic --data ATTEMPTS --model openai/NAME
    """
    if large and runs:
        raise click.UsageError("--set records its own episodes; give either --run or --set")
    if large:
        wanted = WantedSet(**{name: given[name] for name in WantedSet.__dataclass_fields__})
        make_large_set(large, out, wanted, parquet=given["parquet"], sft=given["sft"], as_json=as_json)
        return
    if not runs:
        raise click.UsageError("say what to make it from with --run, or name a large set with --set")
    made = make_set(
        runs, out, **{name: given[name] for name in ("tasks", "only", "checked", "as_is", "parquet", "sft")}
    )
    if as_json:
        click.echo(json_text({**vars(made), "out": str(out)}))
    else:
        _show(made, out)


def _show(made: MadeSet, out: Path) -> None:
    for task, splits in made.counts.items():
        click.echo(f"{task}: {', '.join(f'{count} {split}' for split, count in sorted(splits.items()))}")
    if made.unchecked:
        click.echo(f"{made.unchecked} grounding samples have no tree to check them against (--checked leaves them out)")
    for reason, count in made.skipped.items():
        click.echo(one_line(f"left out, {reason}: {count}"))
    click.echo(f"wrote {one_line(str(out))}")
