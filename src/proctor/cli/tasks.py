"""`proctor tasks`: list, show, check, scaffold and try tasks."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from proctor import taxonomy
from proctor.cli.choose_tasks import Choice, choices, chosen_tasks, resolve_names, selection_options, suite_option
from proctor.cli.lazy import Lazy, LazyGroup
from proctor.cli.options import preset
from proctor.cli.plain import escape
from proctor.cli.tasks_graph import graph_view
from proctor.plain_text import json_text, printable
from proctor.report.terminal import open_console, print_table
from proctor.tasks.task import Task

COMMANDS = {
    "words": Lazy("proctor.cli.words:words", "List what a task file can say, with examples."),
    "prove": Lazy("proctor.cli.prove:prove", "Prove that tasks can be done, and only by doing them."),
    "import": Lazy("proctor.cli.import_tasks:import_", "Show what is needed to run other systems' tasks."),
    "compose": Lazy("proctor.cli.compose:compose", "Compose tasks from subtasks, as complex as you ask for."),
    "synth": Lazy("proctor.cli.synth:synth", "Have a model or a search propose tasks; keep what is proven."),
}


@click.group(cls=LazyGroup, lazy=COMMANDS)
def tasks() -> None:
    """List, show, try, write, compose and prove tasks.

    \b
    proctor tasks list --level 3 --app thunar      find tasks
    proctor tasks show sign-the-letter             one task with its answer key
    proctor tasks try sign-the-letter              do it yourself, and be judged
    proctor tasks new mine/water-the-plants        start a task of your own
    proctor tasks words checks                     what a task file can say
    proctor tasks prove mine/water-the-plants.json
    """


@tasks.command("list")
@selection_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
def list_(names: tuple[str, ...], suite: str, filters: dict[str, tuple[str, ...]], as_json: bool) -> None:
    """List tasks, filtered by application, level, domain and more.

    \b
    proctor tasks list
    proctor tasks list --suite tour --json
    proctor tasks list --app thunderbird --level 3 --feasible
    """
    found, _ = choices(suite, names, filters, [0])
    if as_json:
        for task in found:
            click.echo(json_text(row(task)))
        return
    table = Table("task", "level", "applications", "demand", "", box=None, pad_edge=False)
    for task in found:
        remarks = [*task.tags.services, *([] if task.tags.feasible else ["cannot be done"])]
        remarks += ["unproven"] if task.unproven else []
        demand = f"{task.tags.domain} / {task.tags.demand}"
        cells = (task.id, f"L{task.tags.level}", ", ".join(task.tags.apps), demand, ", ".join(remarks))
        table.add_row(*map(escape, cells))
    print_table(open_console(), table)
    click.echo(f"\n{len(found)} task{'' if len(found) == 1 else 's'}")


def row(task: Task | Choice) -> dict[str, object]:
    """Return how a task is classified, for a program to read."""
    return {
        "id": task.id,
        "apps": list(task.tags.apps),
        "categories": list(task.tags.categories),
        "level": task.tags.level,
        "domain": task.tags.domain,
        "scenario": task.tags.scenario,
        "demand": task.tags.demand,
        "feasible": task.tags.feasible,
        "services": list(task.tags.services),
        "unproven": task.unproven,
    }


@tasks.command()
@click.argument("name", metavar="TASK|FILE.json")
@suite_option
@preset("--seed", default=0, help="Which variant of the task.")
@click.option("--json", "as_json", is_flag=True, help="Print the task file.")
def show(name: str, suite: str, seed: int, as_json: bool) -> None:
    """Show a task: its instruction, setup, checks and answer key.

    \b
    proctor tasks show sign-the-letter
    proctor tasks show book-the-train --seed 3          another variant of the same template
    proctor tasks show sign-the-letter --json           as a task file
    """
    task = chosen_tasks(suite, [name], {}, [seed])[0][0]
    if as_json:
        click.echo(json_text(task.to_json(), indent=2))
        return
    console = open_console()
    seeded = "" if task.seed is None else f"  seed {task.seed}"
    console.print(f"[bold]{escape(task.id)}[/]{seeded}  [dim]{task.digest[:12]}[/]")
    console.print(f"L{task.tags.level} [dim]{taxonomy.LEVELS[task.tags.level]}[/]")
    apps, kind = ", ".join(task.tags.apps), f"{task.tags.domain} / {task.tags.demand}"
    console.print(f"{escape(apps)}  [dim]{escape(kind)}[/]\n")
    if task.unproven:
        console.print("[yellow]unproven: it has no answer key, so nothing shows that it can be done[/]")
    if task.source:
        source = " ".join(filter(None, [task.source.format, task.source.file, task.source.digest[:12]]))
        console.print(f"[dim]written elsewhere: {escape(source)}[/]")
    console.print(escape(task.instruction), style="bold")
    if task.graph:
        console.print(*graph_view(task.graph), sep="\n")
    sections: list[tuple[str, list[str]]] = [
        ("Intent", [task.intent] if task.intent else []),
        ("Other wordings", list(task.paraphrases)),
        ("Setup", [str(call) for call in task.setup]),
        *((f"Event: {event.name}", [f"when: {event.when}", *map(str, event.do)]) for event in task.events),
        *((f"Person: {person.name}", [fact.reply for fact in person.facts]) for person in task.people),
        ("Needs", _needs(task)),
        ("Judged by", _tree(task.check.to_json())),
        ("May change", list(task.expected)),
        ("The user knows", [f"{', '.join(reply.about)}: {reply.reply}" for reply in task.user.replies]),
        ("Solution", [str(call) for call in task.solution]),
        *((f"Other way: {way.name}", [str(call) for call in way.moves]) for way in task.other_ways),
        *((f"Near miss: {miss.name}", [str(call) for call in miss.moves]) for miss in task.near_misses),
        *((f"Cheat: {way.name}", [str(call) for call in way.moves]) for way in task.cheats),
        ("May differ", [f"{admission.which}: {admission.why}" for admission in task.may_differ]),
    ]
    for title, lines in sections:
        if lines:
            console.print(f"\n[cyan]{escape(title)}[/]")
            for line in lines:
                console.print(f"  {escape(line)}", soft_wrap=True)


def _needs(task: Task) -> list[str]:
    """Return what a computer must have for a task, each in a line; what any computer has is left out."""
    needs = task.needs
    lines = [f"{name}: {value}" for name, value in needs.settings.items() if name in needs.insists]
    if needs.capabilities:
        lines.append(f"capabilities: {', '.join(sorted(needs.capabilities))}")
    lines += [f"home: {needs.home}"] if needs.home else []
    return lines


def _tree(check: dict[str, Any], depth: int = 0) -> list[str]:
    parts = [part for part in check["of"] if isinstance(part, dict)] if isinstance(check.get("of"), list) else []
    others = {key: value for key, value in check.items() if key != "check" and (key != "of" or not parts)}
    shown = ", ".join(f"{key}={_brief(value)}" for key, value in others.items())
    lines = [f"{'  ' * depth}{check['check']}({shown})"]
    for part in parts:
        lines += _tree(part, depth + 1) if "check" in part else [f"{'  ' * (depth + 1)}{_brief(part)}"]
    return lines


def _brief(value: object, most: int = 100) -> str:
    if isinstance(value, dict) and "probe" in value:
        inner = ", ".join(f"{item!r}" for key, item in value.items() if key != "probe")
        return f"{value['probe']}({inner})"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= most else f"{text[:most]}..."


@tasks.command()
@click.argument("names", nargs=-1, metavar="[TASK|FILE.json|FOLDER]...")
@suite_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per problem.")
def lint(names: tuple[str, ...], suite: str, as_json: bool) -> None:
    """Check task files for mistakes, without starting a computer.

    Looks at form, names, answer keys, near misses, expected changes, seeds and duplicates.

    \b
    proctor tasks lint mine
    proctor tasks lint --suite core --json
    """
    from proctor.suites import chosen_templates
    from proctor.suites.lint import lint_task, lint_templates

    suite, listed = resolve_names(suite, names)
    if any(name.endswith(".json") for name in listed):
        remarks = [remark for task in chosen_tasks(suite, listed, {}, [0])[0] for remark in lint_task(task)]
    else:
        remarks = list(lint_templates(chosen_templates(suite, listed)))
    for remark in remarks:
        click.echo(json.dumps({"id": remark.id, "message": remark.message}) if as_json else printable(str(remark)))
    if not remarks and not as_json:
        click.echo("no problems found")
    sys.exit(1 if remarks else 0)


@tasks.command()
@click.argument("where", metavar="FOLDER/NAME", type=click.Path(path_type=Path))
def new(where: Path) -> None:
    """Start a task of your own: a task file that works as it is, and a test that proves it.

    \b
    proctor tasks new mine/water-the-plants
    """
    from proctor.prove.scaffold import scaffold

    for path in scaffold(where):
        click.echo(f"wrote {path}")
    file = shlex.quote(f"{where.with_name(where.name.removesuffix('.json'))}.json")
    click.echo(f"\nprove it:  proctor tasks prove {file}\ntry it:    proctor tasks try {file}")
    click.echo(f"run it:    proctor run {file} --agent oracle")


@tasks.command()
@selection_options
@preset("--seed", multiple=True, type=int, default=(0,), help="Which variant of each task; repeatable.")
@click.option("--format", "form", type=click.Choice(["harbor"]), required=True, help="What to write.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="A folder that does not exist yet.")
def export(
    names: tuple[str, ...],
    suite: str,
    filters: dict[str, tuple[str, ...]],
    seed: tuple[int, ...],
    form: str,
    out: Path,
) -> None:
    """Write tasks in a format that another runner reads.

    \b
    harbor  a folder for each task, for `harbor run -e proctor.interop.harbor:ProctorEnvironment`

    They contain neither checks nor answer keys: Proctor still sets and judges the task.

    \b
    proctor tasks export --suite tour --format harbor --out harbor-tasks
    """
    from proctor.interop.harbor.folders import write_folders

    found, folder = chosen_tasks(suite, names, filters, seed)
    count = write_folders(str(folder.resolve()) if folder else suite, found, out)
    click.echo(f"wrote {printable(str(out))}: {count} task{'s' if count > 1 else ''}")


@tasks.command("try")
@click.argument("name", metavar="TASK|FILE.json")
@suite_option
@preset("--seed", default=0, help="Which variant of the task.")
@click.option("--port", default=0, help="Port on this machine for VNC viewers.  [default: any free one]")
def try_(name: str, suite: str, seed: int, port: int) -> None:
    """Do a task yourself on a live desktop; see the verdict and your time.

    \b
    proctor tasks try sign-the-letter
    proctor tasks try mine/water-the-plants.json --port 5901
    """
    from proctor.cli.try_task import try_task

    found, assets = chosen_tasks(suite, [name], {}, [seed])
    try_task(found[0], assets, port)
