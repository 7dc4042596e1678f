"""`proctor tasks compose`: compose tasks from subtasks, as many and as complex as asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from proctor.cli.bar import show_bar
from proctor.cli.options import preset
from proctor.errors import SpecError
from proctor.registry import Registry
from proctor.store.files import folder_at_once

if TYPE_CHECKING:
    from proctor.graphs.compose.composition import Composition
    from proctor.graphs.compose.figures import TaskFigures
    from proctor.graphs.compose.pool import SubtaskPool
    from proctor.graphs.language.model_writer import ModelWriter
    from proctor.graphs.omnibench.folder import TaskLines

POOL = "proctor.suites.pool:POOL"
TASKS = "tasks.jsonl"
DIMENSIONS = ("dependency", "instruction", "knowledge", "hierarchy", "branch")
COUNTED = ("edges", "subtasks", "categories of applications", "subtasks on the longest path", "subtasks side by side")

Json = dict[str, object]
Made = TypeVar("Made")


def _dimension_options(command: Callable[..., None]) -> Callable[..., None]:
    for name, counted in reversed(tuple(zip(DIMENSIONS, COUNTED, strict=True))):
        command = click.option(f"--{name}", metavar="easy|medium|hard|RANGE", help=f"How many {counted}.")(command)
    return command


@click.command()
@preset("--count", type=click.IntRange(1), default=10, help="How many tasks.")
@preset("--seed", default="0", help="What random choices are drawn from: the same seed gives the same tasks.")
@_dimension_options
@click.option("--app", "apps", multiple=True, metavar="NAME", help="Only this application; repeatable.")
@click.option(
    "--category", "categories", multiple=True, metavar="NAME", help="Only this category of applications; repeatable."
)
@click.option("--capability", default="", help="What the tasks should test, such as long-range-planning or LRP.")
@preset(
    "--capabilities",
    "profile",
    type=click.Choice(["disjoint", "paper"]),
    default="disjoint",
    help="What capabilities mean: sets of tasks that share none, or the paper's Table 12.",
)
@preset(
    "--distinct",
    type=click.Choice(["parameters", "graph"]),
    default="parameters",
    help="How tasks must differ: in their parameters, or in the shape of their graphs.",
)
@preset("--pool", "pool_name", default=POOL, metavar="MODULE:NAME", help="Subtasks to use.")
@preset("-n", "--workers", type=click.IntRange(1, 64), default=1, help="How many processes work at the same time.")
@preset(
    "--format",
    "form",
    type=click.Choice(["proctor", "task", "omnibench"]),
    default="proctor",
    help="What to write: a line for each task, a task file each (to run them), or OmniBench's metadata.",
)
@click.option("--out", type=click.Path(path_type=Path), help="Folder to write to.")
@click.option(
    "--writer", metavar="MODEL", help="A model that words the tasks, such as openai/gpt-4.1; rules do where it fails."
)
@click.option("--judge", metavar="MODEL", help="The model that reads its words back.  [default: the writer]")
@click.option("--figures", is_flag=True, help="Print figures of the tasks, and what they are to keep, instead.")
@click.option(
    "--review", type=click.IntRange(1), help="Write a page on which people say of so many tasks what makes sense."
)
@click.option(
    "--verdicts",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="What somebody said on such a page: print how much is sensible, and how far people agree; repeatable.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line instead.")
def compose(
    count: int,
    pool_name: str,
    form: str,
    out: Path | None,
    figures: bool,
    review: int | None,
    verdicts: tuple[Path, ...],
    writer: str | None,
    judge: str | None,
    as_json: bool,
    **wishes: Any,
) -> None:
    """Compose tasks from subtasks that fit together, as complex as you ask for.

    A RANGE is a number such as 5, or 3..4, 5.. or ..4.

    \b
    proctor tasks compose --count 20 --hierarchy hard --branch hard --json
    proctor tasks compose --capability long-range-planning --count 50 --out tasks
    proctor tasks compose --count 1000 --seed 7 --format omnibench --out tasks
    proctor tasks compose --count 5 --format task --out mine && proctor run mine/*.json --agent oracle
    proctor tasks compose --count 1500 --seed 7 --figures
    proctor tasks compose --count 20 --writer openai/gpt-4.1 --judge anthropic/claude-sonnet-4-5 --out tasks
    proctor tasks compose --review 40 --seed 11 --out review
    proctor tasks compose --verdicts review/verdicts-Ann.jsonl --verdicts review/verdicts-Bo.jsonl
    """
    if verdicts:
        from proctor.cli.compose_review import show_verdicts

        show_verdicts(verdicts, as_json=as_json)
        return
    if (figures or review is None) and (out is None) == (not as_json and not figures):
        raise SpecError(
            "no place for the tasks, or two places", remedy="give either --out FOLDER or --json, or --figures"
        )
    if review and out is None:
        raise SpecError("no place for the page", remedy="give --out FOLDER")
    if judge and not writer:
        raise SpecError("--judge has nothing to read", remedy="give --writer MODEL too")
    models = _open_models(writer, judge)
    pool, count = load_pool(pool_name), review or count
    kind = "figures" if figures else "review" if review else form
    with show_bar("composing", count if out or figures else 0) as advance:
        _compose_and_put(kind, pool, out, as_json, advance, models, {**wishes, "count": count})
    if models:
        click.echo(str(models.count), err=True)
    if out is not None:
        click.echo(f"{count} {'task files' if form == 'task' else 'tasks'} in {out}")


def _compose_and_put(
    kind: str,
    pool: SubtaskPool,
    out: Path | None,
    as_json: bool,
    advance: Callable[[], None],
    writer: ModelWriter | None,
    wishes: dict[str, Any],
) -> None:
    """Compose what is wished for, and print or write it in one of the forms."""
    from proctor.graphs.compose.compose import compose, compose_with
    from proctor.graphs.compose.figures import figures_of
    from proctor.graphs.compose.review import review_item, write_review
    from proctor.graphs.mathematics.constraints import Constraint
    from proctor.graphs.omnibench.task_lines import lines_of

    def compose_each(finish: Callable[[Composition, SubtaskPool], Made]) -> Iterator[Made]:
        if writer is None:
            return compose_with(finish, pool, **wishes)
        written = writer.write_each(compose(pool, **wishes), pool.by_name, wishes["workers"])
        return (finish(composition, pool) for composition in written)

    asked = {name: wishes.pop(name) for name in DIMENSIONS}
    wishes["constraints"] = [Constraint.parse(name, text) for name, text in asked.items() if text]
    if kind == "figures":
        _put_figures(compose_each(figures_of), as_json, advance)
    elif kind == "review" and out is not None:
        with folder_at_once(out) as folder:
            write_review(folder, compose_each(review_item))
    elif kind == "omnibench":
        _put_in_form_of_omnibench(compose_each(lines_of), out, advance)
    else:
        _put(kind, compose_each(_finish(kind, seed=wishes["seed"], profile=wishes["profile"])), out, advance)


def _open_models(writer: str | None, judge: str | None) -> ModelWriter | None:
    """Return what has models write and read, if that is asked for."""
    if writer is None:
        return None
    from proctor.graphs.language.model_writer import ModelWriter
    from proctor.models import open_model

    return ModelWriter(open_model(writer), open_model(judge) if judge else None)


def _put_figures(found: Iterator[TaskFigures], as_json: bool, advance: Callable[[], None]) -> None:
    """Print figures of tasks; as JSON an object per figure."""
    from proctor.graphs.compose.figures import summary_of

    def count_off() -> Iterator[TaskFigures]:
        for one in found:
            yield one
            advance()

    for figure in summary_of(count_off()):
        if as_json:
            told = {"figure": figure.name, "value": figure.value, "most": figure.most, "least": figure.least}
            click.echo(json.dumps({**told, "kept": figure.is_kept}))
        else:
            kept = "" if figure.is_kept else "  not kept"
            click.echo(f"{figure.name:45} {figure.text(figure.value):>8}  {figure.limit}{kept}".rstrip())


def _put(form: str, records: Iterator[Json], out: Path | None, advance: Callable[[], None]) -> None:
    """Print records, or write them to a file, or to one each."""
    if out is None:
        for record in records:
            click.echo(json.dumps(record))
    elif form == "task":
        with folder_at_once(out) as folder:
            for record in records:
                name = str(record["id"]).partition("/")[2]
                (folder / f"{name}.json").write_text(json.dumps(record, indent=1, ensure_ascii=False), encoding="utf-8")
                advance()
    else:
        with folder_at_once(out) as folder, (folder / TASKS).open("w", encoding="utf-8") as file:
            for record in records:
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
                advance()


def _put_in_form_of_omnibench(found: Iterator[TaskLines], out: Path | None, advance: Callable[[], None]) -> None:
    """Print tasks and then their subtasks, or write a folder of both and of evaluations."""
    from proctor.graphs.omnibench.export import SubtaskCollection
    from proctor.graphs.omnibench.folder import number_tasks, write_composed

    found = number_tasks(found)
    if out is not None:
        with folder_at_once(out) as folder:
            write_composed(folder, found, advance)
        return
    subtasks = SubtaskCollection()
    for lines in found:
        click.echo(json.dumps(lines.task.to_json()))
        for record in lines.subtasks:
            subtasks.add(record)
    for record in subtasks:
        click.echo(json.dumps(record.to_json()))


def _finish(form: str, *, seed: str, profile: str) -> Callable[[Composition, SubtaskPool], Json]:
    return partial(_whole_task, seed=seed) if form == "task" else partial(_own_record, profile=profile)


def load_pool(name: str) -> SubtaskPool:
    """Return a pool by where it is: a pool, or subtasks to make one of."""
    from proctor.graphs.compose.pool import SubtaskPool

    table: Registry[Any] = Registry("pool", {}, group="proctor.pools")
    found = table.get(name)
    if isinstance(found, SubtaskPool):
        return found
    try:
        return SubtaskPool(found)
    except TypeError as error:
        raise SpecError(f"{name} is not a pool: {error}", remedy="name a Pool, or a list of subtasks") from error


def _own_record(composition: Composition, pool: SubtaskPool, *, profile: str) -> Json:
    from proctor.graphs.compose.pool import category_of
    from proctor.graphs.compose.record import to_json
    from proctor.graphs.language.realise import realise
    from proctor.graphs.mathematics import capabilities
    from proctor.graphs.mathematics.complexity import measure

    used = {node.id: pool[node.subtask] for node in composition.nodes}
    complexity = measure(composition.dag, {node: category_of(subtask) for node, subtask in used.items()})
    return {
        "instruction": realise(composition, pool.by_name),
        "apps": sorted({subtask.app for subtask in used.values()}),
        "complexity": complexity.to_json(),
        "capabilities": sorted(capabilities.capabilities(complexity, capabilities.profile(profile))),
        **to_json(composition),
    }


def _whole_task(composition: Composition, pool: SubtaskPool, *, seed: str) -> Json:
    from proctor.graphs.compose.assemble import composed_task

    name = "-".join(re.findall("[a-z0-9]+", f"{seed} {composition.seed.rpartition('/')[2]}".lower()))
    return composed_task(composition, pool.by_name, f"composed/task-{name}-v1").to_json()
