"""`proctor studio key` and `write`: what becomes of a demonstration made in the studio."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from proctor.cli.options import FOLDER, preset
from proctor.errors import SpecError
from proctor.plain_text import json_text, one_line, printable
from proctor.runner.plan_record import recall
from proctor.suites import SUITES, load_suite

if TYPE_CHECKING:
    from proctor.studio.refine.key import KeyDraft
    from proctor.studio.refine.log import Refinements, Versions
    from proctor.studio.refine.material import Material
    from proctor.studio.refine.prove_key import KeyProof, ProofNews
    from proctor.suites.suite import Suite

_EPISODE = click.argument("episode", metavar="EPISODE", type=FOLDER)
_VERSION = click.option(
    "--revision", "number", type=click.IntRange(0), help="Which version of the demonstration.  [default: the newest]"
)
_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@click.command()
@_EPISODE
@_VERSION
@click.option("--prove", is_flag=True, help="Perform it on fresh computers and prove it.")
@preset("--seeds", type=click.IntRange(1, 1000), default=3, help="How many variants of each task.")
@preset("--repeats", type=click.IntRange(1), default=3, help="How many times to repeat the solution.")
@click.option("--whole", is_flag=True, help="Try the task's near misses, other ways, cheats and mutants as well.")
@click.option("--suite", metavar="NAME|FOLDER", help="Where tasks come from.  [default: as its task says]")
@click.option("--computer", metavar="COMPUTER", help="Another computer than the episode used.")
@click.option("--out", type=FOLDER, help="Folder for the task with this answer key.")
@click.option("--trust", is_flag=True, help="Start agents and programs named by a run from elsewhere without asking.")
@_JSON
def key(
    episode: Path,
    number: int | None,
    prove: bool,
    seeds: int,
    repeats: int,
    whole: bool,
    suite: str | None,
    computer: str | None,
    out: Path | None,
    trust: bool,
    as_json: bool,
) -> None:
    """Make an answer key from a demonstration: moves that find their elements by name.

    EPISODE is a folder below `episodes` of a run, or a run of one episode. With --prove it is performed on a fresh
    computer, where each move is fitted so that it finds one element only, and then proven on others and for other
    seeds: what the template draws differently is replaced in the moves. The exit status is 1 if it fails.

    \b
    proctor studio key studio/demonstrations/RUN
    proctor studio key studio/demonstrations/RUN --prove --seeds 5
    proctor studio key studio/demonstrations/RUN --prove --out mine/letter     a task file with this key
    """
    from proctor.cli.trust import code_folders, starts
    from proctor.store.find_episode import find_episode
    from proctor.studio.refine.key import draft_key
    from proctor.studio.refine.prove_key import prove_key, save_key, siblings
    from proctor.studio.refine.redo import task_of

    material, _, versions, shown = _open(episode, number)
    draft = draft_key(material.steps(versions.state(shown)))
    if not prove:
        if out is not None:
            raise click.UsageError("--out goes with --prove: a key that was never performed is not an answer key")
        sys.exit(_show_draft(draft, shown, as_json))
    record = find_episode(episode)[1]
    code_folders(record, starts(recall(record)), trust)
    task, assets, _, backend = task_of(material)
    if out is not None and out.exists():
        raise SpecError(f"{out} exists already", remedy="name a folder that does not exist yet")
    tasks = siblings(task, _suites(task.id, suite, assets), seeds)
    heard = (lambda _: None) if as_json else _tell
    made = prove_key(
        draft, tasks, computer=computer or backend, assets=assets, repeats=repeats, whole=whole, heard=heard
    )
    if out is not None and not made.problems:
        save_key(made, out, assets, {"episode": str(material.folder), "version": shown})
    sys.exit(_show_proven(made, shown, as_json))


def _show_draft(draft: KeyDraft, version: int, as_json: bool) -> int:
    from proctor.studio.refine.key import as_python

    if as_json:
        told = {"version": version, "moves": draft.calls, "notes": draft.notes, "problems": draft.problems}
        click.echo(json_text(told))
    else:
        click.echo(printable(as_python(draft.calls)))
        _print_notes(draft.notes, draft.problems)
    return 1 if draft.problems else 0


def _show_proven(made: KeyProof, version: int, as_json: bool) -> int:
    from proctor.studio.refine.key import as_python

    if as_json:
        click.echo(json_text({**made.to_json(), "version": version}))
    else:
        click.echo(printable(as_python(made.calls)))
        _print_notes(made.notes, made.problems)
        click.echo(f"holds for {sum(proof.holds for proof in made.proofs)} of {len(made.proofs)} seeds")
    return 0 if made.holds else 1


@click.command()
@_EPISODE
@_VERSION
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="Folder to write, which must not exist yet."
)
@_JSON
def write(episode: Path, number: int | None, out: Path, as_json: bool) -> None:
    """Write a version of a demonstration as a run of one episode that names its source.

    EPISODE is a folder below `episodes` of a run, or a run of one episode. Where the same actions were performed, in
    the recording or when it was done again, the run gets that verdict; otherwise it is void.

    \b
    proctor studio write studio/demonstrations/RUN --revision 4 --out refined/RUN-v4
    """
    from proctor.store.read import open_episode
    from proctor.studio.refine.redo import places_done_again
    from proctor.studio.refine.write import write_out

    material, log, versions, shown = _open(episode, number)
    folder = write_out(material, versions, shown, out, sums=log.sums, tried=places_done_again(material))
    result = open_episode(folder).result
    assert result is not None
    if as_json:
        told = {
            "version": shown,
            "out": str(out),
            "episode": str(folder),
            "outcome": result.outcome,
            "why": result.error,
        }
        click.echo(json_text(told))
        return
    why = f": {result.error}" if result.void else ""
    click.echo(one_line(f"wrote version {shown}, {result.steps} actions, to {out}; {result.outcome}{why}"))


def _open(episode: Path, number: int | None) -> tuple[Material, Refinements, Versions, int]:
    from proctor.store.find_episode import find_episode
    from proctor.studio.refine.log import Refinements
    from proctor.studio.refine.material import Material

    found, _ = find_episode(episode)
    material = Material(found.folder)
    log = Refinements(material.folder, len(material.demonstration.lines))
    versions = log.read()
    shown = versions.number if number is None else number
    versions.state(shown)
    return material, log, versions, shown


def _suites(task: str, named: str | None, assets: Path | None) -> list[Suite]:
    if named is not None:
        return [load_suite(named)]
    home = task.partition("/")[0]
    if SUITES.knows(home):
        return [load_suite(home)]
    return [load_suite(assets)] if assets is not None and assets.is_dir() else []


def _tell(event: ProofNews) -> None:
    if event.state != "going":
        seed = "" if event.seed is None else f", seed {event.seed}"
        mark = {"good": "ok", "bad": "FAILED"}[event.state]
        click.echo(one_line(f"{mark}: {event.what}{seed}: {event.text}"), err=True)


def _print_notes(notes: list[str], problems: list[str]) -> None:
    for note in notes:
        click.echo(one_line(f"note: {note}"), err=True)
    for problem in problems:
        click.echo(one_line(f"problem: {problem}"), err=True)
