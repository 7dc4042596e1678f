"""`proctor tasks synth`: tasks proposed by a model or a search, kept if they are proven."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from proctor.cli.bar import show_bar
from proctor.cli.options import preset
from proctor.errors import SpecError, UnknownName
from proctor.plain_text import json_text, one_line

if TYPE_CHECKING:
    from proctor.models.model import Model
    from proctor.synth.ledger import Fate
    from proctor.synth.synth import Synthesised


@click.command()
@click.option("--model", "model_name", metavar="PROVIDER/NAME", help="The model that proposes, such as openai/gpt-4.1.")
@click.option("--search", is_flag=True, help="No model: look for tasks by doing things.")
@click.option("--app", "apps", multiple=True, required=True, metavar="NAME", help="An application; repeatable.")
@preset("--count", type=click.IntRange(1, 100_000), default=10, help="How many proposals to make.")
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="Folder to write; an unfinished one is continued."
)
@preset("--rounds", type=click.IntRange(1, 10), default=3, help="How many times a key is tried.")
@preset("--repairs", type=click.IntRange(0, 10), default=2, help="How many times a failed proposal may be corrected.")
@click.option(
    "--max-cost",
    type=click.FloatRange(0, min_open=True),
    help="Maximum total cost in US dollars; needs a model whose price is known.",
)
@click.option("--base-url", metavar="URL", help="A server that speaks the provider's format, such as your own.")
@preset("--computer", "backend", default="sandbox", metavar="COMPUTER", help="sandbox, or fake to try it out.")
@preset("-n", "--workers", type=click.IntRange(1, 64), default=1, help="How many proposals at the same time.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def synth(
    model_name: str | None,
    search: bool,
    apps: tuple[str, ...],
    out: Path,
    max_cost: float | None,
    base_url: str | None,
    workers: int,
    as_json: bool,
    **planned: Any,
) -> None:
    """Propose tasks, and keep those that pass every proof.

    Each application is explored first: its menus, its dialogs, and what they set. The model then proposes a task,
    writes its check from the words and the start alone, two keys (by hand, and by any route) and near misses, each in a
    conversation of its own. On fresh computers the check must accept both keys and refuse near misses, keys cut short
    and keys of other tasks; then the task is proven as any other, with mutants and variants. What fails is told to
    whoever wrote it and corrected, or dropped with its reason. Duplicates are dropped.

    --search finds tasks without a model: moves of existing keys are put together anew, and items of menus chosen; what
    has changed then is the task.

    The folder holds accepted tasks (`tasks/`), a page (`index.html`) and every answer, so that the same command
    continues an interrupted synthesis, and pays for nothing twice.

    \b
    proctor tasks synth --model openai/gpt-4.1 --app mousepad --app thunar --count 40 --max-cost 5 --out made
    proctor tasks synth --search --app mousepad --count 10 --out found
    proctor tasks prove made/tasks
    """
    from proctor.synth.plan import SEARCH, SynthesisPlan
    from proctor.synth.synth import synthesise

    _check(model_name, search, apps, max_cost or base_url)
    plan = SynthesisPlan(by=model_name or SEARCH, apps=tuple(dict.fromkeys(apps)), **planned)
    model = _open_model(model_name, base_url)
    with show_bar("proposals", plan.count) as advance:
        made = synthesise(
            out, plan, model, max_cost=max_cost, workers=workers, heard=lambda fate: advance(one_line(fate.name))
        )
    _show(made, out, as_json=as_json)
    sys.exit(0 if any(fate.accepted for fate in made.fates) and not made.left else 1)


def _check(model: str | None, search: bool, apps: Sequence[str], asking: object) -> None:
    from proctor import taxonomy

    if search == bool(model):
        raise SpecError("nobody proposes, or two do", remedy="give either --model PROVIDER/NAME or --search")
    if search and asking:
        raise SpecError("a search asks no model", remedy="leave out --max-cost and --base-url, or give --model")
    for app in apps:
        if app not in taxonomy.APPLICATIONS:
            raise UnknownName("application", app, taxonomy.APPLICATIONS, listing="proctor tasks list")


def _open_model(name: str | None, base_url: str | None) -> Model | None:
    from proctor.models import open_model

    return open_model(name, base_url=base_url) if name else None


def _show(made: Synthesised, out: Path, *, as_json: bool) -> None:
    from proctor.synth.page import STEPS, figures

    found = figures(made.fates)
    if as_json:
        click.echo(json_text({**found, "left": made.left, "spent": made.spent, "out": str(out)}))
        return
    for fate in made.fates:
        click.echo(one_line(_line(fate, STEPS)))
    click.echo(f"{found['accepted']} of {found['proposals']} proposals accepted; {_cost(found['cost_usd'])}")
    if made.left:
        click.echo(f"{made.left} proposals are not made: {one_line(made.spent)}; raise --max-cost to continue")
    click.echo(f"wrote {one_line(str(out))}")


def _line(fate: Fate, steps: dict[str, str]) -> str:
    if fate.accepted:
        return f"accepted  {fate.number:4d}  {fate.name}"
    reason = fate.reasons[0] if fate.reasons else ""
    return (
        f"dropped   {fate.number:4d}  {fate.name or '(nothing proposed)'}: {steps.get(fate.step, fate.step)}: {reason}"
    )


def _cost(cost: object) -> str:
    return "price unknown" if cost is None else f"${cost:.4f}"
